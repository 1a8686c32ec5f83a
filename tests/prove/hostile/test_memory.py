"""Pages that take all the memory of their process, which then ends: only their tab is lost."""

from __future__ import annotations

import pytest

from tests.prove.hostile.conftest import Attack
from tests.site import Site

_BOMBS = {
    "the heap of scripts": "const a = []; for (;;) a.push(new Array(1e6).fill({}))",
    "growing strings": "let s = 'x'; for (;;) s += s + Math.random()",
    "recursion": "(function f() { try { f() } finally { f() } })()",
    "the stack": "(function f() { return f() + 1 })()",
}


@pytest.mark.time_limit(250)
@pytest.mark.parametrize("bomb", _BOMBS)
async def test_a_page_that_exhausts(attack: Attack, site: Site, bomb: str) -> None:
    url = site.page(f'<h1>Bomb</h1><button onclick="{_BOMBS[bomb]}">Go</button>')
    await attack(
        url,
        ("browser_click", {"ref": "button"}),
        ("browser_snapshot", {}),
        ("browser_evaluate", {"function": "() => 1"}),
    )
