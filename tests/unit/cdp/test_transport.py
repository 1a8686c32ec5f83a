"""The WebSocket transport, against a real WebSocket server in this process."""

from __future__ import annotations

import asyncio
import base64
import traceback
from collections.abc import AsyncIterator

import orjson
import pytest
from websockets.asyncio.server import Server, ServerConnection, serve

from cdp_protocol import CallTimeout, Connection, ConnectionLost, EndpointError, WebSocketTransport
from cdp_protocol.wire import websocket


async def serve_socket(socket: ServerConnection) -> None:
    """Do what each message requests."""
    async for message in socket:
        assert isinstance(message, str), "the protocol travels in text frames"
        call = orjson.loads(message)
        match call["method"]:
            case "Test.size":
                result = {"size": len(message), "data": "x" * call["params"].get("wanted", 0)}
                await socket.send(orjson.dumps({"id": call["id"], "result": result}), text=True)
            case "Test.close":
                await socket.close(1001, "shutting down")
            case "Test.break":
                socket.transport.abort()
            case "Test.header":
                assert socket.request is not None
                result = {"x": socket.request.headers.get("X-Token")}
                await socket.send(orjson.dumps({"id": call["id"], "result": result}).decode())


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serve(serve_socket, "127.0.0.1", 0, max_size=None, compression=None) as server:
        yield server


@pytest.fixture
def url(server: Server) -> str:
    return f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def test_messages_of_50_megabytes_are_sent_and_received(url: str) -> None:
    async with Connection.open(url) as connection:
        big = {"wanted": 50_000_000, "pad": "y" * 50_000_000}
        result = await connection.root.send("Test.size", big)

    assert result["size"] > 50_000_000
    assert len(result["data"]) == 50_000_000


async def test_a_call_times_out_even_when_the_browser_reads_nothing(
    url: str, server: Server
) -> None:
    async with Connection.open(url) as connection:
        await connection.root.send("Test.header")
        [socket] = server.connections
        socket.transport.pause_reading()
        with pytest.raises(CallTimeout):
            await connection.root.send("Test.size", {"pad": "y" * 20_000_000}, timeout=0.05)
        socket.transport.resume_reading()


