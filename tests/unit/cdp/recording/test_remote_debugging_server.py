"""Clients that may connect to a browser through the proxy, and the addresses that it lists."""

from __future__ import annotations

import asyncio

import pytest

from cdp_protocol.recording.file_format import Header, Recording
from cdp_protocol.recording.remote_debugging_server import (
    find_refusal_reason,
    redirect_websocket_urls,
    run_debug_server,
)
from cdp_protocol.recording.replay import ReplayingBrowser


@pytest.mark.parametrize("host", ["127.0.0.1:9222", "localhost", "[::1]:9", "a.localhost:1", ""])
def test_ip_addresses_and_localhost_are_accepted(host: str) -> None:
    assert find_refusal_reason({"Host": host}, ()) is None


@pytest.mark.parametrize("host", ["evil.test", "127.0.0.1.evil.test:9222", "localhost.evil.test"])
def test_a_host_name_that_could_be_anyones_is_refused(host: str) -> None:
    assert "Host header" in (find_refusal_reason({"Host": host}, ()) or "")


@pytest.mark.parametrize("origin", ["https://evil.test", "null", "http://127.0.0.1:8000"])
def test_pages_of_the_web_are_refused(origin: str) -> None:
    headers = {"Host": "127.0.0.1:9222", "Origin": origin}

    assert origin in (find_refusal_reason(headers, ()) or "")
    assert find_refusal_reason(headers, [origin]) is None
    assert find_refusal_reason(headers, ["*"]) is None


@pytest.mark.parametrize("origin", ["devtools://devtools", "http://127.0.0.1:9222"])
def test_devtools_and_local_pages_are_accepted(origin: str) -> None:
    assert find_refusal_reason({"Host": "127.0.0.1:9222", "Origin": origin}, ()) is None


@pytest.mark.parametrize(
    "head",
    [
        "GET /json/version HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: localhost",
        "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://a.test\r\nOrigin: http://b.test",
        "GET //[:: HTTP/1.1\r\nHost: localhost",
        "GET / HTTP/1.1\r\nHost: [::",
        "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://[::",
    ],
)
async def test_a_malformed_request_gets_status_400(
    head: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with run_debug_server(ReplayingBrowser(Recording(Header(), []))) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"{head}\r\n\r\n".encode())
        result = await reader.read()
        writer.close()

    assert result.startswith(b"HTTP/1.1 400")
    assert "Traceback" not in caplog.text


def test_all_listed_addresses_lead_to_the_proxy() -> None:
    page = "127.0.0.1:9222/devtools/page/AB"
    listed = [
        {
            "id": "AB",
            "url": "http://a.test/?ws=1",
            "webSocketDebuggerUrl": f"ws://{page}",
            "devtoolsFrontendUrl": f"/devtools/inspector.html?ws={page}",
        }
    ]

    (shown,) = redirect_websocket_urls(listed, "localhost:1")

    assert shown == {
        "id": "AB",
        "url": "http://a.test/?ws=1",
        "webSocketDebuggerUrl": "ws://localhost:1/devtools/page/AB",
        "devtoolsFrontendUrl": "/devtools/inspector.html?ws=localhost:1/devtools/page/AB",
    }


def test_a_browser_behind_tls_is_spoken_to_without_it_here() -> None:
    version = {"webSocketDebuggerUrl": "wss://far.test/p/devtools/browser/1?token=x"}

    assert redirect_websocket_urls(version, "127.0.0.1:5") == {
        "webSocketDebuggerUrl": "ws://127.0.0.1:5/p/devtools/browser/1?token=x"
    }
