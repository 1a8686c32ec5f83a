"""The file format of recordings: JSON lines, of which the first is a header.

    {"cdp": 1, "product": "Chrome/156.0.8078.79", "protocol": "1.3", "endpoint": "ws://…", "started": "2026-01-31T12:00:00+00:00"}
    {"t": 0.001, "c": 0, "opened": "/devtools/browser/1f3a…"}
    {"t": 0.002, "c": 0, "from": "client", "message": {"id": 1, "method": "Browser.getVersion"}}
    {"t": 0.003, "c": 0, "from": "browser", "message": {"id": 1, "result": {…}}}
    {"t": 0.004, "c": 0, "from": "client", "text": "a message that is not a JSON object"}
    {"t": 0.005, "http": "/json/list", "status": 200, "body": […]}
    {"t": 0.006, "c": 0, "from": "browser", "closed": "the browser closed the socket (code 1001)"}

`t` is the time in seconds since the start of the recording, and `c` is the number of the
connection. Readers skip lines of unknown kinds. A file may be compressed with gzip or xz.
"""  # noqa: E501 - the lines are what they are

from __future__ import annotations

import gzip
import lzma
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, Literal, cast

from cdp_protocol.recording.locked_file import require_regular_file
from cdp_protocol.wire.json_codec import decode

FORMAT_VERSION: Final = 1

Side = Literal["client", "browser"]
Message = dict[str, Any]


class RecordingError(Exception):
    """A file is not a recording, or has an unsupported format version.

    The message is a sentence.
    """


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a recording: facts about the whole recording.

    Attributes:
        product: The browser's name and version, as in the result of `Browser.getVersion`; "" if
            unknown.
        protocol: The version of the protocol.
        endpoint: The address of the browser, with secrets masked.
        started: The start time in ISO 8601 format, in UTC.
    """

    product: str = ""
    protocol: str = "1.3"
    endpoint: str = ""
    started: str = ""


@dataclass(frozen=True, slots=True)
class ConnectionStart:
    """The start of a connection.

    Attributes:
        time: Seconds since the start of the recording.
        connection: The number of the connection.
        path: The path of the WebSocket URL; "" for a pipe or an unknown path.
    """

    time: float
    connection: int
    path: str


@dataclass(frozen=True, slots=True)
class RecordedMessage:
    """One message on a connection.

    Attributes:
        time: Seconds since the start of the recording.
        connection: The number of the connection.
        side: The sender of the message.
        message: The decoded message; {} if it was not a JSON object.
        text: The message as text if it was not a JSON object; otherwise "".
        size: The length in bytes of the line in the file.
    """

    time: float
    connection: int
    side: Side
    message: Message
    text: str = ""
    size: int = 0


@dataclass(frozen=True, slots=True)
class ConnectionEnd:
    """The end of a connection.

    Attributes:
        time: Seconds since the start of the recording.
        connection: The number of the connection.
        side: The side that closed the connection.
        reason: The reason, as a clause.
    """

    time: float
    connection: int
    side: Side
    reason: str


@dataclass(frozen=True, slots=True)
class RecordedHttpResponse:
    """The response to one request to the browser's HTTP interface.

    Attributes:
        time: Seconds since the start of the recording.
        path: The path of the request, such as /json/version.
        status: The HTTP status code.
        body: The decoded JSON value, or the body as text if it was not JSON.
    """

    time: float
    path: str
    status: int
    body: Any


Entry = ConnectionStart | RecordedMessage | ConnectionEnd | RecordedHttpResponse


@dataclass(slots=True)
class Recording:
    """A parsed recording file.

    Attributes:
        header: The first line of the file.
        entries: The other lines, in file order.
        damage: A sentence that describes a damaged end of the file; "" for a complete file.
        unreadable_lines: The numbers of unreadable lines before the last line.
    """

    header: Header
    entries: list[Entry]
    damage: str = ""
    unreadable_lines: list[int] = field(default_factory=list)

    @property
    def connection_numbers(self) -> list[int]:
        """The numbers of all connections in the recording, ordered by first appearance."""
        numbers = (
            each.connection for each in self.entries if not isinstance(each, RecordedHttpResponse)
        )
        return list(dict.fromkeys(numbers))


def read_recording(path: Path) -> Recording:
    """Parse a recording file.

    If the last line is incomplete, return the entries before it and set `Recording.damage`.

    Raises:
        RecordingError: The file is not a recording, or has another format version.
        OSError: The file cannot be read, or is not a regular file.
    """
    with open_decompressed(path) as file:
        lines = _read_nonempty_lines(file)
        recording = Recording(_parse_header(path, next(lines, b"")), [])
        unreadable = 0
        for number, line in enumerate(lines, start=2):
            if unreadable:
                recording.unreadable_lines.append(unreadable)
                unreadable = 0
            try:
                entry = parse_entry(decode(line), len(line))
            except (ValueError, LookupError, TypeError, AttributeError):
                unreadable = number
                continue
            if entry is not None:
                recording.entries.append(entry)
    if unreadable:
        recording.damage = f"The file ends in the middle of line {unreadable}, which is skipped."
    return recording


def open_decompressed(path: Path) -> IO[bytes]:
    """Open a file for reading, and decompress it if it is compressed with gzip or xz.

    Raises:
        OSError: The file cannot be read, or is not a regular file.
    """
    require_regular_file(path)
    with path.open("rb") as file:
        start = file.read(6)
    if start.startswith(b"\x1f\x8b"):
        return cast("IO[bytes]", gzip.open(path))
    if start.startswith(b"\xfd7zXZ\0"):
        return lzma.open(path)
    return path.open("rb")


def parse_entry(line: Any, size: int = 0) -> Entry | None:
    """Return the entry that a decoded line holds, or None if the line has an unknown kind.

    Args:
        line: The decoded JSON value of the line.
        size: The length of the line in bytes.

    Raises:
        LookupError, TypeError, ValueError: A field is missing or has a wrong type.
    """
    time = float(line["t"])
    if "http" in line:
        return RecordedHttpResponse(time, str(line["http"]), int(line["status"]), line.get("body"))
    connection = int(line["c"])
    if "opened" in line:
        return ConnectionStart(time, connection, str(line["opened"]))
    side: Side = "client" if line.get("from") == "client" else "browser"
    if "closed" in line:
        return ConnectionEnd(time, connection, side, str(line["closed"]))
    if "message" in line:
        message = line["message"]
        if not isinstance(message, dict):
            raise TypeError("a message is an object")
        return RecordedMessage(time, connection, side, message, size=size)
    if "text" in line:
        return RecordedMessage(time, connection, side, {}, str(line["text"]), size)
    return None


def _parse_header(path: Path, line: bytes) -> Header:
    try:
        data = decode(line)
        version = data["cdp"]
    except (ValueError, LookupError, TypeError):
        raise RecordingError(
            f'{path} is not a recording. Its first line must be {{"cdp": {FORMAT_VERSION}, …}}.'
        ) from None
    if version != FORMAT_VERSION:
        raise RecordingError(
            f"{path} has format {version!r}, but this program reads only {FORMAT_VERSION}. "
            "Record again, or use the version that wrote it."
        )
    fields = {name: data.get(name) for name in ("product", "protocol", "endpoint", "started")}
    return Header(**{name: str(value) for name, value in fields.items() if value})


def _read_nonempty_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines that are not empty. Damaged compressed data ends the file."""
    try:
        for line in file:
            if line := line.strip():
                yield line
    except (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError):
        yield b"{"  # Invalid JSON, so that `read_recording` reports an incomplete last line.
