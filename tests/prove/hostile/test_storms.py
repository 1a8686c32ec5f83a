"""Pages that do something again and again: the reply counts it, and the tab can be left."""

from __future__ import annotations

import pytest

from tests.prove.hostile.conftest import Attack
from tests.site import Site

_STORMS = {
    "alerts while it loads": "for (;;) alert('again')",
    "alerts later": "setInterval(() => alert('again'), 10)",
    "confirms when it is left": "onbeforeunload = event => { event.preventDefault(); return 'stay' }",
    "prints": "setInterval(() => print(), 50)",
    "popups": "onclick = () => { for (let n = 0; n < 40; n++) open('/popup', 'popup' + n) }",
    "popups that open popups": "open(location.href, '_blank'); setInterval(() => open(location.href), 100)",
    "downloads": "setInterval(() => { const a = document.createElement('a'); a.href = 'data:,x';"
    "a.download = 'x.txt'; a.click() }, 20)",
    "history entries": "setInterval(() => { for (let n = 0; n < 200; n++) history.pushState(n, '', '#' + Math.random()) }, 10)",
    "reloads": "setTimeout(() => location.reload(), 20)",
    "navigations": "setTimeout(() => { location = '/storm?' + Math.random() }, 20)",
    "console lines": "setInterval(() => { for (let n = 0; n < 5000; n++) console.log('line ' + n) }, 20)",
    "large console lines": "setInterval(() => console.log('x'.repeat(3e7)), 20)",
    "console errors": "setInterval(() => { for (let n = 0; n < 500; n++) console.error('error ' + Math.random()) }, 20)",
    "exceptions": "setInterval(() => { throw new Error('again ' + Math.random()) }, 1)",
    "requests": "setInterval(() => { for (let n = 0; n < 50; n++) fetch('/quick?' + Math.random()).catch(() => 0) }, 50)",
    "sockets": "setInterval(() => { for (let n = 0; n < 10; n++) new WebSocket('ws://' + location.host + '/quick') }, 50)",
    "frames that come and go": "onload = () => setInterval(() => { const f = document.createElement('iframe');"
    "f.src = '/quick'; document.body.append(f); if (document.querySelectorAll('iframe').length > 20)"
    "document.querySelector('iframe').remove() }, 5)",
    "titles": "setInterval(() => { document.title = Math.random() }, 1)",
    "focus": "setInterval(() => { document.querySelector('button')?.focus(); document.activeElement.blur() }, 1)",
    "file choosers": "onclick = () => { const i = document.createElement('input'); i.type = 'file'; i.click(); i.click() }",
    "permissions": "setInterval(() => { navigator.geolocation.getCurrentPosition(() => 0);"
    "Notification.requestPermission(); navigator.mediaDevices?.getUserMedia({video: true}).catch(() => 0) }, 50)",
    "full screen and pointer lock": "onclick = () => { document.documentElement.requestFullscreen();"
    "document.documentElement.requestPointerLock() }",
    "changes of the page": "onload = () => setInterval(() => { for (let n = 0; n < 100; n++) document.body.append(n) ;"
    "while (document.body.childNodes.length > 2000) document.body.lastChild.remove() }, 5)",
}


@pytest.mark.time_limit(150)
@pytest.mark.parametrize("storm", _STORMS)
async def test_a_storm_of(attack: Attack, site: Site, storm: str) -> None:
    site.page("<title>Popup</title>", path="/popup")
    site.page("x", path="/quick")
    url = site.page(
        f"<!doctype html><title>Storm</title><script>{_STORMS[storm]}</script><button>x</button>",
        path="/storm",
    )
    await attack(
        url,
        ("browser_snapshot", {}),
        ("browser_click", {"ref": "button"}),
        ("browser_snapshot", {}),
        ("browser_handle_dialog", {"accept": True}),
        ("browser_console_messages", {}),
        ("browser_network_requests", {}),
    )
