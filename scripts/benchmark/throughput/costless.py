"""A fake browser that costs nothing: it gives every command the same answer, at once.

With it, the time of a client is the client's own cost. Run as a program it prints its port and
serves until its stdin closes.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
import sys

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
SESSION = b'"sessionId":"S"'
VALUE = b'{"result":{"type":"number","value":1,"description":"1"},"sessionId":"S"}'
INFO = b'{"targetId":"T","type":"page","title":"","url":"","attached":true,"canAccessOpener":false}'
ATTACHED = (
    b'{"method":"Target.attachedToTarget","params":{"sessionId":"S","waitingForDebugger":false,'
    b'"targetInfo":' + INFO + b"}}"
)
ID = re.compile(rb'"id": ?(\d+)')
KEY = re.compile(rb"sec-websocket-key: *([^\r\n]+)", re.IGNORECASE)
CLOSE, PING = 0x8, 0x9


class Costless(asyncio.Protocol):
    """One client. Implements only the WebSocket features that clients of the protocol need."""

    def __init__(self) -> None:
        self._unread = b""
        self._is_open = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport for writing."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer all complete frames in one write."""
        assert self._transport is not None
        data = self._unread + data
        if not self._is_open:
            if b"\r\n\r\n" not in data:
                self._unread = data
                return
            head, _, data = data.partition(b"\r\n\r\n")
            self._transport.write(handshake(head))
            self._is_open = True
        answers = []
        at = 0
        while (end := end_of_frame(data, at)) is not None:
            answers.append(answer(data[at] & 0xF, unmasked(data, at, end)))
            at = end
        self._unread = data[at:]
        self._transport.write(b"".join(answers))


def handshake(head: bytes) -> bytes:
    """The answer to the request that opens a WebSocket."""
    key = KEY.search(head)
    assert key is not None
    accept = base64.b64encode(hashlib.sha1(key[1].strip() + GUID).digest())
    return (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n"
    )


def end_of_frame(data: bytes, at: int) -> int | None:
    """Return the end of the masked frame that begins at an offset; None if it is incomplete."""
    if len(data) < at + 14:
        # No command is so short; closing frames may be, and then nothing is waited for.
        return at + 6 + (data[at + 1] & 0x7F) if len(data) >= at + 6 else None
    length, head = data[at + 1] & 0x7F, 2
    if length >= 126:
        head = 4 if length == 126 else 10
        length = int.from_bytes(data[at + 2 : at + head], "big")
    end = at + head + 4 + length
    return end if len(data) >= end else None


def unmasked(data: bytes, at: int, end: int) -> bytes:
    """The content of a frame."""
    short = data[at + 1] & 0x7F
    begin = at + (6 if short < 126 else 8 if short == 126 else 14)
    length = end - begin
    words = -(-length // 4)
    mask = int.from_bytes(data[begin - 4 : begin] * words, "big") >> (8 * (4 * words - length))
    return (int.from_bytes(data[begin:end], "big") ^ mask).to_bytes(length, "big")


def answer(kind: int, command: bytes) -> bytes:
    """The frames that answer one frame."""
    if kind == CLOSE:
        return frame(command[:2], CLOSE)
    if kind == PING:
        return frame(command, PING + 1)
    number = ID.search(command)
    if number is None:
        return b""
    session = b"," + SESSION if b"sessionId" in command else b""
    before = frame(ATTACHED) if b"Target.attachToTarget" in command else b""
    return before + frame(b'{"id":' + number[1] + b',"result":' + VALUE + session + b"}")


def frame(content: bytes, kind: int = 0x1) -> bytes:
    """Return one unmasked frame of less than 64 KiB."""
    length = len(content)
    size = bytes((length,)) if length < 126 else b"\x7e" + length.to_bytes(2, "big")
    return bytes((0x80 | kind,)) + size + content


async def main() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Costless, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
