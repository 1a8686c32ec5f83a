"""Writes a recording while the conversation goes on, and never makes it wait.

What is said goes to a queue as it is. A thread masks it and writes it, some fifty times a second,
so neither a slow disk nor a large message stops those who talk.
"""

from __future__ import annotations

import atexit
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from urllib.parse import urlsplit

from cdp_protocol.errors import ConnectionLost, without_secrets
from cdp_protocol.recording.file import claim, clear
from cdp_protocol.recording.format import VERSION, Side
from cdp_protocol.recording.masking import Masking
from cdp_protocol.transport import Transport
from cdp_protocol.wire.codec import decode, encode

log = logging.getLogger(__name__)

_PAUSE = 0.02  # seconds between two writes
_MOST_WAITING = 256 << 20  # bytes that the masking and the disk may be behind
_AT_ONCE = 1 << 20  # bytes, about, of one write

Line = Callable[[], bytes]


class Recorder:
    """One file, written until `close`; also at the end of the process, whatever its cause.

    Args:
        path: Written anew from the first line on, until which what was in it stays. Readable by
            its owner alone.
        masking: What is left out.

    Attributes:
        messages: How many were taken.
        failed: Why the recording ended early, as a clause; "" while it goes on.

    Raises:
        OSError: The file cannot be written, is no regular one, or is recorded in already.
    """

    def __init__(self, path: Path, masking: Masking | None = None) -> None:
        self.path = path
        self.messages = 0
        self.failed = ""
        self._masking = masking or Masking()
        # Without a buffer: what a full disk did not take would be tried again at the end.
        self._file = os.fdopen(claim(path), "wb", buffering=0)
        self._start = time.monotonic()
        self._connections = 0
        self._waiting = 0  # bytes taken
        self._written = 0  # and done with
        self._lines: SimpleQueue[tuple[int, Line]] = SimpleQueue()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._begun = False

    def begin(self, *, product: str = "", protocol: str = "1.3", endpoint: str = "") -> None:
        """Write the first line; only the first call counts.

        Args:
            product: As `Browser.getVersion` names it.
            protocol: The version of the protocol.
            endpoint: Where the browser is; its secrets are left out.
        """
        if self._begun:
            return
        self._begun = True
        try:
            clear(self._file.fileno())
        except OSError as error:
            self._fail(error)
        header = {
            "cdp": VERSION,
            "product": product,
            "protocol": protocol,
            "endpoint": without_secrets(endpoint),
            "started": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }
        self._put(0, lambda: encode(header))

    def opened(self, path: str = "") -> int:
        """Note a new connection, and return its number.

        Args:
            path: Of its WebSocket.
        """
        self.begin()
        number = self._connections
        self._connections += 1
        self._note({"c": number}, "opened", path.partition("?")[0])
        return number

    def said(self, connection: int, side: Side, message: bytes | str) -> None:
        """Note a message. It must not be changed any more."""
        self.messages += 1
        at = time.monotonic() - self._start
        self._put(len(message), lambda: self._line(at, connection, side, message))

    def closed(self, connection: int, side: Side, reason: str) -> None:
        """Note the end of a connection.

        Args:
            side: Who ended it.
            reason: A clause.
        """
        self._note({"c": connection, "from": side}, "closed", without_secrets(reason))

    def fetched(self, path: str, status: int, body: Any) -> None:
        """Note an answer of the browser's HTTP interface.

        Args:
            body: What the JSON says, or a text.
        """
        self.begin()
        http = without_secrets(path.partition("?")[0])
        self._note({"http": http, "status": status}, "body", body)

    def close(self) -> None:
        """Write what waits, and close the file; any number of times.

        A file in which nothing was begun is left as it was.
        """
        if self._closing.is_set():
            return
        self._closing.set()
        atexit.unregister(self.close)
        if self._thread is not None:
            self._thread.join()
        try:
            self._file.close()
        except OSError as error:
            self._fail(error)

    def _note(self, line: dict[str, Any], name: str, value: Any) -> None:
        """Note what is no message: under a name there is what may have secrets in it."""
        start = encode({"t": round(time.monotonic() - self._start, 6), **line})[:-1]
        data = encode(value)

        def masked() -> bytes:
            return b'%b,"%b":%b}' % (start, name.encode(), self._masking.data(data))

        self._put(100 + len(data), masked)

    def _put(self, size: int, line: Line) -> None:
        if self.failed or self._closing.is_set():
            return
        if self._thread is None:
            # Of the daemon kind, for Python waits for others before it calls `close`.
            self._thread = threading.Thread(target=self._write, name="cdp-recorder", daemon=True)
            self._thread.start()
            atexit.register(self.close)
        self._waiting += size
        if self._waiting - self._written > _MOST_WAITING:
            self._fail(OSError("more was said than could be masked and written in time"))
        else:
            self._lines.put((size, line))

    def _write(self) -> None:
        try:
            ended = False
            while not ended:
                ended = self._closing.wait(_PAUSE)
                self._write_waiting()
        except Exception as error:  # noqa: BLE001 - whatever it is ends the recording alone
            self._fail(error)

    def _write_waiting(self) -> None:
        while batch := b"".join(self._next_lines()):
            start, done = self._file.tell(), 0
            try:
                while done < len(batch):
                    done += self._file.write(memoryview(batch)[done:])
            except OSError:
                self._cut_at(start + batch.rfind(b"\n", 0, done) + 1)
                raise

    def _next_lines(self) -> Iterator[bytes]:
        """Take lines that wait, some at once."""
        taken = 0
        while taken < _AT_ONCE and not self._lines.empty():  # nobody else takes any
            size, line = self._lines.get()
            self._written += size
            taken += size
            yield line() + b"\n"

    def _cut_at(self, whole: int) -> None:
        """Leave no half a line where it can be helped."""
        try:
            os.ftruncate(self._file.fileno(), whole)
        except OSError as error:
            log.debug("The recording ends in the middle of a line: %s", error)

    def _fail(self, error: Exception) -> None:
        if not self.failed:
            self.failed = str(error) or type(error).__name__
            log.warning("The recording %s ends here, the rest goes on: %s", self.path, self.failed)

    def _line(self, at: float, connection: int, side: Side, message: bytes | str) -> bytes:
        start = b'{"t":%.6f,"c":%d,"from":"%b",' % (at, connection, side.encode())
        data = message.encode(errors="surrogatepass") if isinstance(message, str) else message
        try:
            # What browsers say is JSON, and not parsed to prove it.
            if side == "client" and not isinstance(decode(data), dict):
                raise ValueError("no object")
            masked = self._masking.data(data)
            if not masked.startswith(b"{"):
                raise ValueError("no object")
            if b"\n" in masked or b"\r" in masked:
                masked = encode(decode(masked))
            return b'%b"message":%b}' % (start, masked)
        except ValueError:
            return b'%b"text":%b}' % (start, encode(self._text(data)))
        except Exception as error:  # noqa: BLE001 - whatever it is costs this line alone
            return b'%b"text":%b}' % (start, encode(_left_out(data, error)))

    def _text(self, data: bytes) -> str:
        """What is to be kept of what is no JSON object."""
        if data.startswith(b"{") and self._masking.concerns(data):
            # Where in it secrets are cannot be known.
            return _left_out(data, "it is no JSON that can be read, and may have secrets in it")
        return self._masking.posted(data.decode(errors="replace"))


