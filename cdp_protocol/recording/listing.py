"""Readable listing of a recording: a line for each message, call durations, and a summary."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Final

from cdp_protocol.recording.format import Closed, Entry, Fetched, Opened, Said, Side
from cdp_protocol.wire.codec import encode

_ARROWS: Final = {"client": "→", "browser": "←"}
_SLOWEST: Final = 10
_FAILED: Final = 20
_SESSION: Final = 6  # characters of a CDP session id that are printed


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions that a message must meet to be listed.

    Attributes:
        methods: Patterns such as `Network.*`, of which at least one must match; empty for all
            methods. A response has the method of its command.
        session: A prefix of the CDP session id; "" for all sessions, "-" for the browser session.
        side: The sender; None for both sides.
        connection: The number of the connection; None for all connections.
        only_errors: Whether to list only error responses.
    """

    methods: tuple[str, ...] = ()
    session: str = ""
    side: Side | None = None
    connection: int | None = None
    only_errors: bool = False


@dataclass(slots=True)
class Line:
    """A message and its properties for the listing.

    Attributes:
        number: The number of the entry in the recording, from 1.
        entry: The message.
        method: The method. A response has the method of its command; "" if that is unknown.
        kind: "call", "answer", "error", "event", or "" for any other message.
        content: The parameters, the result or the error.
        seconds: The time between a call and its response, on both lines; None if either is
            missing.
    """

    number: int
    entry: Said
    method: str
    kind: str
    content: Any
    seconds: float | None = None

    @property
    def session(self) -> str:
        """The id of the CDP session; "" for the browser session."""
        return str(self.entry.message.get("sessionId", ""))

    def text(self, width: int) -> str:
        """Return the line as text for a terminal.

        Args:
            width: The maximum number of characters of the content; more are cut off.
        """
        said = self.entry
        content = said.text or encode(self.content).decode()
        if len(content) > width:
            content = f"{content[:width]}… ({len(content) - width} more)"
        took = "" if self.seconds is None else f" {_milliseconds(self.seconds)}"
        what = {"call": "", "answer": " =", "error": " FAILED", "event": "", "": " no message"}
        session = self.session[:_SESSION] or "-"
        return (
            f"{said.time:10.3f} {said.connection} {_ARROWS[said.side]} {session:<{_SESSION}} "
            f"{self.method}{what[self.kind]}{took} {content}"
        )

    def json(self) -> dict[str, Any]:
        """Return the line as a JSON object."""
        return {
            "n": self.number,
            "t": self.entry.time,
            "c": self.entry.connection,
            "from": self.entry.side,
            "session": self.session,
            "method": self.method,
            "kind": self.kind,
            "seconds": self.seconds,
            "content": self.entry.text or self.content,
            "bytes": self.entry.size,
        }


def lines(entries: Iterable[Entry]) -> list[Line]:
    """Return a line for each message, with calls and their responses paired."""
    found: list[Line] = []
    waiting: dict[tuple[int, str, str], Line] = {}
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, Said):
            continue
        line = _line(number, entry)
        key = (entry.connection, line.session, repr(entry.message.get("id")))
        if line.kind == "call":
            waiting[key] = line
        elif line.kind in ("answer", "error") and (call := waiting.pop(key, None)) is not None:
            line.method = call.method
            line.seconds = call.seconds = entry.time - call.entry.time
        found.append(line)
    return found


def passes(line: Line, wanted: Filter) -> bool:
    """Return whether a line meets all conditions of a filter."""
    session = line.session or "-"
    return (
        (not wanted.methods or any(fnmatchcase(line.method, each) for each in wanted.methods))
        and session.startswith(wanted.session)
        and wanted.side in (None, line.entry.side)
        and wanted.connection in (None, line.entry.connection)
        and (not wanted.only_errors or line.kind == "error")
    )


def other(entry: Entry) -> str:
    """Return a line of text for an entry that is not a message."""
    if isinstance(entry, Opened):
        return f"{entry.time:10.3f} {entry.connection} opened {entry.path or 'by pipe'}"
    if isinstance(entry, Closed):
        return f"{entry.time:10.3f} {entry.connection} closed by the {entry.side}: {entry.reason}"
    assert isinstance(entry, Fetched)
    return f"{entry.time:10.3f} - GET {entry.path}: {entry.status}"


