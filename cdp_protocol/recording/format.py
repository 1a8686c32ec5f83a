"""The file: JSON lines, the first of which says what it is.

    {"cdp": 1, "product": "Chrome/156.0.8078.79", "protocol": "1.3", "endpoint": "ws://…", "started": "2026-01-31T12:00:00+00:00"}
    {"t": 0.001, "c": 0, "opened": "/devtools/browser/1f3a…"}
    {"t": 0.002, "c": 0, "from": "client", "message": {"id": 1, "method": "Browser.getVersion"}}
    {"t": 0.003, "c": 0, "from": "browser", "message": {"id": 1, "result": {…}}}
    {"t": 0.004, "c": 0, "from": "client", "text": "what is no JSON object"}
    {"t": 0.005, "http": "/json/list", "status": 200, "body": […]}
    {"t": 0.006, "c": 0, "from": "browser", "closed": "the browser closed the socket (code 1001)"}

`t` is seconds since the start, `c` the number of the connection. Readers skip lines of kinds that
they do not know. A file may be compressed by gzip or xz.
"""  # noqa: E501 - the lines are what they are

from __future__ import annotations

import gzip
import lzma
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, Literal, cast

from cdp_protocol.recording.file import refuse_special
from cdp_protocol.wire.codec import decode

VERSION: Final = 1

Side = Literal["client", "browser"]
Message = dict[str, Any]


class RecordingError(Exception):
    """A file is no recording, or none that can be read here. The message is a sentence."""


@dataclass(frozen=True, slots=True)
class Header:
    """What is told of a recording as a whole.

    Attributes:
        product: As `Browser.getVersion` names it; "" if nobody asked.
        protocol: The version of the protocol.
        endpoint: Where the browser was, without secrets.
        started: ISO 8601, UTC.
    """

    product: str = ""
    protocol: str = "1.3"
    endpoint: str = ""
    started: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """A connection began.

    Attributes:
        path: Of the WebSocket; "" if it was a pipe, or is not known.
    """

    time: float
    connection: int
    path: str


@dataclass(frozen=True, slots=True)
class Said:
    """One message.

    Attributes:
        time: Seconds since the start.
        side: Who said it.
        message: {} if it was no JSON object; then it is in `text`.
        size: Bytes of the line.
    """

    time: float
    connection: int
    side: Side
    message: Message
    text: str = ""
    size: int = 0


@dataclass(frozen=True, slots=True)
class Closed:
    """A connection ended.

    Attributes:
        side: Who ended it.
    """

    time: float
    connection: int
    side: Side
    reason: str


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a GET of the browser's HTTP interface was answered.

    Attributes:
        path: Such as /json/version.
        body: What the JSON says, or a text.
    """

    time: float
    path: str
    status: int
    body: Any


Entry = Opened | Said | Closed | Fetched


@dataclass(slots=True)
class Recording:
    """A recording that was read.

    Attributes:
        cut: What is wrong with the file's end, as a sentence; "" if it is whole.
        broken: The numbers of lines before the last that could not be read.
    """

    header: Header
    entries: list[Entry]
    cut: str = ""
    broken: list[int] = field(default_factory=list)

    @property
    def connections(self) -> list[int]:
        """The numbers of the connections that anything is told of, as they first appear."""
        numbers = (each.connection for each in self.entries if not isinstance(each, Fetched))
        return list(dict.fromkeys(numbers))


def read(path: Path) -> Recording:
    """Read a file; what was cut off in the middle of a line is read up to there.

    Raises:
        RecordingError: It is no recording, or one of another version.
        OSError: It cannot be read.
    """
    with opened(path) as file:
        lines = _lines(file)
        recording = Recording(_header(path, next(lines, b"")), [])
        unread = 0
        for number, line in enumerate(lines, start=2):
            if unread:
                recording.broken.append(unread)
                unread = 0
            try:
                entry = entry_of(decode(line), len(line))
            except (ValueError, LookupError, TypeError, AttributeError):
                unread = number
                continue
            if entry is not None:
                recording.entries.append(entry)
    if unread:
        recording.cut = f"The file breaks off in the middle of line {unread}, which was left out."
    return recording


def opened(path: Path) -> IO[bytes]:
    """Open a file that may be compressed.

    Raises:
        OSError: It cannot be read, or is no regular file.
    """
    refuse_special(path)
    with path.open("rb") as file:
        start = file.read(6)
    if start.startswith(b"\x1f\x8b"):
        return cast("IO[bytes]", gzip.open(path))
    if start.startswith(b"\xfd7zXZ\0"):
        return lzma.open(path)
    return path.open("rb")


def entry_of(line: Any, size: int = 0) -> Entry | None:
    """Return what a line says; None if it is of a kind that is not known here.

    Raises:
        LookupError, TypeError, ValueError: It is of a known kind, and wrong.
    """
    time = float(line["t"])
    if "http" in line:
        return Fetched(time, str(line["http"]), int(line["status"]), line.get("body"))
    connection = int(line["c"])
    if "opened" in line:
        return Opened(time, connection, str(line["opened"]))
    side: Side = "client" if line.get("from") == "client" else "browser"
    if "closed" in line:
        return Closed(time, connection, side, str(line["closed"]))
    if "message" in line:
        message = line["message"]
        if not isinstance(message, dict):
            raise TypeError("a message is an object")
        return Said(time, connection, side, message, size=size)
    if "text" in line:
        return Said(time, connection, side, {}, str(line["text"]), size)
    return None


def _header(path: Path, line: bytes) -> Header:
    try:
        said = decode(line)
        version = said["cdp"]
    except (ValueError, LookupError, TypeError):
        raise RecordingError(
            f'{path} is no recording: its first line should be {{"cdp": {VERSION}, …}}.'
        ) from None
    if version != VERSION:
        raise RecordingError(
            f"{path} is a recording of format {version!r}, and this program knows {VERSION} alone. "
            "Record again, or use the version that wrote it."
        )
    told = {name: said.get(name) for name in ("product", "protocol", "endpoint", "started")}
    return Header(**{name: str(value) for name, value in told.items() if value})


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines that are not empty; what cannot be unpacked any more is the end."""
    try:
        for line in file:
            if line := line.strip():
                yield line
    except (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError):
        yield b"{"  # cut off, and told as such
