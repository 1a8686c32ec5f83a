"""What a browser keeps for the proxies of its contexts, and lets go of with them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.browser.conftest import NO_NETWORK
from viewpoint_mcp.browser.browser import Browser
from viewpoint_mcp.browser.contexts import Context, ContextOptions, Numbers
from viewpoint_mcp.browser.host import BrowserHost
from viewpoint_mcp.browser.process import LaunchOptions
from viewpoint_mcp.browser.proxy.parse import parse_proxy
from viewpoint_mcp.errors import BrowserError, CallError
from viewpoint_mcp.settings import Settings

LOCKED = parse_proxy("socks5://joe:hunter2@proxy.example")
WITH_PASSWORD = ContextOptions(proxy=LOCKED)


@pytest.fixture
async def behind_proxy(chromium: str) -> AsyncIterator[Browser]:
    """A browser of ours whose every context goes through a proxy with a password."""
    options = LaunchOptions(executable=Path(chromium), sandbox=False, extra_args=(NO_NETWORK,))
    browser = await Browser.launch(options, Settings(), Numbers(), WITH_PASSWORD)
    yield browser
    await browser.close()


def port_of(context: Context) -> int:
    assert context.route.server is not None
    return int(context.route.server.rpartition(":")[2])


async def listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except ConnectionError:
        return False
    writer.close()
    return True


async def test_a_relay_goes_with_its_context_and_no_other_does(launched: Browser) -> None:
    one = await launched.create_context("one", WITH_PASSWORD)
    two = await launched.create_context("two", WITH_PASSWORD)
    assert port_of(one) != port_of(two)
    await launched.close_context("one")
    assert not await listens(port_of(one))
    assert await listens(port_of(two))
    await launched.close_context("two")
    assert not await listens(port_of(two))


async def test_a_context_without_proxy_has_none(launched: Browser) -> None:
    context = await launched.create_context("plain")
    assert context.route.server is None
    await launched.close_context("plain")


async def test_all_relays_go_with_the_browser(behind_proxy: Browser) -> None:
    first = behind_proxy.contexts.active
    second = await behind_proxy.create_context("second")
    ports = [port_of(first), port_of(second)]
    assert [await listens(port) for port in ports] == [True, True]
    await behind_proxy.close()
    assert [await listens(port) for port in ports] == [False, False]


async def test_the_first_context_comes_back_with_its_proxy(behind_proxy: Browser) -> None:
    first = behind_proxy.contexts.active
    await behind_proxy.create_context("second")
    await behind_proxy.close_context("default")
    # The browser itself goes on speaking through it.
    assert await listens(port_of(first))
    again = await behind_proxy.context("default")
    assert again is not first
    assert await listens(port_of(again))


async def test_a_browser_that_does_not_start_leaves_no_relay(tmp_path: Path) -> None:
    options = LaunchOptions(executable=tmp_path / "no-browser", sandbox=False)
    with pytest.raises((BrowserError, OSError)):
        await Browser.launch(options, Settings(), Numbers(), WITH_PASSWORD)


@pytest.mark.parametrize(("host", "is_near"), [("127.0.0.1", True), ("0.0.0.0", False)])
async def test_credentials_need_a_browser_on_this_machine(
    behind_proxy: Browser, host: str, is_near: bool
) -> None:
    assert behind_proxy._process is not None
    # 0.0.0.0 leads here, and does not say so.
    endpoint = behind_proxy._process.websocket_url.replace("127.0.0.1", host)
    attached = await Browser.attach(endpoint, Settings(), Numbers(), ContextOptions())
    try:
        if is_near:
            assert await listens(port_of(await attached.create_context("locked", WITH_PASSWORD)))
        else:
            with pytest.raises(CallError, match="needs a browser on this machine"):
                await attached.create_context("locked", WITH_PASSWORD)
            assert attached.contexts.named("locked") is None
        open_one = ContextOptions(proxy=parse_proxy("proxy.example"))
        assert (await attached.create_context("open", open_one)).route.server is not None
    finally:
        await attached.close()


async def test_an_isolated_context_of_an_attached_browser_has_our_proxy(
    behind_proxy: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    assert behind_proxy._process is not None
    endpoint = behind_proxy._process.websocket_url
    host = BrowserHost(Settings(cdp_endpoint=endpoint, isolated=True, proxy=LOCKED))
    assert host.proxy is LOCKED
    try:
        assert await listens(port_of(await host.context()))
        assert "--proxy-server" not in caplog.text
    finally:
        await host.close()


async def test_an_attached_browser_keeps_its_proxy_and_contexts_made_in_it_get_ours(
    behind_proxy: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    assert behind_proxy._process is not None
    host = BrowserHost(Settings(cdp_endpoint=behind_proxy._process.websocket_url, proxy=LOCKED))
    try:
        assert (await host.context()).route.server is None
        assert "--proxy-server holds in the contexts" in caplog.text
        made = await (await host.browser()).create_context("made")
        assert await listens(port_of(made))
    finally:
        await host.close()
