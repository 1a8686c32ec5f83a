"""Connecting to a browser by any form of its endpoint: a real HTTP and WebSocket server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from http import HTTPStatus

import orjson
import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from cdp_protocol import CallTimeout, ConnectionLost, EndpointError, connect

PATH = "/devtools/browser/abc"


class Chrome:
    """Answers /json/version, and every command but those of the domain Silent."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.address = ""

    async def serve_socket(self, socket: ServerConnection) -> None:
        async for message in socket:
            call = orjson.loads(message)
            if not call["method"].startswith("Silent."):
                await socket.send(orjson.dumps({"id": call["id"], "result": {}}), text=True)

    def respond(self, socket: ServerConnection, request: Request) -> Response | None:
        self.requests.append(request)
        if request.path != "/json/version":
            return None
        body = orjson.dumps({"webSocketDebuggerUrl": f"ws://{self.address}{PATH}"})
        headers = Headers({"Content-Length": str(len(body)), "Connection": "close"})
        return Response(HTTPStatus.OK.value, "OK", headers, body)


@pytest.fixture
async def chrome() -> AsyncIterator[Chrome]:
    chrome = Chrome()
    async with serve(chrome.serve_socket, "127.0.0.1", 0, process_request=chrome.respond) as server:
        chrome.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield chrome


@pytest.mark.parametrize("form", ["ws://{}" + PATH, "http://{}", "http://{}/", "{}"])
async def test_every_form_of_an_endpoint_leads_to_the_browser(chrome: Chrome, form: str) -> None:
    async with connect(form.format(chrome.address)) as browser:
        assert browser.endpoint == f"ws://{chrome.address}{PATH}"
        assert await browser.send("Browser.getVersion") == {}


async def test_a_port_leads_to_the_browser(chrome: Chrome) -> None:
    async with connect(chrome.address.rpartition(":")[2]) as browser:
        assert await browser.send("Browser.getVersion") == {}


async def test_leaving_the_block_closes_the_connection(chrome: Chrome) -> None:
    async with connect(chrome.address) as browser:
        assert browser.connection.lost is None

    assert isinstance(browser.connection.lost, ConnectionLost)


async def test_an_awaited_connection_is_open_until_it_is_closed(chrome: Chrome) -> None:
    browser = await connect(chrome.address)
    assert await browser.send("Browser.getVersion") == {}

    await browser.close()
    await browser.close()

    with pytest.raises(ConnectionLost, match="this client closed the connection"):
        await browser.Browser.getVersion()


async def test_headers_are_sent_with_every_request(chrome: Chrome) -> None:
    async with connect(chrome.address, headers={"X-Token": "t"}):
        pass

    assert [request.headers["X-Token"] for request in chrome.requests] == ["t", "t"]


async def test_the_proxies_of_the_environment_are_not_used(
    chrome: Chrome, monkeypatch: pytest.MonkeyPatch, unused_tcp_port: int
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "ws_proxy", "socks_proxy"):
        for spelt in (name, name.upper()):
            monkeypatch.setenv(spelt, f"http://127.0.0.1:{unused_tcp_port}")

    async with connect(chrome.address) as browser:
        assert await browser.send("Browser.getVersion") == {}


async def test_the_time_limit_is_that_of_later_calls_too(chrome: Chrome) -> None:
    async with connect(chrome.address, timeout=0.5) as browser:
        browser.connection.timeout /= 10
        with pytest.raises(CallTimeout, match=r"after 0\.05 s"):
            await browser.send("Silent.call")


async def test_without_a_limit_of_the_opening_calls_have_one(chrome: Chrome) -> None:
    async with connect(chrome.address, timeout=None) as browser:
        assert browser.connection.timeout == 30.0


async def test_a_refused_connection_is_an_error_with_advice(unused_tcp_port: int) -> None:
    with pytest.raises(EndpointError) as caught:
        await connect(f"127.0.0.1:{unused_tcp_port}")

    assert str(caught.value).startswith(
        f"Cannot connect to a browser at 127.0.0.1:{unused_tcp_port}: "
    )
    assert "--remote-debugging-port" in str(caught.value)


async def test_attaching_to_a_silent_server_times_out() -> None:
    async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async with await asyncio.start_server(wait, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(EndpointError, match=r"no response within 0\.05 s; if the browser asks"):
            await connect(str(port), timeout=0.05)
