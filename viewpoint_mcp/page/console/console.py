"""What the page's scripts said and what went wrong in them, newest 1000 messages."""

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
_MOST: Final = 2_000_000  # characters of all that is kept
_NEW: Final = 10  # errors that are kept to be told by themselves
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
_PLAIN: Final = ("dir", "dirxml", "table")  # whose first argument is no template
_UNSAID: Final = ("endGroup",)
_FRAMES: Final = 10  # of a stack


@dataclass(slots=True)
class Message:
    """One message.

    Attributes:
        kind: What called it, such as "log", "table" or "error".
        line: In the file, counted from 1; 0 when it is not known.
        document: Which document of the tab it belongs to, counted from 0.
        count: How often it was said in a row.
    """

    kind: str
    level: ConsoleLevel
    text: str
    url: str = ""
    line: int = 0
    document: int = 0
    count: int = 1

    def is_like(self, other: Message) -> bool:
        """Whether it says the same in the same place."""
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
    """How many messages there were, those included that are kept no more."""

    messages: int = 0
    errors: int = 0
    warnings: int = 0

    def add(self, level: ConsoleLevel) -> None:
        self.messages += 1
        self.errors += level == "error"
        self.warnings += level == "warning"


class Console:
    """What was said in the tab, in all its frames and workers.

    Attributes:
        messages: The newest.
        here: Totals of the document that is shown.
        ever: Totals of the tab.
        usual: The level that is meant where none is named.
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
        """Hear a process of the page.

        Source: CDP `Runtime.consoleAPICalled`, `Runtime.exceptionThrown`, `Log.entryAdded`.
        """
        session.on(session.Runtime.consoleAPICalled, lambda event: self._called(event, session))
        session.on(session.Runtime.exceptionThrown, lambda event: self._thrown(event, session))
        session.on(session.Log.entryAdded, self._logged)
        session.on_closed(lambda _: self._objects.forget(session))

    def subscribe_worker(self, session: Session) -> None:
        """Hear a worker itself, which tells more than its page tells of it."""
        self._workers.add(str(session.target_info.get("targetId")))
        self.subscribe(session)

    def enter_document(self) -> None:
        """The tab shows another document: what was said is of an earlier one now."""
        self._document += 1
        self.here = Totals()
        self._new = Totals()

    def take_counts(self) -> tuple[int, int]:
        """Return how many errors and warnings of this document came since this was last asked."""
        counts = self._new.errors, self._new.warnings
        self._new = Totals()
        return counts

    def take_errors(self, most: int) -> tuple[list[Message], int]:
        """Return the first errors since this was last asked, and how many more there are; repeats
        count as one.
        """
        errors, more = self._new_errors[:most], self._more_errors + len(self._new_errors[most:])
        self._new_errors, self._more_errors = [], 0
        return errors, more

    def select(self, level: ConsoleLevel, *, every_document: bool = False) -> Iterator[Message]:
        """Return what is kept of a level and the worse ones, oldest first.

        Args:
            every_document: Whether those of earlier documents belong to it.
        """
        for message in self.messages:
            if _RANKS[message.level] <= _RANKS[level] and (
                every_document or message.document == self._document
            ):
                yield message

    async def complete(self) -> None:
        """Wait until the objects in the last messages are told in detail, which takes a moment."""
        await self._objects.wait()

    async def close(self) -> None:
        """Ask the page nothing any more. Idempotent."""
        await self._objects.close()

    def _add(self, message: Message, values: Sequence[RemoteObject] = ()) -> Message:
        """Keep it; returns the one that stands for it. Objects that look alike may not be."""
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
            return  # it tells by itself
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
    """The file and the line, from 1; CDP counts from 0."""
    url = str(source.get("url", ""))
    if len(url) > _LONGEST_URL:
        url = f"{url[:_LONGEST_URL]}…"
    line = source.get("lineNumber")
    return url, 0 if line is None else int(line) + 1
