"""Recorder of CDP traffic that never delays the recorded connections.

The recorder puts each message into a queue without changing it. A thread masks and writes the
queued messages about fifty times a second, so a slow disk or a large message delays no connection.
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

from cdp_protocol.errors import ConnectionLost, mask_url_secrets
from cdp_protocol.recording.file import claim, clear
from cdp_protocol.recording.format import VERSION, Side
from cdp_protocol.recording.masking import Masking
from cdp_protocol.transport import Transport
from cdp_protocol.wire.codec import decode, encode

log = logging.getLogger(__name__)

_PAUSE = 0.02  # seconds between two writes
_MOST_WAITING = 256 << 20  # limit of bytes in the queue
_AT_ONCE = 1 << 20  # approximate size of one write, in bytes

Line = Callable[[], bytes]


class Recorder:
    """Writer of one recording file.

    `close` writes the queued lines and closes the file. It also runs when the Python interpreter
    exits.

    Args:
        path: The file. Its previous content stays until the first line is recorded. After that,
            only its owner can read it.
        masking: Masks the secrets in all lines.

    Attributes:
        messages: The number of messages passed to `said`.
        failed: The reason, as a clause, if the recording ended early; "" otherwise.

    Raises:
        OSError: The file cannot be written, is not a regular file, or has another writer.
    """

    def __init__(self, path: Path, masking: Masking | None = None) -> None:
        self.path = path
        self.messages = 0
        self.failed = ""
        self._masking = masking or Masking()
        # With a buffer, `close` would write the data again that did not fit on a full disk.
        self._file = os.fdopen(claim(path), "wb", buffering=0)
        self._start = time.monotonic()
        self._connections = 0
        self._waiting = 0  # total bytes put into the queue
        self._written = 0  # total bytes taken from the queue
        self._lines: SimpleQueue[tuple[int, Line]] = SimpleQueue()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._begun = False

    def begin(self, *, product: str = "", protocol: str = "1.3", endpoint: str = "") -> None:
        """Clear the file, and write the header line. Further calls have no effect.

        Args:
            product: The browser's name and version, as in the result of `Browser.getVersion`.
            protocol: The version of the protocol.
            endpoint: The address of the browser. Secrets in it are masked.
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
            "endpoint": mask_url_secrets(endpoint),
            "started": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }
        self._put(0, lambda: encode(header))

    def opened(self, path: str = "") -> int:
        """Record the start of a connection, and return its number.

        Args:
            path: The path of the WebSocket URL; "" for a pipe. The query is not recorded.
        """
        self.begin()
        number = self._connections
        self._connections += 1
        self._note({"c": number}, "opened", path.partition("?")[0])
        return number

    def said(self, connection: int, side: Side, message: bytes | str) -> None:
        """Record a message.

        Args:
            connection: The number that `opened` returned.
            side: The sender of the message.
            message: The encoded message. The caller must not change it afterwards.
        """
        self.messages += 1
        at = time.monotonic() - self._start
        self._put(len(message), lambda: self._line(at, connection, side, message))

    def closed(self, connection: int, side: Side, reason: str) -> None:
        """Record the end of a connection.

        Args:
            connection: The number that `opened` returned.
            side: The side that closed the connection.
            reason: The reason, as a clause. Secrets in it are masked.
        """
        self._note({"c": connection, "from": side}, "closed", mask_url_secrets(reason))

    def fetched(self, path: str, status: int, body: Any) -> None:
        """Record a response of the browser's HTTP interface.

        Args:
            path: The path of the request. The query is not recorded.
            status: The HTTP status code.
            body: The decoded JSON value, or the body as text if it was not JSON.
        """
        self.begin()
        http = mask_url_secrets(path.partition("?")[0])
        self._note({"http": http, "status": status}, "body", body)

    def close(self) -> None:
        """Write the queued lines, and close the file. Further calls have no effect.

        If nothing was recorded, the content of the file does not change.
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
        """Record a line that is not a message, with `value` masked under the key `name`."""
        start = encode({"t": round(time.monotonic() - self._start, 6), **line})[:-1]
        data = encode(value)

        def masked() -> bytes:
            return b'%b,"%b":%b}' % (start, name.encode(), self._masking.data(data))

        self._put(100 + len(data), masked)

    def _put(self, size: int, line: Line) -> None:
        if self.failed or self._closing.is_set():
            return
        if self._thread is None:
            # At exit, Python waits for non-daemon threads before it calls `close`, which ends this
            # thread.
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
        """Yield the next lines of the queue, up to about `_AT_ONCE` bytes."""
        taken = 0
        while taken < _AT_ONCE and not self._lines.empty():  # This thread is the only reader.
            size, line = self._lines.get()
            self._written += size
            taken += size
            yield line() + b"\n"

    def _cut_at(self, whole: int) -> None:
        """Truncate the file to its complete lines, if the file system allows it."""
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
            # Browsers send valid JSON, so only messages of clients are checked.
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
        """Return the text to record for a message that is not a JSON object."""
        if data.startswith(b"{") and self._masking.concerns(data):
            # Secrets can only be located in valid JSON.
            return _left_out(data, "it is no JSON that can be read, and may have secrets in it")
        return self._masking.posted(data.decode(errors="replace"))


def _left_out(data: bytes, reason: object) -> str:
    return f"A message of {len(data)} bytes was left out: {reason}."


class RecordingTransport:
    """A transport that records all messages; see `cdp_protocol.Transport`.

    Args:
        transport: The transport to the browser, a WebSocket or a pipe.
        recorder: Records the messages. Closing this transport does not close the recorder.
        path: The path of the WebSocket URL, for the recording; "" for a pipe.
        early: Messages already received from the browser, oldest first. `receive` returns them
            first.
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
    """Return a transport that wraps another one and records its messages.

    First asks the browser for its version. The header of the recording contains the version. The
    command and its result are not recorded and do not reach the caller.

    Args:
        transport: The transport to the browser.
        recorder: Records the messages.
        url: The WebSocket URL of the transport; "" for a pipe.

    Raises:
        ConnectionLost: The browser closed the connection.

    Source: CDP `Browser.getVersion`.
    """
    await transport.send(b'{"id":0,"method":"Browser.getVersion"}')
    early: list[bytes | str] = []
    while (answer := decode(message := await transport.receive())).get("id") != 0:
        early.append(message)
    version = answer.get("result", {})  # Connected to a single target, the command may fail.
    recorder.begin(
        product=version.get("product", ""),
        protocol=version.get("protocolVersion", "1.3"),
        endpoint=url,
    )
    return RecordingTransport(transport, recorder, path=urlsplit(url).path, early=early)
