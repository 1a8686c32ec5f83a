"""Pages whose scripts never end: while they load, later, in a getter, and when they are left."""

from __future__ import annotations

import pytest

from tests.prove.hostile.conftest import Attack
from tests.site import Site

_LOOPS = {
    "while it loads": "for (;;);",
    "after its load": "onload = () => setTimeout(() => { for (;;); })",
    "in a timer": "setInterval(() => { const end = Date.now() + 900; while (Date.now() < end); }, 1)",
    "in microtasks": "(function loop() { Promise.resolve().then(loop) })()",
    "in frames": "(function loop() { const end = Date.now() + 500; while (Date.now() < end);"
    "requestAnimationFrame(loop) })()",
    "when it is left": "onbeforeunload = onpagehide = onunload = () => { for (;;); }",
    "in an observer": "new MutationObserver(() => { document.body.append('x'); document.body.lastChild.remove() })"
    ".observe(document, {childList: true, subtree: true}); onload = () => document.body.append('y')",
}


@pytest.mark.time_limit(150)
@pytest.mark.parametrize("loop", _LOOPS)
async def test_a_script_that_never_ends_blocks_only_its_tab(
    attack: Attack, site: Site, loop: str
) -> None:
    url = site.page(
        f"<!doctype html><script>{_LOOPS[loop]}</script><h1>Loop</h1><button>x</button>"
    )
    await attack(
        url,
        ("browser_snapshot", {}),
        ("browser_click", {"ref": "button"}),
        ("browser_evaluate", {"function": "() => 1"}),
    )


@pytest.mark.time_limit(150)
async def test_a_getter_that_never_ends_stops_the_script_that_reads_it(
    attack: Attack, site: Site
) -> None:
    getter = "Object.defineProperty(window, 'trap', {get() { for (;;); }, enumerable: true})"
    url = site.page(f"<script>{getter}</script><h1>Getter</h1>")
    _, stopped, _ = await attack(
        url,
        ("browser_evaluate", {"function": "() => trap"}),
        ("browser_snapshot", {}),
    )
    assert stopped.is_error
