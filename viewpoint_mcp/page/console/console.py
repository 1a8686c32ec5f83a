"""The console messages and uncaught errors of a page. The newest 1000 messages are kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cdp_protocol import Session
from viewpoint_mcp.config.settings import ConsoleLevel
from viewpoint_mcp.page.console import previews
from viewpoint_mcp.page.console.logged_objects import LoggedObjects
from viewpoint_mcp.page.console.previews import LONGEST
from viewpoint_mcp.page.shorten import shorten

if TYPE_CHECKING:
    from cdp_protocol.types.log import EntryAddedEvent, LogEntry
    from cdp_protocol.types.runtime import (
        CallFrame,
        ConsoleAPICalledEvent,
        ExceptionDetails,
        ExceptionThrownEvent,
        RemoteObject,
    )

KEPT: Final = 1000  # messages
_MOST: Final = 2_000_000  # characters of all kept messages
_NEW: Final = 10  # new errors that are kept for the next reply
_LONGEST_URL: Final = 300
_LEVELS: Final[dict[str, ConsoleLevel]] = {
    "error": "error",
    "assert": "error",
    "warning": "warning",
    "debug": "debug",
    "verbose": "debug",
}
_RANKS: Final[dict[ConsoleLevel, int]] = {"error": 0, "warning": 1, "info": 2, "debug": 3}
_KINDS: Final = {"startGroup": "group", "startGroupCollapsed": "group"}
_PLAIN: Final = ("dir", "dirxml", "table")  # kinds without a format string
_UNSAID: Final = ("endGroup",)
_FRAMES: Final = 10  # of a printed stack trace


@dataclass(slots=True)
class Message:
    """One console message.

    Attributes:
        kind: The console method or the level, such as "log", "table" or "error".
        level: The severity.
        text: The rendered arguments.
        url: URL of the script; "" if unknown.
        line: Line in that script, counted from 1; 0 if unknown.
        document: Number of the document that it belongs to. The first one of the tab is 0.
        count: How often the same message occurred in a row.
    """

    kind: str
    level: ConsoleLevel
    text: str
    url: str = ""
    line: int = 0
    document: int = 0
    count: int = 1

    def is_like(self, other: Message) -> bool:
        """Return whether the other message has the same text, kind, source and document."""
        return (self.text, self.line, self.kind, self.url, self.document) == (
            other.text,
            other.line,
            other.kind,
            other.url,
            other.document,
        )

    @property
    def size(self) -> int:
        return len(self.text) + len(self.url)


@dataclass(slots=True)
class Totals:
    """The numbers of messages, including those that are no longer kept."""

    messages: int = 0
    errors: int = 0
    warnings: int = 0

    def add(self, level: ConsoleLevel) -> None:
        self.messages += 1
        self.errors += level == "error"
        self.warnings += level == "warning"


class Console:
    """The console of a tab, with the messages of all frames and workers.

    Attributes:
        messages: The kept messages, oldest first.
        here: Totals of the current document.
        ever: Totals of the tab.
        usual: The default minimum level of the messages in a reply.
    """

    def __init__(self, usual: ConsoleLevel = "info") -> None:
        self.usual = usual
        self.messages: deque[Message] = deque()
        self.here = Totals()
        self.ever = Totals()
        self._size = 0
        self._document = 0
        self._new = Totals()
        self._new_errors: list[Message] = []
        self._more_errors = 0
        self._workers: set[str] = set()
        self._objects = LoggedObjects()

    def subscribe(self, session: Session) -> None:
        """Subscribe to the messages of a CDP session of the page.

        Source: CDP `Runtime.consoleAPICalled`, `Runtime.exceptionThrown`, `Log.entryAdded`.
        """
        session.on(session.Runtime.consoleAPICalled, lambda event: self._called(event, session))
        session.on(session.Runtime.exceptionThrown, lambda event: self._thrown(event, session))
        session.on(session.Log.entryAdded, self._logged)
        session.on_closed(lambda _: self._objects.forget(session))

    def subscribe_worker(self, session: Session) -> None:
        """Subscribe to the messages of a worker.

        The CDP session of the worker reports more details than that of its page.
        """
        self._workers.add(str(session.target_info.get("targetId")))
        self.subscribe(session)

    def enter_document(self) -> None:
        """Note that the tab shows a new document. All kept messages belong to earlier ones."""
        self._document += 1
        self.here = Totals()
        self._new = Totals()

    def take_counts(self) -> tuple[int, int]:
        """Return the numbers of new errors and warnings of this document since the last call."""
        counts = self._new.errors, self._new.warnings
        self._new = Totals()
        return counts

    def take_errors(self, most: int) -> tuple[list[Message], int]:
        """Return the first new errors since the last call, and the number of further new errors.

        An error that repeats counts once.

        Args:
            most: Maximum number of errors to return.
        """
        errors, more = self._new_errors[:most], self._more_errors + len(self._new_errors[most:])
        self._new_errors, self._more_errors = [], 0
        return errors, more

    def select(self, level: ConsoleLevel, *, every_document: bool = False) -> Iterator[Message]:
        """Yield the kept messages of a level and of more severe levels, oldest first.

        Args:
            every_document: Whether to include the messages of earlier documents.
        """
        for message in self.messages:
            if _RANKS[message.level] <= _RANKS[level] and (
                every_document or message.document == self._document
            ):
                yield message

    async def complete(self) -> None:
        """Wait until the objects in the last messages have detailed previews; 2 s at most."""
        await self._objects.wait()

    async def close(self) -> None:
        """Cancel the queries to the page. Idempotent."""
        await self._objects.close()

    def _add(self, message: Message, values: Sequence[RemoteObject] = ()) -> Message:
        """Keep a message, or count it as a repetition of the last one. Return the kept message.

        A message with incomplete previews is never a repetition, because the objects may differ.

        Args:
            values: The logged values, CDP `Runtime.RemoteObject`.
        """
        for totals in (self.here, self.ever, self._new):
            totals.add(message.level)
        last = self.messages[-1] if self.messages else None
        if last and last.is_like(message) and not any(map(previews.is_shallow, values)):
            last.count += 1
            return last
        if message.level == "error":
            if len(self._new_errors) < _NEW:
                self._new_errors.append(message)
            else:
                self._more_errors += 1
        self.messages.append(message)
        self._size += message.size
        while len(self.messages) > KEPT or self._size > _MOST:
            self._size -= self.messages.popleft().size
        return message

    def _retell(self, message: Message, text: str) -> None:
        if any(message is each for each in self.messages):
            self._size += len(text) - len(message.text)
            message.text = text

    def _called(self, event: ConsoleAPICalledEvent, session: Session) -> None:
        kind, args = event["type"], event["args"]
        if kind in _UNSAID:
            return
        frames = event.get("stackTrace", {}).get("callFrames", ())
        place = _place(frames[0]) if frames else ("", 0)
        level = _LEVELS.get(kind, "info")
        message = Message(
            _KINDS.get(kind, kind), level, _said(kind, args, frames), *place, self._document
        )
        message = self._add(message, args)
        if len(message.text) < LONGEST:
            self._objects.came(
                session, args, lambda told: self._retell(message, _said(kind, told, frames))
            )

    def _thrown(self, event: ExceptionThrownEvent, session: Session) -> None:
        details = event["exceptionDetails"]
        thrown = details.get("exception")
        values = [] if thrown is None else [thrown]
        frames = details.get("stackTrace", {}).get("callFrames", ())
        place = _place(details if details.get("url") or not frames else frames[0])

        def text(values: list[RemoteObject]) -> str:
            said = " ".join([str(details["text"]), *map(previews.value, values)])
            has_stack = any(each.get("subtype") == "error" for each in values)
            return shorten(said if has_stack else said + _stack(frames), LONGEST)

        message = Message("error", "error", text(values), *place, self._document)
        message = self._add(message, values)
        self._objects.came(session, values, lambda told: self._retell(message, text(told)))

    def _logged(self, event: EntryAddedEvent) -> None:
        entry = event["entry"]
        if entry.get("workerId") in self._workers:
            return  # the CDP session of the worker reports it
        level = _LEVELS.get(entry["level"], "info")
        text = shorten(str(entry["text"]), LONGEST)
        self._add(Message(entry["level"], level, text, *_place(entry), self._document))


def _said(kind: str, args: Sequence[RemoteObject], frames: Sequence[CallFrame]) -> str:
    text = previews.message(args, formats=kind not in _PLAIN)
    if kind == "assert":
        return "Assertion failed" + ("" if text == "console.assert" else f": {text}")
    return text + _stack(frames) if kind == "trace" else text


def _stack(frames: Sequence[CallFrame]) -> str:
    lines = []
    for frame in frames[:_FRAMES]:
        url, line = _place(frame)
        lines.append(f"\n    at {frame['functionName'][:100] or '(anonymous)'} ({url}:{line})")
    return "".join(lines)


def _place(source: CallFrame | ExceptionDetails | LogEntry) -> tuple[str, int]:
    """Return the URL and the line, counted from 1. CDP counts lines from 0."""
    url = str(source.get("url", ""))
    if len(url) > _LONGEST_URL:
        url = f"{url[:_LONGEST_URL]}…"
    line = source.get("lineNumber")
    return url, 0 if line is None else int(line) + 1
