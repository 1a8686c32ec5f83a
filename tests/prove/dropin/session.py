"""The session that is played on both servers, and its outcomes.

An outcome is what the page, the disk or the client shows in the end, not the words of a reply. So
outcomes of both servers can be compared.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from tests.prove.dropin.player import Player, Reply

Outcomes = dict[str, Any]

_FACTS = """async () => {
  const headers = await (await fetch('/echo')).json();
  const geolocation = await navigator.permissions.query({ name: 'geolocation' });
  const position = geolocation.state !== 'granted' ? '' : await new Promise((done) =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => done(`${coords.latitude},${coords.longitude}`),
      (error) => done(error.message), { timeout: 500 }));
  return {
    viewport: `${innerWidth}x${innerHeight}`,
    screen: `${screen.width}x${screen.height}`,
    scale: devicePixelRatio,
    touch: navigator.maxTouchPoints > 0,
    mobile: matchMedia('(pointer: coarse)').matches,
    agent: navigator.userAgent,
    'agent header': headers['user-agent'] === navigator.userAgent,
    'language header': headers['accept-language'],
    'extra header': headers['x-run'] ?? '',
    cookie: headers.cookie ?? '',
    language: navigator.languages.join(),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
    permission: geolocation.state,
    position,
    theme: localStorage.getItem('theme'),
    automated: navigator.webdriver,
    'init script': window.isPlaywrightMCP ?? false,
    online: navigator.onLine,
  };
}"""
_FETCH = """async () => {
  const origins = %s;
  const answers = origins.map((each) =>
    fetch(`http://${each}/echo`).then(() => 'answered', () => 'failed'));
  return await Promise.all(answers);
}"""
_WORKER = """async () => {
  const registered = await navigator.serviceWorker.register('/worker.js').then(
    () => 'registered', () => 'refused');
  return { registered, count: (await navigator.serviceWorker.getRegistrations()).length };
}"""


async def play(player: Player, shop: str, other_shop: str) -> Outcomes:
    """Play the session, without what `play_again` does after a restart.

    Args:
        shop: Host and port of the shop.
        other_shop: Host and port of the second shop.
    """
    started = _list_files(player.workspace)
    outcomes: Outcomes = {"needs a key": player.needs_key, "tools": await player.tools()}
    url = f"http://{shop}"
    for part in (_open, _choose, _order, _fail, _use_tabs, _read, _take_pictures):
        outcomes |= await part(player, url)
    shops = {"shop": shop, "other shop": other_shop}
    answers = await player.evaluate(_FETCH % list(shops.values()))
    outcomes["origins"] = dict(zip(shops, answers, strict=True))
    outcomes["service worker"] = await player.evaluate(_WORKER)
    for tool, use_capability in _CAPABILITIES.items():
        if tool in outcomes["tools"]:
            outcomes |= await use_capability(player, url)
    outcomes |= await _close(player, url)
    return outcomes | _describe_files(_list_files(player.workspace) - started)


async def play_again(player: Player, shop: str) -> Outcomes:
    """Report what a server that was started again has kept."""
    await player.call("browser_navigate", url=f"http://{shop}/index.html")
    kept = await player.evaluate("() => [localStorage.getItem('kept')]")
    return {"kept after a restart": kept}


def _list_files(workspace: Path) -> set[str]:
    return {str(path.relative_to(workspace)) for path in workspace.rglob("*") if path.is_file()}


def _describe_files(files: set[str]) -> Outcomes:
    """Return the files with a given name, and where those with an automatic name are."""
    automatic = {file for file in files if re.search(r"\d{4}-\d\d|session", file)}
    return {
        "named files": files - automatic,
        "automatic screenshots": {
            str(Path(file).parent) for file in automatic if file.endswith(".jpeg")
        },
        "automatic snapshots": any(file.endswith(".yml") for file in automatic),
        "saved session": any("session" in file for file in automatic),
    }


async def _open(player: Player, url: str) -> Outcomes:
    reply = await player.call("browser_navigate", url=f"{url}/index.html")
    snapshot = await player.call("browser_snapshot")
    shown = await player.evaluate("() => ({ url: location.pathname, title: document.title })")
    facts = await player.evaluate(_FACTS)
    return {
        "navigate": _succeeded(reply),
        "page": shown,
        "boxes in the snapshot": "[box=" in snapshot.text,
        **{f"page: {name}": value for name, value in facts.items()},
    }


async def _choose(player: Player, _: str) -> Outcomes:
    search = await player.find("searchbox", "Search teas")
    typed = await player.call(
        "browser_type", element="Search", target=search, text="sencha", slowly=True
    )
    found = await player.evaluate("() => [document.querySelector('#found').textContent]")
    amount = await player.find("combobox", "Quantity of Sencha")
    selected = await player.call(
        "browser_select_option", element="Quantity", target=amount, values=["2"]
    )
    add = await player.find("button", "Add Sencha to cart")
    hovered = await player.call("browser_hover", element="Add", target=add)
    clicked = await player.call("browser_click", element="Add", target=add)
    by_selector = await player.call("browser_click", target="button[aria-label^='Add Sencha']")
    cart = await player.evaluate("() => [document.querySelector('#count').textContent]")
    return {
        "type": _succeeded(typed),
        "search": found,
        "select an option": _succeeded(selected),
        "hover": _succeeded(hovered),
        "click": _succeeded(clicked),
        "click by selector": _succeeded(by_selector),
        "cart": cart,
    }


async def _order(player: Player, _: str) -> Outcomes:
    await player.call("browser_click", target=await player.find("link", "Go to checkout"))
    name = await player.find("textbox", "Name")
    mail = await player.find("textbox", "E-mail")
    # Both are names of secrets in some configurations.
    fields = [
        {"name": "Name", "type": "textbox", "target": name, "value": "SHOP_NAME"},
        {"name": "E-mail", "type": "textbox", "target": mail, "value": "anna@example.org"},
    ]
    filled = await player.call("browser_fill_form", fields=fields)
    values = await player.evaluate(
        "() => [...document.querySelectorAll('input')].map((i) => i.value)"
    )
    key = await player.call("browser_press_key", key="Enter")
    blocked = await player.call("browser_evaluate", function="() => [1]")
    answered = await player.call("browser_handle_dialog", accept=True)
    waited = await player.call("browser_wait_for", text="packs of tea")
    page = await player.evaluate(
        "() => ({ url: location.pathname, text: document.querySelector('main').innerText })"
    )
    return {
        "fill a form": _succeeded(filled),
        "values of the form": values,
        "press a key": _succeeded(key),
        "evaluate behind a dialog": _succeeded(blocked),
        "answer the dialog": _succeeded(answered),
        "wait for a text": _succeeded(waited),
        "order": page,
        "secret in a reply": "Anna Lind" in "".join(r.text for r in (filled, waited)),
    }


async def _fail(player: Player, url: str) -> Outcomes:
    calls: dict[str, tuple[str, dict[str, Any]]] = {
        "unknown ref": ("browser_click", {"target": "e9999"}),
        "selector without a match": ("browser_hover", {"target": "#missing"}),
        "missing argument": ("browser_navigate", {}),
        "unknown page": ("browser_navigate", {"url": f"{url}/missing.html"}),
        "refused connection": ("browser_navigate", {"url": "http://localhost:1/"}),
        "script that throws": ("browser_evaluate", {"function": "() => { throw Error('x') }"}),
        "file outside": ("browser_take_screenshot", {"filename": "/etc/shot.png"}),
        "file URL": ("browser_navigate", {"url": "file:///etc/hostname"}),
        "no dialog": ("browser_handle_dialog", {"accept": True}),
        "back": ("browser_navigate_back", {}),
    }
    results = {
        name: _succeeded(await player.call(tool, **arguments))
        for name, (tool, arguments) in calls.items()
    }
    await player.call("browser_navigate", url=f"{url}/index.html")
    return results


async def _use_tabs(player: Player, url: str) -> Outcomes:
    opened = await player.call("browser_tabs", action="new", url=f"{url}/account.html")
    second = await player.evaluate("() => [location.pathname]")
    selected = await player.call("browser_tabs", action="select", index=0)
    first = await player.evaluate("() => [location.pathname]")
    closed = await player.call("browser_tabs", action="close", index=1)
    listed = await player.call("browser_tabs", action="list")
    return {
        "open a tab": (_succeeded(opened), second),
        "select a tab": (_succeeded(selected), first),
        "close a tab": _succeeded(closed),
        "count of tabs": len(re.findall(r"^- \d+:", listed.text, re.MULTILINE)),
    }


async def _read(player: Player, _: str) -> Outcomes:
    await player.evaluate(
        "async () => { console.log('brewing'); console.warn('hot'); console.error('spilled');"
        " await fetch('/echo?order'); await fetch('/echo?none');"
        " await fetch('/missing').catch(() => 0); return []; }"
    )
    texts = ("brewing", "hot", "spilled")
    messages = {
        level: await player.call("browser_console_messages", level=level)
        for level in ("error", "warning", "info")
    }
    requests = await player.call("browser_network_requests", static=False, filter="echo|missing")
    one = re.search(r"(\d+)[.:]? .*echo\?order", requests.text)
    detail = await player.call("browser_network_request", index=int(one[1]) if one else 1)
    saved = await player.call("browser_console_messages", level="info", filename="console.txt")
    found = await player.call("browser_find", text="Oolong")
    return {
        "console": {
            level: [text for text in texts if text in reply.text]
            for level, reply in messages.items()
        },
        "requests": [
            path for path in ("echo?order", "echo?none", "missing") if path in requests.text
        ],
        "details of a request": "echo?order" in detail.text and "200" in detail.text,
        "save a list": _succeeded(saved),
        "find": (_succeeded(found), "Oolong" in found.text.partition("\n")[2]),
    }


async def _take_pictures(player: Player, _: str) -> Outcomes:
    viewport = await player.call("browser_take_screenshot", type="png", filename="shot.png")
    page = await player.call("browser_take_screenshot", type="jpeg", fullPage=True)
    heading = await player.call(
        "browser_take_screenshot", element="Heading", target="h1", filename="heading.png"
    )
    snapshot = await player.call("browser_snapshot", filename="page.md")
    resized = await player.call("browser_resize", width=900, height=700)
    after = await player.evaluate("() => [innerWidth, innerHeight]")
    return {
        "screenshot": (_succeeded(viewport), _png_size(player.workspace / "shot.png")),
        "screenshot of the page": _succeeded(page),
        "screenshot of an element": (
            _succeeded(heading),
            _png_size(player.workspace / "heading.png")[1],
        ),
        "images in the replies": [each.image_count for each in (viewport, page, heading)],
        "save a snapshot": _succeeded(snapshot),
        "resize": (_succeeded(resized), after),
    }


async def _click_a_point(player: Player, _: str) -> Outcomes:
    await player.evaluate(
        "() => { addEventListener('click', (event) =>"
        " { window.point = [event.clientX, event.clientY]; }); return []; }"
    )
    clicked = await player.call("browser_mouse_click_xy", element="Page", x=12, y=34)
    point = await player.evaluate("() => window.point ?? []")
    scrolled = await player.call("browser_mouse_wheel", deltaX=0, deltaY=100)
    return {"click a point": (_succeeded(clicked), point), "wheel": _succeeded(scrolled)}


async def _save_pdf(player: Player, _: str) -> Outcomes:
    saved = await player.call("browser_pdf_save", filename="page.pdf")
    path = player.workspace / "page.pdf"
    return {"PDF": (_succeeded(saved), path.is_file() and path.read_bytes()[:5])}


async def _use_storage(player: Player, _: str) -> Outcomes:
    calls: tuple[tuple[str, dict[str, Any]], ...] = (
        ("browser_cookie_set", {"name": "tea", "value": "green"}),
        ("browser_localstorage_set", {"key": "tea", "value": "oolong"}),
        ("browser_sessionstorage_set", {"key": "tea", "value": "assam"}),
        ("browser_storage_state", {"filename": "saved.json"}),
        ("browser_cookie_delete", {"name": "tea"}),
        ("browser_localstorage_clear", {}),
        ("browser_set_storage_state", {"filename": "saved.json"}),
    )
    results = [_succeeded(await player.call(tool, **arguments)) for tool, arguments in calls]
    cookie = await player.call("browser_cookie_get", name="tea")
    page = await player.evaluate(
        "() => [document.cookie, localStorage.getItem('tea'), sessionStorage.getItem('tea')]"
    )
    # When playwright-mcp closes the browser, the profile keeps a session cookie only at times.
    await player.call("browser_cookie_delete", name="tea")
    return {"storage": (results, "green" in cookie.text, page)}


async def _control_network(player: Player, _: str) -> Outcomes:
    routed = await player.call(
        "browser_route", pattern="**/echo*", status=201, body='{"tea": "green"}'
    )
    status = (
        "async () => { const a = await fetch('/echo?route'); return [a.status, await a.text()]; }"
    )
    answer = await player.evaluate(status)
    listed = await player.call("browser_route_list")
    removed = await player.call("browser_unroute", pattern="**/echo*")
    again = await player.evaluate("async () => [(await fetch('/echo?route')).status]")
    offline = await player.call("browser_network_state_set", state="offline")
    failed = await player.evaluate("() => [navigator.onLine]")
    await player.call("browser_network_state_set", state="online")
    return {
        "route": (_succeeded(routed), answer, "echo" in listed.text, _succeeded(removed), again),
        "offline": (_succeeded(offline), failed),
    }


async def _verify(player: Player, _: str) -> Outcomes:
    search = await player.find("searchbox", "Search teas")
    located = await player.call("browser_generate_locator", element="Search", target=search)
    results = [
        await player.call("browser_verify_element_visible", role="heading", accessibleName="Teas"),
        await player.call("browser_verify_element_visible", role="heading", accessibleName="Wine"),
        await player.call("browser_verify_text_visible", text="Strong and malty"),
        await player.call("browser_verify_text_visible", text="Bitter"),
        await player.call(
            "browser_verify_value", type="textbox", element="Search", target="#search", value=""
        ),
    ]
    locator = re.search(r"### Result\n(.*)", located.text)
    await player.call("browser_type", target="#search", text="SHOP_EMAIL")
    typed = await player.evaluate("() => [document.querySelector('#search').value]")
    shown = await player.call("browser_snapshot")
    return {
        "verify": [_succeeded(each) for each in results],
        "locator": (_succeeded(located), locator and locator[1]),
        "secret": (typed, "anna@example.com" in shown.text),
    }


async def _close(player: Player, url: str) -> Outcomes:
    await player.evaluate("() => { localStorage.setItem('kept', 'yes'); return []; }")
    closed = await player.call("browser_close")
    reopened = await player.call("browser_navigate", url=f"{url}/index.html")
    facts = await player.evaluate(_FACTS)
    kept = await player.evaluate("() => [localStorage.getItem('kept')]")
    return {
        "close": _succeeded(closed),
        "open again": _succeeded(reopened),
        "kept after close": kept,
        "logged in after close": (facts["cookie"], facts["theme"]),
        "viewport after close": facts["viewport"],
    }


# Each part runs if tools/list has the tool.
_CAPABILITIES: Mapping[str, Callable[[Player, str], Awaitable[Outcomes]]] = {
    "browser_mouse_click_xy": _click_a_point,
    "browser_pdf_save": _save_pdf,
    "browser_cookie_set": _use_storage,
    "browser_route": _control_network,
    "browser_verify_value": _verify,
}


def _succeeded(reply: Reply) -> str:
    return "error" if reply.is_error else "success"


def _png_size(path: Path) -> tuple[int, int]:
    if not path.is_file():
        return (0, 0)
    width, height = struct.unpack(">II", path.read_bytes()[16:24])
    return width, height
