"""Pages that replace what scripts rely on: the tools work, or report why not."""

from __future__ import annotations

import pytest

from tests.prove.hostile.conftest import Attack
from tests.site import Site

_REST = "<h1>Trap</h1><button id=b>Press</button><input id=i aria-label=Name><select id=s><option>A<option>B</select>"
_TRAPS = {
    "array methods": """for (const name of Object.getOwnPropertyNames(Array.prototype))
        if (typeof [][name] === 'function') Array.prototype[name] = () => { throw 'trap' }""",
    "JSON and Map": """JSON.stringify = JSON.parse = () => { throw 'trap' };
        Map.prototype.set = Map.prototype.get = Set.prototype.add = () => { throw 'trap' }""",
    "promises": """Promise.prototype.then = () => { throw 'trap' };
        Promise.resolve = Promise.all = () => { throw 'trap' }""",
    "a promise that never ends": "Promise.prototype.then = function () { return this }",
    "objects": """for (const name of ['defineProperty', 'keys', 'entries', 'assign', 'getPrototypeOf'])
        Object[name] = () => { throw 'trap' }""",
    "listeners": """EventTarget.prototype.addEventListener = () => { throw 'trap' };
        EventTarget.prototype.dispatchEvent = () => { throw 'trap' }""",
    "then and toJSON of all objects": """Object.prototype.toJSON = () => { throw 'trap' };
        Object.defineProperty(Object.prototype, 'then', {get() { throw 'trap' }})""",
    "getters that throw": """for (const name of ['textContent', 'parentNode', 'childNodes', 'isConnected'])
        Object.defineProperty(Node.prototype, name, {get() { throw 'trap' }});
        for (const name of ['getAttribute', 'matches', 'closest', 'getBoundingClientRect'])
        Element.prototype[name] = () => { throw 'trap' }""",
    "a document that is a proxy": """window.document.__proto__ = new Proxy(document.__proto__, {
        get() { throw 'trap' }, has() { throw 'trap' }, getPrototypeOf() { throw 'trap' } })""",
    "elements named as properties": """for (const name of ['body', 'forms', 'title', 'querySelector', 'defaultView'])
        document.documentElement.append(Object.assign(document.createElement('form'), {name, id: name}))""",
    "timers and frames": """window.setTimeout = window.setInterval = window.requestAnimationFrame =
        window.queueMicrotask = window.fetch = () => { throw 'trap' }""",
    "observers": """window.MutationObserver = window.IntersectionObserver = window.ResizeObserver =
        class { constructor() { throw 'trap' } }""",
    "time that stands still": "Date.now = () => 0; performance.now = () => 0; window.Date = class {}",
    "strings and patterns": """String.prototype.replace = String.prototype.split = String.prototype.trim =
        RegExp.prototype.exec = RegExp.prototype.test = () => { throw 'trap' }""",
    "iterators": """Array.prototype[Symbol.iterator] = () => { throw 'trap' };
        Object.defineProperty(Symbol, 'iterator', {value: 1, configurable: true})""",
    "the console": "for (const name of Object.keys(console)) console[name] = () => { throw 'trap' }",
    "a frozen world": "Object.freeze(window); Object.freeze(document); Object.freeze(Object.prototype)",
}


@pytest.mark.time_limit(150)
@pytest.mark.parametrize("trap", _TRAPS)
async def test_tools_work_on_a_page_that_sets_a_trap(attack: Attack, site: Site, trap: str) -> None:
    url = site.page(f"<!doctype html><title>T</title><script>{_TRAPS[trap]}</script>{_REST}")
    opened, clicked, typed, _, looked, *_ = await attack(
        url,
        ("browser_click", {"ref": "#b"}),
        ("browser_type", {"ref": "#i", "text": "Ada"}),
        ("browser_select_option", {"ref": "#s", "values": ["B"]}),
        ("browser_snapshot", {}),
        ("browser_find", {"text": "Trap"}),
        ("browser_evaluate", {"function": "() => 6 * 7"}),
        ("browser_evaluate", {"function": "() => ({a: [1, {b: new Map([[1, 2]])}]})"}),
        ("browser_evaluate", {"function": "async () => 1"}),
        ("browser_console_messages", {}),
        ("browser_take_screenshot", {}),
    )
    assert "Trap" in opened.sections["Snapshot"]
    assert not clicked.is_error, clicked.text
    assert "Ada" in typed.text
    assert 'button "Press"' in looked.sections["Snapshot"]
    assert "B [selected]" in looked.sections["Snapshot"]
