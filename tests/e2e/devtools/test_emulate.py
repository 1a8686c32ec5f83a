"""browser_emulate over stdio: its effect on pages, its replies and its errors."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import Reply, ServerClient, StdioClient
from tests.site import Site

NOTHING = "Nothing is emulated beyond the settings of the context."
NOTE = "\nNote: the page was loaded before this change. browser_reload loads it again."
MENU = """<meta name=viewport content='width=device-width'>
<style>@media (max-width: 600px) { nav { display: none } } @media (min-width: 601px) {
#menu { display: none } }</style>
<nav><a href=/about>About</a></nav>
<button id=menu onclick="this.textContent = 'Opened'">Menu</button>"""


@pytest.fixture(scope="module")
async def server(
    open_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[StdioClient]:
    cwd = tmp_path_factory.mktemp("emulate")
    flags = ("--caps=devtools,network", "--viewport-size=1000x700", "--timeout-action=2000")
    async with open_server(*flags, cwd=cwd) as client:
        await client.initialize()
        yield client


@pytest.fixture(autouse=True)
async def reset_emulation(server: StdioClient) -> AsyncIterator[None]:
    yield
    await server.call("browser_navigate", url="about:blank")
    await emulate(server, reset=True)


async def value(server: ServerClient, script: str) -> Any:
    reply = await server.call("browser_evaluate", function=script)
    assert not reply.is_error, reply.text
    return json.loads(reply.sections["Result"])


async def emulate(server: ServerClient, **arguments: Any) -> Reply:
    reply = await server.call("browser_emulate", **arguments)
    assert not reply.is_error, reply.text
    return reply


async def test_a_phone_changes_the_page_and_a_reset_changes_it_back(
    server: StdioClient, site: Site
) -> None:
    url = site.page(MENU, path="/shop")
    shown = await server.call("browser_navigate", url=url)
    assert 'link "About"' in shown.text
    reply = await emulate(server, device="iphone 15")
    assert reply.sections["Result"] == "Emulating: device iPhone 15" + NOTE
    assert 'button "Menu"' in reply.sections["Snapshot"]
    assert 'link "About"' not in reply.sections["Snapshot"]
    clicked = await server.call("browser_click", ref=reply.ref("button", "Menu"))
    assert 'button "Opened"' in clicked.text
    await server.call("browser_reload")
    assert "iPhone" in site.requests("/shop")[-1].headers["User-Agent"]
    reply = await emulate(server, reset=True)
    assert reply.sections["Result"] == NOTHING + NOTE
    assert 'link "About"' in reply.sections["Snapshot"]
    assert await value(server, "[innerWidth, devicePixelRatio]") == [1000, 1]


async def test_a_call_without_arguments_lists_what_is_emulated(
    server: StdioClient, site: Site
) -> None:
    await server.call("browser_navigate", url=site.page("<p>Here</p>"))
    assert (await emulate(server)).text == f"### Result\n{NOTHING}"
    await emulate(server, viewport="500x400", timezone="asia/tokyo", cpuThrottling=2)
    await emulate(server, network={"latencyMs": 5}, geolocation="52.5,13.4", userAgent="Mine")
    assert (await emulate(server)).text == (
        "### Result\nEmulating: viewport 500x400; user agent Mine; geolocation 52.5,13.4 within "
        "10 m; time zone Asia/Tokyo; CPU 2 times slower; network latency 5 ms"
    )
    reply = await emulate(server, viewport=None, geolocation=None, userAgent=None, network=None)
    assert reply.sections["Result"] == (
        "Emulating: time zone Asia/Tokyo; CPU 2 times slower" + NOTE
    )


async def test_a_wrong_argument_changes_nothing(server: StdioClient, site: Site) -> None:
    await server.call("browser_navigate", url=site.page("<p>Here</p>"))
    reply = await server.call("browser_emulate", device="iPhone 155", locale="de-DE")
    assert reply.is_error
    assert reply.sections["Error"].startswith('Unknown device "iPhone 155". Similar names: iPhone')
    reply = await server.call("browser_emulate", network={"latencyMs": -1}, locale="de-DE")
    assert reply.sections["Error"] == (
        "Argument 'network.latencyMs' of browser_emulate must be a number from 0 to 60000, not -1."
    )
    assert NOTHING in (await emulate(server)).text


async def test_offline_is_the_state_of_browser_network_state_set(
    server: StdioClient, site: Site
) -> None:
    url = site.page("<p>Here</p>")
    await emulate(server, network="Slow 4G")
    await server.call("browser_network_state_set", state="offline")
    assert (await emulate(server)).sections["Result"] == "Emulating: network offline"
    failed = await server.call("browser_navigate", url=url)
    assert "(the context is offline)" in failed.sections["Error"]
    await server.call("browser_network_state_set", state="online")
    assert "network Slow 4G (latency 562.5 ms" in (await emulate(server)).text
    await emulate(server, network="Offline")
    assert await value(server, "navigator.onLine") is False
    await emulate(server, network=None)
    assert "Here" in (await server.call("browser_navigate", url=url)).text


async def test_browser_resize_and_the_viewport_replace_each_other(
    server: StdioClient, site: Site
) -> None:
    await server.call("browser_navigate", url=site.page(MENU))
    size = "[innerWidth, devicePixelRatio]"
    await emulate(server, device="Pixel 7")
    await server.call("browser_resize", width=800, height=600)
    assert await value(server, size) == [800, 2.625]
    await emulate(server, locale="de-DE")
    assert await value(server, size) == [800, 2.625]
    await emulate(server, viewport=None)
    assert await value(server, size) == [412, 2.625]


async def test_a_slow_page_is_settled_before_the_reply(server: StdioClient, site: Site) -> None:
    site.respond("/answer", "of the server")
    script = "fetch('/answer').then(r => r.text()).then(t => document.body.append(t))"
    page = await server.call(
        "browser_navigate", url=site.page(f'<button onclick="{script}">Ask</button>')
    )
    await emulate(server, network={"latencyMs": 1000}, cpuThrottling=20)
    reply = await server.call("browser_click", ref=page.ref("button", "Ask"))
    assert "of the server" in reply.sections["Snapshot"]


async def test_an_answer_that_is_missing_because_of_the_cpu_names_the_reason(
    server: StdioClient, site: Site
) -> None:
    script = "const end = Date.now() + 4000; while (Date.now() < end);"
    page = await server.call(
        "browser_navigate", url=site.page(f'<button onclick="{script}">Compute</button>')
    )
    await emulate(server, cpuThrottling=8)
    reply = await server.call("browser_click", ref=page.ref("button", "Compute"))
    assert reply.sections["Error"] == (
        "The page did not answer within 2 s; browser_emulate makes it 8 times slower. Wait with "
        "browser_wait_for, or choose a lower cpuThrottling."
    )
    await server.call("browser_wait_for", time=2.5)


async def test_a_page_with_an_open_dialog_must_be_answered_first(
    server: StdioClient, site: Site
) -> None:
    page = await server.call(
        "browser_navigate", url=site.page('<button onclick="alert(1)">Ask</button>')
    )
    await server.call("browser_click", ref=page.ref("button", "Ask"))
    reply = await server.call("browser_emulate", device="Pixel 7")
    assert 'answer to its "alert" dialog' in reply.sections["Error"]
    await server.call("browser_handle_dialog", accept=True)
    assert NOTHING in (await emulate(server)).text


async def test_a_dialog_of_a_resize_handler_does_not_undo_the_change(
    server: StdioClient, site: Site
) -> None:
    url = site.page("<script>onresize = () => alert('Resized')</script>")
    await server.call("browser_navigate", url=url)
    reply = await server.call(
        "browser_emulate", viewport="500x400", network={"latencyMs": 5}, geolocation="1,2"
    )
    assert '"Resized"' in reply.sections["Modal state"]
    await server.call("browser_handle_dialog", accept=True)
    assert (await emulate(server)).sections["Result"] == (
        "Emulating: viewport 500x400; geolocation 1,2 within 10 m; network latency 5 ms"
    )


async def test_a_later_tab_has_the_device_and_another_context_has_not(
    server: StdioClient, site: Site
) -> None:
    url = site.page(MENU)
    await emulate(server, device="Pixel 7")
    opened = await server.call("browser_tabs", action="new", url=url)
    assert 'button "Menu"' in opened.text
    await server.call("browser_tabs", action="close")
    await server.call("browser_tabs", action="close")
    assert 'button "Menu"' in (await server.call("browser_navigate", url=url)).text
    await server.call("browser_context_create", name="other")
    assert 'link "About"' in (await server.call("browser_navigate", url=url)).text
    await server.call("browser_context_close", name="other")
