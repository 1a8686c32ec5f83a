"""Pages of a size that no reader needs: the reply stays within its budget."""

from __future__ import annotations

import pytest

from tests.prove.hostile.conftest import Attack
from tests.site import Site

_BIG = "'x'.repeat(1e8)"
_PAGES = {
    "nodes": "document.body.innerHTML = '<p>word <b>bold</b></p>'.repeat(66667)",
    "buttons": "document.body.innerHTML = '<button>Press me</button>'.repeat(20000)",
    "depth": "let e = document.body; for (let n = 0; n < 20000; n++)"
    "e = e.appendChild(document.createElement('div')); e.textContent = 'deep'",
    "flat frames": "document.body.innerHTML = '<iframe srcdoc=\"<button>x</button>\"></iframe>'.repeat(1000)",
    "nested frames": "let d = document; for (let n = 0; n < 1000; n++) { const f = d.createElement('iframe');"
    "d.body.append('level', f); if (!f.contentDocument) break; d = f.contentDocument }",
    "options": "document.body.innerHTML = '<select>' + '<option>Option</option>'.repeat(50000) + '</select>'",
    "a text": f"document.body.textContent = {_BIG}",
    "a text of lines": "document.body.append(Object.assign(document.createElement('pre'), {textContent: 'x\\n'.repeat(2e7)}))",
    "a title": f"document.title = {_BIG}",
    "an attribute": f"document.body.innerHTML = '<button>b</button>'; document.querySelector('button').ariaLabel = {_BIG}",
    "an address": "history.replaceState({}, '', '#' + 'x'.repeat(1.5e6))",
    "a value": f"document.body.innerHTML = '<input>'; document.querySelector('input').value = {_BIG}",
    "a console line": f"console.log({_BIG}); console.error({_BIG})",
    "an object in the console": "console.log(Array.from({length: 1e6}, (_, n) => ({n})))",
    "an exception": f"setTimeout(() => {{ throw new Error({_BIG}) }})",
    "a dialog": f"setTimeout(() => alert({_BIG}))",
    "storage": "for (let n = 0; n < 5; n++) localStorage.setItem('k' + n, 'x'.repeat(9e5))",
    "an alternative text": f"document.body.innerHTML = '<img>'; document.querySelector('img').alt = {_BIG}",
    "a link": f"document.body.innerHTML = '<a>b</a>'; document.querySelector('a').href = '/' + {_BIG}",
    "a canvas": "const c = document.createElement('canvas'); c.width = c.height = 16000; document.body.append(c);"
    "c.getContext('2d').fillRect(0, 0, 16000, 16000)",
    "a page of a million pixels": "document.body.style.height = document.body.style.width = '1000000px'",
}


@pytest.mark.time_limit(300)
@pytest.mark.parametrize("size", _PAGES)
async def test_a_page_with_very_large(attack: Attack, site: Site, size: str) -> None:
    script = f"<script>onload = () => {{ {_PAGES[size]} }}</script>"
    await attack(
        site.page(f"<!doctype html><title>Size</title>{script}<body>"),
        ("browser_snapshot", {}),
        ("browser_handle_dialog", {"accept": True}),
        ("browser_snapshot", {"text": True}),
        ("browser_find", {"text": "x"}),
        ("browser_find", {"regex": "(x+x+)+y"}),
        ("browser_console_messages", {}),
        ("browser_take_screenshot", {"fullPage": True}),
        ("browser_evaluate", {"function": "() => document.body.innerHTML"}),
    )


@pytest.mark.time_limit(200)
@pytest.mark.parametrize(
    "value",
    [
        _BIG,
        f"({{a: {_BIG}}})",
        "Array.from({length: 1e6}, (_, n) => ({n}))",
        f"{{ throw new Error({_BIG}) }}",
        f"{{ throw {_BIG} }}",
        "{ let a = []; for (let n = 0; n < 1e5; n++) a = [a]; return a }",
        "{ const a = {}; a.a = a; return Array(1e5).fill(a) }",
    ],
)
async def test_a_script_returns_a_very_large_value(attack: Attack, site: Site, value: str) -> None:
    await attack(site.page("<p>x"), ("browser_evaluate", {"function": f"() => {value}"}))