async def test_messages_of_one_round_of_the_event_loop_arrive_in_their_order_each_once() -> None:
    seen: list[str] = []

    async def keep(socket: ServerConnection) -> None:
        async for message in socket:
            assert isinstance(message, str)
            seen.append(message)
            if message == "last":
                await socket.close()

    async with serve(keep, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        transport = await WebSocketTransport.connect(f"ws://127.0.0.1:{port}")
        for number in range(50):
            await transport.send(f"{number}".encode())
        await asyncio.sleep(0)
        await transport.send("last")
        with pytest.raises(ConnectionLost):
            await transport.receive()
        await transport.close()

    assert seen == [*map(str, range(50)), "last"]


async def test_a_message_is_sent_although_the_socket_is_closed_right_after_it() -> None:
    seen: list[str | bytes] = []

    async def keep(socket: ServerConnection) -> None:
        seen.extend([message async for message in socket])

    async with serve(keep, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        transport = await WebSocketTransport.connect(f"ws://127.0.0.1:{port}")
        for number in range(3):
            await transport.send(f"{number}")
        await transport.close()

    assert seen == ["0", "1", "2"]


async def test_sending_into_a_socket_that_the_browser_closed_reports_how_it_ended() -> None:
    async def leave(socket: ServerConnection) -> None:
        await socket.close(1001, "shutting down")

    async with serve(leave, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        transport = await WebSocketTransport.connect(f"ws://127.0.0.1:{port}")
        with pytest.raises(ConnectionLost):
            await transport.receive()
        with pytest.raises(ConnectionLost, match="code 1001, shutting down"):
            await transport.send(b"{}")


async def test_a_message_in_several_frames_arrives_as_one_and_pings_are_answered() -> None:
    async def split(socket: ServerConnection) -> None:
        await socket.send(['{"a":', " 1", "}"])
        await (await socket.ping())
        await socket.send("whole")

    async with serve(split, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        transport = await WebSocketTransport.connect(f"ws://127.0.0.1:{port}")
        assert await transport.receive() == b'{"a": 1}'
        assert await transport.receive() == b"whole"
        await transport.close()


async def test_a_browser_that_does_not_finish_the_closing_handshake_is_disconnected(
    url: str, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "CLOSE_TIMEOUT", 0.05)
    transport = await WebSocketTransport.connect(url)
    await transport.send(orjson.dumps({"id": 1, "method": "Test.size", "params": {}}))
    await transport.receive()
    [socket] = server.connections
    socket.transport.pause_reading()  # so it sees neither a closing frame nor the end

    await transport.close()

    with pytest.raises(ConnectionLost, match="timed out while closing"):
        await transport.receive()
    socket.transport.resume_reading()


async def test_a_close_by_the_browser_reports_its_code_and_reason(url: str) -> None:
    async with Connection.open(url) as connection:
        with pytest.raises(ConnectionLost) as caught:
            await connection.root.send("Test.close")

    assert caught.value.reason == "the browser closed the socket (code 1001, shutting down)"


async def test_a_broken_socket_is_reported_as_such(url: str) -> None:
    async with Connection.open(url) as connection:
        with pytest.raises(ConnectionLost, match=r"Test\.break failed: the socket failed"):
            await connection.root.send("Test.break")


async def test_headers_are_sent_with_the_opening_request(url: str) -> None:
    async with Connection.open(url, headers={"X-Token": "t"}) as connection:
        assert await connection.root.send("Test.header") == {"x": "t"}


@pytest.mark.parametrize(
    ("user", "sent"), [("me:p%40ss", b"me:p@ss"), ("t0ken", b"t0ken:"), ("t0ken:", b"t0ken:")]
)
async def test_user_and_password_of_the_address_are_sent(
    server: Server, url: str, user: str, sent: bytes
) -> None:
    async with Connection.open(url.replace("//", f"//{user}@")) as connection:
        await connection.root.send("Test.header")
        [socket] = server.connections
        assert socket.request is not None
        scheme, _, value = socket.request.headers["Authorization"].partition(" ")
    assert (scheme, base64.b64decode(value)) == ("Basic", sent)


async def test_a_proxy_of_the_environment_is_not_used(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "ws_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")

    async with Connection.open(url) as connection:
        assert await connection.root.send("Test.header") == {"x": None}


async def test_an_opened_connection_can_be_awaited_and_closed_by_hand(url: str) -> None:
    connection = await Connection.open(url, timeout=5.0)

    await connection.close()

    assert connection.timeout == 5.0
    assert connection.lost is not None


async def test_sending_on_a_closed_transport_is_an_error_that_says_so(url: str) -> None:
    transport = await WebSocketTransport.connect(url)
    await transport.close()
    await transport.close()

    with pytest.raises(ConnectionLost):
        await transport.send(b"{}")
    with pytest.raises(ConnectionLost):
        await transport.receive()


async def test_a_refused_connection_is_an_endpoint_error(unused_tcp_port: int) -> None:
    with pytest.raises(EndpointError, match="to a browser at ws://127"):
        await Connection.open(f"ws://127.0.0.1:{unused_tcp_port}")


async def test_a_server_without_websockets_is_an_endpoint_error() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(EndpointError, match="403"):
            await Connection.open(f"ws://127.0.0.1:{port}")


async def test_an_opening_that_takes_too_long_is_an_endpoint_error() -> None:
    async def stay_silent(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await release.wait()
        writer.close()

    release = asyncio.Event()
    async with await asyncio.start_server(stay_silent, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(EndpointError, match=r"no response within 0\.05 s"):
            await Connection.open(f"ws://127.0.0.1:{port}", timeout=0.05)
        release.set()


async def test_an_invalid_websocket_address_is_an_endpoint_error() -> None:
    with pytest.raises(EndpointError):
        await Connection.open("http://127.0.0.1:1")


@pytest.mark.parametrize(("host", "expected"), [("127.0.0.1", "t"), ("localhost", None)])
async def test_headers_follow_a_redirect_to_the_same_host_only(
    server: Server, host: str, expected: str | None
) -> None:
    port = server.sockets[0].getsockname()[1]

    async def send_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert b"X-Token: t" in await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 302 Found\r\nLocation: ws://{host}:{port}/\r\n\r\n".encode())
        writer.close()

    async with await asyncio.start_server(send_on, "127.0.0.1", 0) as gate:
        url = f"ws://127.0.0.1:{gate.sockets[0].getsockname()[1]}/"
        async with Connection.open(url, headers={"X-Token": "t"}) as connection:
            assert await connection.root.send("Test.header") == {"x": expected}


@pytest.mark.parametrize("location", ["/", "http://localhost:1/?token=hush", "ws://a:hush@b:c/"])
async def test_a_redirect_that_cannot_be_followed_is_reported_without_secrets(
    location: str,
) -> None:
    async def send_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 302 Found\r\nLocation: {location}\r\n\r\n".encode())
        writer.close()

    async with await asyncio.start_server(send_on, "127.0.0.1", 0) as gate:
        url = f"ws://127.0.0.1:{gate.sockets[0].getsockname()[1]}/"
        with pytest.raises(EndpointError, match="redirects to") as caught:
            await Connection.open(url)
    assert "hush" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("url", ["ws://u:hush@host:x/", "ws://host/#a?token=hush", "wss:hush"])
async def test_an_invalid_address_is_not_quoted(url: str) -> None:
    with pytest.raises(EndpointError, match="it is not a WebSocket address") as caught:
        await Connection.open(url)
    expected = "".join(traceback.format_exception(caught.value))
    assert "hush" not in expected.replace(str(caught.value), "").replace(url, "")
