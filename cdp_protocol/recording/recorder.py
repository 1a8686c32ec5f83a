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
from cdp_protocol.recording.file_format import FORMAT_VERSION, Side
from cdp_protocol.recording.locked_file import open_locked, truncate
from cdp_protocol.recording.masking import MessageMasker
from cdp_protocol.transport import Transport
from cdp_protocol.wire.json_codec import decode, encode

log = logging.getLogger(__name__)

_WRITE_INTERVAL = 0.02  # seconds between two writes
_MAX_QUEUED_BYTES = 256 << 20  # limit of bytes in the queue
_WRITE_SIZE = 1 << 20  # approximate size of one write, in bytes

MakeLine = Callable[[], bytes]


class Recorder:
    """Writer of one recording file.

    `close` writes the queued lines and closes the file. It also runs when the Python interpreter
    exits.

    Args:
        path: The file. Its previous content stays until the first line is recorded. After that,
            only its owner can read it.
        masker: Masks the secrets in all lines.

    Attributes:
        message_count: The number of messages passed to `record_message`.
        failure: The reason, as a clause, if the recording ended early; "" otherwise.

    Raises:
        OSError: The file cannot be written, is not a regular file, or has another writer.
    """

    def __init__(self, path: Path, masker: MessageMasker | None = None) -> None:
        self.path = path
        self.message_count = 0
        self.failure = ""
        self._masker = masker or MessageMasker()
        # With a buffer, `close` would write the data again that did not fit on a full disk.
        self._file = os.fdopen(open_locked(path), "wb", buffering=0)
        self._start = time.monotonic()
        self._started = datetime.now(UTC)
        self._connections = 0
        self._queued_bytes = 0  # total bytes put into the queue
        self._dequeued_bytes = 0  # total bytes taken from the queue
        self._queue: SimpleQueue[tuple[int, MakeLine]] = SimpleQueue()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._has_header = False

    def write_header(self, *, product: str = "", protocol: str = "1.3", endpoint: str = "") -> None:
        """Clear the file, and write the header line. Further calls have no effect.

        Args:
            product: The browser's name and version, as in the result of `Browser.getVersion`.
            protocol: The version of the protocol.
            endpoint: The address of the browser. Secrets in it are masked.
        """
        if self._has_header:
            return
        self._has_header = True
        try:
            truncate(self._file.fileno())
        except OSError as error:
            self._store_failure(error)
        header = {
            "cdp": FORMAT_VERSION,
            "product": product,
            "protocol": protocol,
            "endpoint": mask_url_secrets(endpoint),
            "started": self._started.isoformat(timespec="milliseconds"),
        }
        self._enqueue(0, lambda: encode(header))

    def record_connection_start(self, path: str = "") -> int:
        """Record the start of a connection, and return its number.

        Args:
            path: The path of the WebSocket URL; "" for a pipe. The query is not recorded.
        """
        self.write_header()
        number = self._connections
        self._connections += 1
        self._record_with_masked_field({"c": number}, "opened", path.partition("?")[0])
        return number

    def record_message(self, connection: int, side: Side, message: bytes | str) -> None:
        """Record a message.

        Args:
            connection: The number that `record_connection_start` returned.
            side: The sender of the message.
            message: The encoded message. The caller must not change it afterwards.
        """
        self.message_count += 1
        at = time.monotonic() - self._start
        self._enqueue(len(message), lambda: self._encode_message(at, connection, side, message))

    def record_connection_end(self, connection: int, side: Side, reason: str) -> None:
        """Record the end of a connection.

        Args:
            connection: The number that `record_connection_start` returned.
            side: The side that closed the connection.
            reason: The reason, as a clause. Secrets in it are masked.
        """
        self._record_with_masked_field(
            {"c": connection, "from": side}, "closed", mask_url_secrets(reason)
        )

    def record_http_response(self, path: str, status: int, body: Any) -> None:
        """Record a response of the browser's HTTP interface.

        Args:
            path: The path of the request. The query is not recorded.
            status: The HTTP status code.
            body: The decoded JSON value, or the body as text if it was not JSON.
        """
        self.write_header()
        http = mask_url_secrets(path.partition("?")[0])
        self._record_with_masked_field({"http": http, "status": status}, "body", body)

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
            self._store_failure(error)

    def _record_with_masked_field(self, line: dict[str, Any], name: str, value: Any) -> None:
        """Record a line that is not a message, with `value` masked under the key `name`."""
        start = encode({"t": round(time.monotonic() - self._start, 6), **line})[:-1]
        data = encode(value)

        def make_masked_line() -> bytes:
            return b'%b,"%b":%b}' % (start, name.encode(), self._masker.mask_encoded_message(data))

        self._enqueue(100 + len(data), make_masked_line)

    def _enqueue(self, size: int, line: MakeLine) -> None:
        if self.failure or self._closing.is_set():
            return
        if self._thread is None:
            # At exit, Python waits for non-daemon threads before it calls `close`, which ends this
            # thread.
            self._thread = threading.Thread(
                target=self._run_writer_thread, name="cdp-recorder", daemon=True
            )
            self._thread.start()
            atexit.register(self.close)
        self._queued_bytes += size
        if self._queued_bytes - self._dequeued_bytes > _MAX_QUEUED_BYTES:
            self._store_failure(
                OSError("messages arrived faster than they could be masked and written")
            )
        else:
            self._queue.put((size, line))

    def _run_writer_thread(self) -> None:
        try:
            is_closing = False
            while not is_closing:
                is_closing = self._closing.wait(_WRITE_INTERVAL)
                self._write_queued_lines()
        except Exception as error:  # noqa: BLE001 - any error ends only the recording
            self._store_failure(error)

    def _write_queued_lines(self) -> None:
        while batch := b"".join(self._pop_queued_lines()):
            start, written = self._file.tell(), 0
            try:
                while written < len(batch):
                    written += self._file.write(memoryview(batch)[written:])
            except OSError:
                self._truncate_to(start + batch.rfind(b"\n", 0, written) + 1)
                raise

    def _pop_queued_lines(self) -> Iterator[bytes]:
        """Yield the next lines of the queue, up to about `_WRITE_SIZE` bytes.

        The thread is the only reader of the queue, so the queue cannot become empty meanwhile.
        """
        size_so_far = 0
        while size_so_far < _WRITE_SIZE and not self._queue.empty():
            size, line = self._queue.get()
            self._dequeued_bytes += size
            size_so_far += size
            yield line() + b"\n"

    def _truncate_to(self, size: int) -> None:
        """Truncate the file to its complete lines, if the file system allows it."""
        try:
            os.ftruncate(self._file.fileno(), size)
        except OSError as error:
            log.debug("The recording ends in the middle of a line: %s", error)

    def _store_failure(self, error: Exception) -> None:
        if not self.failure:
            self.failure = str(error) or type(error).__name__
            log.warning(
                "The recording %s stopped, but the browser continues: %s", self.path, self.failure
            )

    def _encode_message(
        self, at: float, connection: int, side: Side, message: bytes | str
    ) -> bytes:
        start = b'{"t":%.6f,"c":%d,"from":"%b",' % (at, connection, side.encode())
        data = message.encode(errors="surrogatepass") if isinstance(message, str) else message
        try:
            # Browsers send valid JSON, so only messages of clients are checked.
            if side == "client" and not isinstance(decode(data), dict):
                raise ValueError("no object")
            masked = self._masker.mask_encoded_message(data)
            if not masked.startswith(b"{"):
                raise ValueError("no object")
            if b"\n" in masked or b"\r" in masked:
                masked = encode(decode(masked))
            return b'%b"message":%b}' % (start, masked)
        except ValueError:
            return b'%b"text":%b}' % (start, encode(self._make_text_for_non_object(data)))
        except Exception as error:  # noqa: BLE001 - any error affects only this line
            return b'%b"text":%b}' % (start, encode(_describe_omitted_message(data, error)))

    def _make_text_for_non_object(self, data: bytes) -> str:
        """Return the text to record for a message that is not a JSON object."""
        if data.startswith(b"{") and self._masker.may_contain_secrets(data):
            # Secrets can only be located in valid JSON.
            return _describe_omitted_message(data, "it is not valid JSON, and may contain secrets")
        return self._masker.mask_body(data.decode(errors="replace"))


