"""The clients that a recorded browser is played to."""

from __future__ import annotations

from websockets.asyncio.server import ServerConnection, serve

from cdp_protocol import WebSocketTransport
from cdp_protocol.recording.replay_clients import SocketClient


async def test_messages_for_one_read_are_written_together() -> None:
    written: list[bytes] = []
    left: list[bool] = []

    async def play(socket: ServerConnection) -> None:
        write = socket.transport.write

        def note(data: bytes) -> None:
            written.append(data)
            write(data)

        socket.transport.write = note  # type: ignore[method-assign, assignment]
        client = SocketClient(socket)
        await client.send([b'{"id":1}', b'{"id":2}'])
        await socket.close()
        await client.send([b"{}"])
        left.append(client.has_disconnected)

    async with serve(play, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        transport = await WebSocketTransport.connect(f"ws://127.0.0.1:{port}")
        received = [await transport.receive() for _ in range(2)]
        await transport.close()

    assert received == [b'{"id":1}', b'{"id":2}']
    assert left == [True]
    assert b'{"id":1}' in written[0]
    assert b'{"id":2}' in written[0]