def _left_out(data: bytes, reason: object) -> str:
    return f"A message of {len(data)} bytes was left out: {reason}."


class RecordingTransport:
    """A transport that has all that goes through it noted; see `cdp_protocol.Transport`.

    Args:
        transport: The way to the browser, by WebSocket or by pipe.
        recorder: Noted there; not closed with the transport.
        path: Of its WebSocket, for the recording.
        early: What the browser has said already, oldest first.
    """

    def __init__(
        self,
        transport: Transport,
        recorder: Recorder,
        *,
        path: str = "",
        early: Iterable[bytes | str] = (),
    ) -> None:
        self._transport = transport
        self._early = deque(early)
        self._recorder = recorder
        self._number = recorder.opened(path)
        self._over = False

    async def send(self, message: bytes | str) -> None:
        self._recorder.said(self._number, "client", message)
        await self._transport.send(message)

    async def receive(self) -> bytes | str:
        try:
            message = self._early.popleft() if self._early else await self._transport.receive()
        except ConnectionLost as error:
            self._end("browser", error.reason)
            raise
        self._recorder.said(self._number, "browser", message)
        return message

    async def close(self) -> None:
        self._end("client", "this client closed the connection")
        await self._transport.close()

    def _end(self, side: Side, reason: str) -> None:
        if not self._over:
            self._over = True
            self._recorder.closed(self._number, side, reason)


async def recorded(transport: Transport, recorder: Recorder, *, url: str = "") -> Transport:
    """Have all that goes through a transport recorded from now on.

    Asks the browser for its version, which the recording begins with and nothing else hears of.

    Args:
        url: The WebSocket address that it goes to; "" for a pipe.

    Raises:
        ConnectionLost: The browser is gone.

    Source: CDP `Browser.getVersion`.
    """
    await transport.send(b'{"id":0,"method":"Browser.getVersion"}')
    early: list[bytes | str] = []
    while (answer := decode(message := await transport.receive())).get("id") != 0:
        early.append(message)
    version = answer.get("result", {})  # a target has none
    recorder.begin(
        product=version.get("product", ""),
        protocol=version.get("protocolVersion", "1.3"),
        endpoint=url,
    )
    return RecordingTransport(transport, recorder, path=urlsplit(url).path, early=early)