def _describe_omitted_message(data: bytes, reason: object) -> str:
    return f"A message of {len(data)} bytes was omitted: {reason}."


class RecordingTransport:
    """A transport that records all messages; see `cdp_protocol.Transport`.

    Args:
        transport: The transport to the browser, a WebSocket or a pipe.
        recorder: Records the messages. Closing this transport does not close the recorder.
        path: The path of the WebSocket URL, for the recording; "" for a pipe.
        received_before: Messages already received from the browser, oldest first. `receive` returns
            them first.
    """

    def __init__(
        self,
        transport: Transport,
        recorder: Recorder,
        *,
        path: str = "",
        received_before: Iterable[bytes | str] = (),
    ) -> None:
        self._transport = transport
        self._received_before = deque(received_before)
        self._recorder = recorder
        self._connection = recorder.record_connection_start(path)
        self._has_ended = False

    async def send(self, message: bytes | str) -> None:
        self._recorder.record_message(self._connection, "client", message)
        await self._transport.send(message)

    async def receive(self) -> bytes | str:
        try:
            message = (
                self._received_before.popleft()
                if self._received_before
                else await self._transport.receive()
            )
        except ConnectionLost as error:
            self._record_end("browser", error.reason)
            raise
        self._recorder.record_message(self._connection, "browser", message)
        return message

    async def close(self) -> None:
        self._record_end("client", "this client closed the connection")
        await self._transport.close()

    def _record_end(self, side: Side, reason: str) -> None:
        if not self._has_ended:
            self._has_ended = True
            self._recorder.record_connection_end(self._connection, side, reason)


async def record_transport(transport: Transport, recorder: Recorder, *, url: str = "") -> Transport:
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
    received_before: list[bytes | str] = []
    while (response := decode(message := await transport.receive())).get("id") != 0:
        received_before.append(message)
    version = response.get("result", {})  # Connected to a single target, the command may fail.
    recorder.write_header(
        product=version.get("product", ""),
        protocol=version.get("protocolVersion", "1.3"),
        endpoint=url,
    )
    return RecordingTransport(
        transport, recorder, path=urlsplit(url).path, received_before=received_before
    )