@dataclass(slots=True)
class Summary:
    """Statistics of the listed messages of a recording.

    Attributes:
        seconds: The duration of the whole recording.
        connections: The number of connections with listed messages.
        calls: The number of calls by method.
        events: The number of events by method.
        taken: The durations of the answered calls in seconds, by method.
        size: The number of bytes by sender ("client", "browser").
        slowest: The slowest answered calls, slowest first.
        failed: The error responses.
        unanswered: The calls without response.
    """

    seconds: float = 0.0
    connections: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    taken: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    size: Counter[str] = field(default_factory=Counter)
    slowest: list[Line] = field(default_factory=list)
    failed: list[Line] = field(default_factory=list)
    unanswered: list[Line] = field(default_factory=list)

    @classmethod
    def of(cls, listed: list[Line], entries: list[Entry]) -> Summary:
        """Return the summary of the listed lines.

        Args:
            listed: The lines that pass the filter.
            entries: All entries of the recording.
        """
        made = cls(seconds=entries[-1].time if entries else 0.0)
        made.connections = len({line.entry.connection for line in listed})
        for line in listed:
            made.size[line.entry.side] += line.entry.size
            if line.kind == "call":
                made.calls[line.method] += 1
                if line.seconds is None:
                    made.unanswered.append(line)
                else:
                    made.taken[line.method].append(line.seconds)
            elif line.kind == "event":
                made.events[line.method] += 1
        calls = [line for line in listed if line.kind == "call" and line.seconds is not None]
        made.slowest = sorted(calls, key=lambda line: -(line.seconds or 0))[:_SLOWEST]
        made.failed = [line for line in listed if line.kind == "error"]
        return made

    def texts(self) -> Iterator[str]:
        """Yield the lines of the summary for a terminal."""
        yield (
            f"{self.seconds:.3f} s, {self.connections} connections, {self.calls.total()} calls, "
            f"{self.events.total()} events, {_bytes(self.size['client'])} from the client, "
            f"{_bytes(self.size['browser'])} from the browser"
        )
        yield from _counts("Calls", self.calls, self.taken)
        yield from _counts("Events", self.events, {})
        if self.slowest:
            yield "Slowest calls:"
            for line in self.slowest:
                took = _milliseconds(line.seconds or 0)
                yield f"{took:>12}  {line.method} at {line.entry.time:.3f} s"
        if self.failed:
            yield f"Failed calls: {len(self.failed)}"
            for line in self.failed[:_FAILED]:
                message = line.content.get("message", "") if isinstance(line.content, dict) else ""
                yield f"{line.entry.time:12.3f}  {line.method}: {message}"
        if self.unanswered:
            names = Counter(line.method for line in self.unanswered)
            yield f"Never answered: {', '.join(f'{name} ({n})' for name, n in names.items())}"

    def json(self) -> dict[str, Any]:
        """Return the summary as a JSON object."""
        return {
            "seconds": self.seconds,
            "connections": self.connections,
            "calls": dict(self.calls),
            "events": dict(self.events),
            "bytes": dict(self.size),
            "slowest": [line.json() for line in self.slowest],
            "failed": [line.json() for line in self.failed],
            "unanswered": [line.json() for line in self.unanswered],
        }


def _line(number: int, said: Said) -> Line:
    message = said.message
    named = message.get("method")
    method = named if isinstance(named, str) else ""
    if said.side == "client" and method:
        return Line(number, said, method, "call", message.get("params", {}))
    if method:
        return Line(number, said, method, "event", message.get("params", {}))
    if "error" in message:
        return Line(number, said, "", "error", message["error"])
    kind = "answer" if "id" in message else ""
    return Line(number, said, "", kind, message.get("result", {}))


def _counts(title: str, counted: Counter[str], taken: dict[str, list[float]]) -> Iterator[str]:
    if counted:
        yield f"{title}:"
    for name, count in counted.most_common():
        times = taken.get(name)
        mean = f", {_milliseconds(sum(times) / len(times))} each" if times else ""
        yield f"{count:12}  {name}{mean}"


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def _bytes(size: int) -> str:
    for unit, scale in (("MB", 1_000_000), ("kB", 1000)):
        if size >= scale:
            return f"{size / scale:.1f} {unit}"
    return f"{size} bytes"
