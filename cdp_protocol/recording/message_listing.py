"""Readable listing of a recording: a line for each message, call durations, and a summary."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Final

from cdp_protocol.recording.file_format import (
    ConnectionEnd,
    ConnectionStart,
    Entry,
    RecordedHttpResponse,
    RecordedMessage,
    Side,
)
from cdp_protocol.wire.json_codec import encode

_ARROWS: Final = {"client": "→", "browser": "←"}
_MAX_SLOWEST: Final = 10
_MAX_FAILED: Final = 20
_SESSION_ID_LENGTH: Final = 6  # characters of a CDP session id that are printed


@dataclass(frozen=True, slots=True)
class MessageFilter:
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
class MessageLine:
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
    entry: RecordedMessage
    method: str
    kind: str
    content: Any
    seconds: float | None = None

    @property
    def session_id(self) -> str:
        """The id of the CDP session; "" for the browser session."""
        return str(self.entry.message.get("sessionId", ""))

    def as_text(self, width: int) -> str:
        """Return the line as text for a terminal.

        Args:
            width: The maximum number of characters of the content; more are cut off.
        """
        entry = self.entry
        content = entry.text or encode(self.content).decode()
        if len(content) > width:
            content = f"{content[:width]}… ({len(content) - width} more)"
        duration = "" if self.seconds is None else f" {_format_milliseconds(self.seconds)}"
        kind_text = {"call": "", "answer": " =", "error": " FAILED", "event": "", "": " no message"}
        session = self.session_id[:_SESSION_ID_LENGTH] or "-"
        return (
            f"{entry.time:10.3f} {entry.connection} {_ARROWS[entry.side]} "
            f"{session:<{_SESSION_ID_LENGTH}} {self.method}{kind_text[self.kind]}{duration}"
            f" {content}"
        )

    def as_json(self) -> dict[str, Any]:
        """Return the line as a JSON object."""
        return {
            "n": self.number,
            "t": self.entry.time,
            "c": self.entry.connection,
            "from": self.entry.side,
            "session": self.session_id,
            "method": self.method,
            "kind": self.kind,
            "seconds": self.seconds,
            "content": self.entry.text or self.content,
            "bytes": self.entry.size,
        }


def list_messages(entries: Iterable[Entry]) -> list[MessageLine]:
    """Return a line for each message, with calls and their responses paired."""
    lines: list[MessageLine] = []
    waiting_calls: dict[tuple[int, str, str], MessageLine] = {}
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, RecordedMessage):
            continue
        line = _make_line(number, entry)
        key = (entry.connection, line.session_id, repr(entry.message.get("id")))
        if line.kind == "call":
            waiting_calls[key] = line
        elif (
            line.kind in ("answer", "error") and (call := waiting_calls.pop(key, None)) is not None
        ):
            line.method = call.method
            line.seconds = call.seconds = entry.time - call.entry.time
        lines.append(line)
    return lines


def matches_filter(line: MessageLine, conditions: MessageFilter) -> bool:
    """Return whether a line meets all conditions of a filter."""
    session = line.session_id or "-"
    return (
        (
            not conditions.methods
            or any(fnmatchcase(line.method, each) for each in conditions.methods)
        )
        and session.startswith(conditions.session)
        and conditions.side in (None, line.entry.side)
        and conditions.connection in (None, line.entry.connection)
        and (not conditions.only_errors or line.kind == "error")
    )


def format_non_message_entry(entry: Entry) -> str:
    """Return a line of text for an entry that is not a message."""
    if isinstance(entry, ConnectionStart):
        return f"{entry.time:10.3f} {entry.connection} opened {entry.path or 'by pipe'}"
    if isinstance(entry, ConnectionEnd):
        return f"{entry.time:10.3f} {entry.connection} closed by the {entry.side}: {entry.reason}"
    assert isinstance(entry, RecordedHttpResponse)
    return f"{entry.time:10.3f} - GET {entry.path}: {entry.status}"


@dataclass(slots=True)
class Summary:
    """Statistics of the listed messages of a recording.

    Attributes:
        duration: The duration of the whole recording.
        connection_count: The number of connections with listed messages.
        call_counts: The number of calls by method.
        event_counts: The number of events by method.
        durations_by_method: The durations of the answered calls in seconds, by method.
        bytes_by_side: The number of bytes by sender ("client", "browser").
        slowest_calls: The slowest answered calls, slowest first.
        error_responses: The error responses.
        unanswered_calls: The calls without response.
    """

    duration: float = 0.0
    connection_count: int = 0
    call_counts: Counter[str] = field(default_factory=Counter)
    event_counts: Counter[str] = field(default_factory=Counter)
    durations_by_method: defaultdict[str, list[float]] = field(
        default_factory=lambda: defaultdict(list)
    )
    bytes_by_side: Counter[str] = field(default_factory=Counter)
    slowest_calls: list[MessageLine] = field(default_factory=list)
    error_responses: list[MessageLine] = field(default_factory=list)
    unanswered_calls: list[MessageLine] = field(default_factory=list)

    @classmethod
    def from_lines(cls, lines: list[MessageLine], entries: list[Entry]) -> Summary:
        """Return the summary of the listed lines.

        Args:
            lines: The lines that pass the filter.
            entries: All entries of the recording.
        """
        summary = cls(duration=entries[-1].time if entries else 0.0)
        summary.connection_count = len({line.entry.connection for line in lines})
        for line in lines:
            summary.bytes_by_side[line.entry.side] += line.entry.size
            if line.kind == "call":
                summary.call_counts[line.method] += 1
                if line.seconds is None:
                    summary.unanswered_calls.append(line)
                else:
                    summary.durations_by_method[line.method].append(line.seconds)
            elif line.kind == "event":
                summary.event_counts[line.method] += 1
        calls = [line for line in lines if line.kind == "call" and line.seconds is not None]
        summary.slowest_calls = sorted(calls, key=lambda line: -(line.seconds or 0))[:_MAX_SLOWEST]
        summary.error_responses = [line for line in lines if line.kind == "error"]
        return summary

    def text_lines(self) -> Iterator[str]:
        """Yield the lines of the summary for a terminal."""
        yield (
            f"{self.duration:.3f} s, {self.connection_count} connections, "
            f"{self.call_counts.total()} calls, {self.event_counts.total()} events, "
            f"{_format_bytes(self.bytes_by_side['client'])} from the client, "
            f"{_format_bytes(self.bytes_by_side['browser'])} from the browser"
        )
        yield from _format_count_lines("Calls", self.call_counts, self.durations_by_method)
        yield from _format_count_lines("Events", self.event_counts, {})
        if self.slowest_calls:
            yield "Slowest calls:"
            for line in self.slowest_calls:
                duration = _format_milliseconds(line.seconds or 0)
                yield f"{duration:>12}  {line.method} at {line.entry.time:.3f} s"
        if self.error_responses:
            yield f"Failed calls: {len(self.error_responses)}"
            for line in self.error_responses[:_MAX_FAILED]:
                message = line.content.get("message", "") if isinstance(line.content, dict) else ""
                yield f"{line.entry.time:12.3f}  {line.method}: {message}"
        if self.unanswered_calls:
            counts = Counter(line.method for line in self.unanswered_calls)
            calls = ", ".join(f"{name} ({count})" for name, count in counts.items())
            yield f"Calls without response: {calls}"

    def as_json(self) -> dict[str, Any]:
        """Return the summary as a JSON object."""
        return {
            "seconds": self.duration,
            "connections": self.connection_count,
            "calls": dict(self.call_counts),
            "events": dict(self.event_counts),
            "bytes": dict(self.bytes_by_side),
            "slowest": [line.as_json() for line in self.slowest_calls],
            "failed": [line.as_json() for line in self.error_responses],
            "unanswered": [line.as_json() for line in self.unanswered_calls],
        }


def _make_line(number: int, entry: RecordedMessage) -> MessageLine:
    message = entry.message
    name = message.get("method")
    method = name if isinstance(name, str) else ""
    if entry.side == "client" and method:
        return MessageLine(number, entry, method, "call", message.get("params", {}))
    if method:
        return MessageLine(number, entry, method, "event", message.get("params", {}))
    if "error" in message:
        return MessageLine(number, entry, "", "error", message["error"])
    kind = "answer" if "id" in message else ""
    return MessageLine(number, entry, "", kind, message.get("result", {}))


def _format_count_lines(
    title: str, counts: Counter[str], durations: dict[str, list[float]]
) -> Iterator[str]:
    if counts:
        yield f"{title}:"
    for name, count in counts.most_common():
        times = durations.get(name)
        mean = f", {_format_milliseconds(sum(times) / len(times))} each" if times else ""
        yield f"{count:12}  {name}{mean}"


def _format_milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def _format_bytes(size: int) -> str:
    for unit, scale in (("MB", 1_000_000), ("kB", 1000)):
        if size >= scale:
            return f"{size / scale:.1f} {unit}"
    return f"{size} bytes"
