"""--cdp-endpoint through a gateway: a WebSocket that wants a token, and knows little."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from pathlib import Path

import pytest

from tests.e2e.attach.gateway import Relay, relaying
from tests.e2e.conftest import StartServer
from tests.e2e.support.certificates import make_certificate
from tests.e2e.support.client import Reply, ServerClient
from tests.e2e.support.processes import wait_until
from tests.e2e.support.users_browser import UserBrowser
from tests.site import Site

TOKEN, KEY, PASSWORD = "t0ken-t0ken", "k3y-k3y", "passw0rd"
PATH = f"/session/7/se/cdp?token={TOKEN}"
HEADER = f"--cdp-header=X-Key: {KEY}"


@pytest.mark.parametrize("scheme", ["ws", "http"])
async def test_a_token_and_a_header_open_a_gateway_that_has_no_discovery(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, scheme: str
) -> None:
    gateway = Relay(user_browser.websocket_url, path=PATH, header=("X-Key", KEY))
    async with relaying(gateway):
        endpoint = f"--cdp-endpoint={scheme}://127.0.0.1:{gateway.port}{PATH}"
        async with open_server(endpoint, HEADER, cwd=tmp_path) as server:
            shown = await server.call("browser_snapshot")
    assert "My own page" in shown.sections["Snapshot"]
    assert gateway.requested_paths[-1] == PATH


@pytest.mark.prove
@pytest.mark.parametrize("scheme", ["wss", "https"])
async def test_a_gateway_with_tls_must_have_a_trusted_certificate(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, scheme: str
) -> None:
    certificate = make_certificate(tmp_path / "certificate.pem")
    gateway = Relay(user_browser.websocket_url, path=PATH)
    async with relaying(gateway, certificate=certificate):
        endpoint = f"--cdp-endpoint={scheme}://127.0.0.1:{gateway.port}{PATH}"
        async with open_server(endpoint, cwd=tmp_path) as server:
            reply = await server.call("browser_snapshot")
            assert "certificate verify failed" in reply.sections["Error"]
            assert TOKEN not in reply.text
        trusting = {"SSL_CERT_FILE": str(certificate)}
        async with open_server(endpoint, cwd=tmp_path, env=trusting) as server:
            shown = await server.call("browser_snapshot")
    assert "My own page" in shown.sections["Snapshot"]


@pytest.mark.prove
async def test_a_gateway_that_knows_few_methods_is_enough(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser, site: Site
) -> None:
    unknown = ("Browser.setDownloadBehavior", "Target.getBrowserContexts", "Browser.getVersion")
    async with relaying(Relay(user_browser.websocket_url, unknown=unknown)) as gateway:
        endpoint = f"--cdp-endpoint=ws://127.0.0.1:{gateway.port}/"
        async with open_server(endpoint, cwd=tmp_path) as server:
            assert "My own page" in (await server.call("browser_snapshot")).sections["Snapshot"]
            url = site.page("<h1>Ours</h1>")
            reply = await server.call("browser_tabs", action="new", url=url)
            assert "Ours" in reply.sections["Snapshot"]


@pytest.mark.prove
async def test_no_secret_of_an_endpoint_is_reported_or_logged(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser
) -> None:
    gateway = Relay(user_browser.websocket_url, path="/elsewhere")
    async with relaying(gateway):
        for scheme in ("ws", "http"):
            endpoint = f"{scheme}://user:{PASSWORD}@127.0.0.1:{gateway.port}{PATH}"
            flags = (f"--cdp-endpoint={endpoint}", HEADER, "--log-level=debug")
            async with open_server(*flags, cwd=tmp_path) as server:
                reply = await server.call("browser_snapshot")
            assert f"at {scheme}://127.0.0.1:{gateway.port}/session/7/se/cdp?***: " in reply.text
            assert "HTTP status 404" in reply.text
            for secret in (TOKEN, KEY, PASSWORD):
                assert secret not in reply.text
                assert secret not in server.stderr


@pytest.mark.prove
async def test_no_secret_is_logged_during_normal_work(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser
) -> None:
    gateway = Relay(user_browser.websocket_url, path=PATH, header=("X-Key", KEY))
    async with relaying(gateway):
        endpoint = f"ws://user:{PASSWORD}@127.0.0.1:{gateway.port}{PATH}"
        flags = (f"--cdp-endpoint={endpoint}", HEADER, "--log-level=debug")
        async with open_server(*flags, cwd=tmp_path) as server:
            assert not (await server.call("browser_snapshot")).is_error
            gateway.cut()
            await server.call("browser_snapshot")
        for secret in (TOKEN, KEY, PASSWORD):
            assert secret not in server.stderr


async def test_a_refused_client_gets_advice_how_to_authenticate(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser
) -> None:
    gateway = Relay(user_browser.websocket_url, header=("X-Key", "another"))
    async with relaying(gateway):
        endpoint = f"--cdp-endpoint=ws://127.0.0.1:{gateway.port}/"
        async with open_server(endpoint, HEADER, cwd=tmp_path) as server:
            reply = await server.call("browser_snapshot")
    assert reply.is_error
    assert f"HTTP status {HTTPStatus.UNAUTHORIZED.value}" in reply.sections["Error"]
    assert "--cdp-header" in reply.sections["Error"]


async def test_a_connection_that_breaks_is_made_again_and_refs_are_void(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser
) -> None:
    async with (
        relaying(Relay(user_browser.websocket_url)) as gateway,
        open_server(f"--cdp-endpoint=ws://127.0.0.1:{gateway.port}/", cwd=tmp_path) as server,
    ):
        await server.call("browser_snapshot")
        gateway.cut()
        again = await _first_success(server)
        assert "My own page" in again.sections["Snapshot"]
        assert "refs" in again.sections["Events"]
        assert "void" in again.sections["Events"]
        assert "Events" not in (await server.call("browser_snapshot")).sections


@pytest.mark.prove
async def test_a_connection_that_breaks_in_a_call_ends_it_and_the_next_one_works(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser
) -> None:
    async with (
        relaying(Relay(user_browser.websocket_url)) as gateway,
        open_server(f"--cdp-endpoint=ws://127.0.0.1:{gateway.port}/", cwd=tmp_path) as server,
    ):
        await server.call("browser_snapshot")
        before = len(gateway.methods)
        waiting = asyncio.create_task(server.call("browser_wait_for", text="never", within=15))
        await wait_until(lambda: "Runtime.callFunctionOn" in gateway.methods[before:])
        gateway.cut()
        broken = await waiting
        assert broken.is_error
        assert "All refs are void" in broken.sections["Error"]
        again = await server.call("browser_snapshot")
        assert "My own page" in again.sections["Snapshot"]


@pytest.mark.prove
async def test_one_time_limit_covers_the_whole_attach(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser
) -> None:
    async with relaying(Relay(user_browser.websocket_url), is_open=False) as gateway:
        flags = (f"--cdp-endpoint=ws://127.0.0.1:{gateway.port}/", "--cdp-timeout=300")
        async with open_server(*flags, cwd=tmp_path) as server:
            reply = await server.call("browser_snapshot", within=10)
    assert reply.is_error
    assert "no response within 0.3 s" in reply.sections["Error"]


async def _first_success(server: ServerClient) -> Reply:
    """Return the first reply without an error. The first call may be the one that reports the
    loss.
    """
    reply = await server.call("browser_snapshot")
    if reply.is_error:
        assert "All refs are void" in reply.sections["Error"]
        reply = await server.call("browser_snapshot")
    return reply
