"""The browser keeps a relay for the proxy of a context, and closes it with the context."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.browser.conftest import settings_in
from viewpoint_mcp.browser.client_workspace import Workspace
from viewpoint_mcp.browser.context import Context, ContextOptions
from viewpoint_mcp.browser.supervisor import BrowserSupervisor
from viewpoint_mcp.config.proxy import parse_proxy
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import BrowserError, CallError

LOCKED = parse_proxy("socks5://joe:hunter2@proxy.example")
WITH_PASSWORD = ContextOptions(proxy=LOCKED)


@pytest.fixture
async def host(chromium: str, tmp_path: Path) -> AsyncIterator[BrowserSupervisor]:
    """A launched browser in which every context uses a proxy with a password."""
    host = BrowserSupervisor(replace(settings_in(tmp_path, chromium), proxy=LOCKED))
    yield host
    await host.close()


@pytest.fixture
async def behind_proxy(host: BrowserSupervisor) -> Workspace:
    """The running workspace of the browser's only client."""
    workspace = host.make_workspace()
    await workspace.get_context()
    return workspace


def endpoint_of(host: BrowserSupervisor) -> str:
    assert host.running_browser is not None
    assert host.running_browser._process is not None
    return host.running_browser._process.websocket_url


def port_of(context: Context) -> int:
    assert context.proxy_route.server is not None
    return int(context.proxy_route.server.rpartition(":")[2])


async def listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except ConnectionError:
        return False
    writer.close()
    return True


async def test_a_relay_ends_with_its_context_and_the_other_relays_stay(launched: Workspace) -> None:
    one = await launched.create_context("one", WITH_PASSWORD)
    two = await launched.create_context("two", WITH_PASSWORD)
    assert port_of(one) != port_of(two)
    await launched.close_context("one")
    assert not await listens(port_of(one))
    assert await listens(port_of(two))
    await launched.close_context("two")
    assert not await listens(port_of(two))


async def test_a_context_without_proxy_has_none(launched: Workspace) -> None:
    context = await launched.create_context("plain", ContextOptions())
    assert context.proxy_route.server is None
    await launched.close_context("plain")


async def test_all_relays_end_with_the_browser(
    host: BrowserSupervisor, behind_proxy: Workspace
) -> None:
    first = await behind_proxy.get_context()
    second = await behind_proxy.create_context("second", host.new_context_options)
    ports = [port_of(first), port_of(second)]
    assert [await listens(port) for port in ports] == [True, True]
    await host.close()
    assert [await listens(port) for port in ports] == [False, False]


async def test_the_first_context_is_restored_with_its_proxy(
    host: BrowserSupervisor, behind_proxy: Workspace
) -> None:
    first = await behind_proxy.get_context()
    await behind_proxy.create_context("second", host.new_context_options)
    await behind_proxy.close_context("default")
    # The browser itself still uses the proxy.
    assert await listens(port_of(first))
    again = await behind_proxy.get_context("default")
    assert again is not first
    assert await listens(port_of(again))


async def test_a_browser_that_does_not_start_leaves_no_relay(tmp_path: Path) -> None:
    executable = tmp_path / "no-browser"
    executable.touch(mode=0o755)
    host = BrowserSupervisor(Settings(executable=executable, sandbox=False, proxy=LOCKED))
    with pytest.raises((BrowserError, OSError)):
        await host.make_workspace().get_context()


@pytest.mark.parametrize(("address", "is_near"), [("127.0.0.1", True), ("0.0.0.0", False)])
async def test_credentials_need_a_browser_on_this_machine(
    host: BrowserSupervisor, behind_proxy: Workspace, address: str, is_near: bool
) -> None:
    # 0.0.0.0 leads to this machine too, although its name does not show it.
    endpoint = endpoint_of(host).replace("127.0.0.1", address)
    attached_to = BrowserSupervisor(Settings(cdp_endpoint=endpoint))
    attached = attached_to.make_workspace()
    try:
        if is_near:
            assert await listens(port_of(await attached.create_context("locked", WITH_PASSWORD)))
        else:
            with pytest.raises(CallError, match="needs a browser on this machine"):
                await attached.create_context("locked", WITH_PASSWORD)
            assert attached.contexts.find("locked") is None
        open_one = ContextOptions(proxy=parse_proxy("proxy.example"))
        assert (await attached.create_context("open", open_one)).proxy_route.server is not None
    finally:
        await attached_to.close()


async def test_a_named_context_of_an_attached_browser_uses_the_configured_proxy(
    host: BrowserSupervisor, behind_proxy: Workspace, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings(cdp_endpoint=endpoint_of(host), isolated=True, proxy=LOCKED)
    attached = BrowserSupervisor(settings)
    assert attached.default_context_proxy is LOCKED
    try:
        assert await listens(port_of(await attached.make_workspace().get_context()))
        assert "--proxy-server" not in caplog.text
    finally:
        await attached.close()


async def test_an_attached_browser_keeps_its_proxy_and_new_contexts_use_the_configured_one(
    host: BrowserSupervisor, behind_proxy: Workspace, caplog: pytest.LogCaptureFixture
) -> None:
    attached = BrowserSupervisor(Settings(cdp_endpoint=endpoint_of(host), proxy=LOCKED))
    workspace = attached.make_workspace()
    try:
        assert (await workspace.get_context()).proxy_route.server is None
        assert "--proxy-server applies only to contexts" in caplog.text
        assert await listens(
            port_of(await workspace.create_context("made", attached.new_context_options))
        )
    finally:
        await attached.close()
