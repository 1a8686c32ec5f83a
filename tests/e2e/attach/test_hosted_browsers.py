"""--cdp-endpoint with the addresses of services that docs/attaching.md names."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.attach.gateway import relaying
from tests.e2e.attach.hosted_browsers import (
    ACCOUNT,
    SESSION,
    TOKEN,
    Browserbase,
    Browserless,
    Cloudflare,
    HostedBrowser,
    SeleniumGrid,
    Steel,
)
from tests.e2e.conftest import StartServer
from tests.e2e.support.users_browser import UserBrowser, run_browser

DEVTOOLS = f"/client/v4/accounts/{ACCOUNT}/browser-rendering/devtools/browser"
BEARER = f"Authorization: Bearer {TOKEN}"
Case = tuple[type[HostedBrowser], str, str]

CASES: list[Any] = [
    (Browserless, f"http://HOST?token={TOKEN}", ""),
    pytest.param((Browserless, f"ws://HOST?token={TOKEN}", ""), marks=pytest.mark.prove),
    pytest.param((Browserless, f"ws://HOST/chromium?token={TOKEN}", ""), marks=pytest.mark.prove),
    pytest.param((Browserless, "ws://HOST", BEARER), marks=pytest.mark.prove),
    pytest.param((Browserless, f"http://{TOKEN}@HOST", ""), marks=pytest.mark.prove),
    pytest.param(
        (SeleniumGrid, f"ws://HOST/session/{SESSION}/se/cdp", ""), marks=pytest.mark.prove
    ),
    pytest.param((Steel, f"ws://HOST?apiKey={TOKEN}", ""), marks=pytest.mark.prove),
    pytest.param(
        (Steel, f"ws://HOST?apiKey={TOKEN}&sessionId={SESSION}", ""), marks=pytest.mark.prove
    ),
    pytest.param(
        (Browserbase, f"ws://HOST?apiKey={TOKEN}&sessionId={SESSION}", ""), marks=pytest.mark.prove
    ),
    (Cloudflare, f"ws://HOST{DEVTOOLS}?keep_alive=600000", BEARER),
    pytest.param((Cloudflare, f"ws://HOST{DEVTOOLS}/{SESSION}", BEARER), marks=pytest.mark.prove),
]


@pytest.fixture(scope="module")
async def hosted(
    executable: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[UserBrowser]:
    """Return the browser behind all gateways of the module."""
    page = "data:text/html,<h1>A hosted page</h1>"
    async with run_browser(executable, tmp_path_factory.mktemp("hosted"), page) as browser:
        yield browser


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0].__name__} {case[1]}")
async def test_a_documented_address_leads_to_the_browser(
    open_server: StartServer, tmp_path: Path, hosted: UserBrowser, case: Case
) -> None:
    service, address, header = case
    async with relaying(service(hosted.websocket_url)) as gateway:
        host = f"127.0.0.1:{gateway.port}"
        # In variables, because other users of the machine can read a command line.
        environment = {"VIEWPOINT_MCP_CDP_ENDPOINT": address.replace("HOST", host)}
        environment |= {"VIEWPOINT_MCP_CDP_HEADER": header} if header else {}
        async with open_server("--log-level=debug", cwd=tmp_path, env=environment) as server:
            shown = await server.call("browser_snapshot")
        assert TOKEN not in server.stderr
    assert "A hosted page" in shown.sections["Snapshot"]


@pytest.mark.prove
@pytest.mark.parametrize(
    ("service", "address"),
    [
        (Browserless, "http://HOST?token=wr0ng-wr0ng"),
        (Steel, "ws://HOST?apiKey=wr0ng-wr0ng"),
        (Cloudflare, f"ws://HOST{DEVTOOLS}"),
    ],
)
async def test_a_service_that_refuses_the_token_is_reported_without_it(
    open_server: StartServer, tmp_path: Path, service: type[HostedBrowser], address: str
) -> None:
    async with relaying(service("ws://127.0.0.1:9/never")) as gateway:
        endpoint = address.replace("HOST", f"127.0.0.1:{gateway.port}")
        async with open_server(f"--cdp-endpoint={endpoint}", cwd=tmp_path) as server:
            reply = await server.call("browser_snapshot")
    assert reply.is_error
    assert "401" in reply.sections["Error"]
    assert "wr0ng" not in reply.text


@pytest.mark.prove
async def test_a_session_that_the_grid_ended_is_reported(
    open_server: StartServer, tmp_path: Path
) -> None:
    async with relaying(SeleniumGrid("ws://127.0.0.1:9/never")) as gateway:
        endpoint = f"ws://127.0.0.1:{gateway.port}/session/ended/se/cdp"
        async with open_server(f"--cdp-endpoint={endpoint}", cwd=tmp_path) as server:
            reply = await server.call("browser_snapshot")
    assert reply.is_error
    assert "HTTP status 404" in reply.sections["Error"]
