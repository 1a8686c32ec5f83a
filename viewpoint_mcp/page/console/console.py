"""The console messages and uncaught errors of a page. The newest 1000 messages are kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cdp_protocol import Session
from viewpoint_mcp.config.settings import ConsoleLevel
from viewpoint_mcp.page.console import console_text
from viewpoint_mcp.page.console.console_text import MAX_MESSAGE
from viewpoint_mcp.page.console.logged_objects import LoggedObjects
from viewpoint_mcp.page.console.unreported_messages import UnreportedMessages
from viewpoint_mcp.page.handover.private_time import PrivateTime
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

MAX_MESSAGES: Final = 1000  # messages
_MAX_CHARACTERS: Final = 2_000_000  # characters of all kept messages
_MAX_URL: Final = 300
_LEVELS: Final[dict[str, ConsoleLevel]] = {
    "error": "error",
    "assert": "error",
    "warning": "warning",
    "debug": "debug",
    "verbose": "debug",
}
_RANKS: Final[dict[ConsoleLevel, int]] = {"error": 0, "warning": 1, "info": 2, "debug": 3}
_KINDS: Final = {"startGroup": "group", "startGroupCollapsed": "group"}
_KINDS_WITHOUT_FORMAT: Final = ("dir", "dirxml", "table")  # kinds without a format string
_IGNORED_KINDS: Final = ("endGroup",)
_MAX_STACK_FRAMES: Final = 10  # of a printed stack trace


@dataclass(slots=True)
class ConsoleMessage:
    """One console message.

    Attributes:
        kind: The console method or the level, such as "log", "table" or "error".
        level: The severity.
        text: The rendered arguments.
        url: URL of the script; "" if unknown.
        line: Line in that script, counted from 1; 0 if unknown.
        document_number: Number of the document that it belongs to. The first one of the tab is 0.
        count: How often the same message occurred in a row.
    """

    kind: str
    level: ConsoleLevel
    text: str
    url: str = ""
    line: int = 0
    document_number: int = 0
    count: int = 1

    def is_repetition_of(self, other: ConsoleMessage) -> bool:
        """Return whether the other message has the same text, kind, source and document."""
        return (self.text, self.line, self.kind, self.url, self.document_number) == (
            other.text,
            other.line,
            other.kind,
            other.url,
            other.document_number,
        )

    @property
    def character_count(self) -> int:
        return len(self.text) + len(self.url)


@dataclass(slots=True)
class MessageCounts:
    """The numbers of messages, including those that are no longer kept."""

    messages: int = 0
    errors: int = 0
    warnings: int = 0

    def count_message(self, level: ConsoleLevel) -> None:
        self.messages += 1
        self.errors += level == "error"
        self.warnings += level == "warning"


class Console:
    """The console of a tab, with the messages of all frames and workers.

    While a person acts in the browser, what scripts log and throw is not kept: it may contain what
    the person types.

    Args:
        private_time: The times in which a person acts in the browser context; None for none.

    Attributes:
        messages: The kept messages, oldest first.
        document_counts: Totals of the current document.
        tab_counts: Totals of the tab.
        default_level: The default minimum level of the messages in a reply.
        unreported: The errors and warnings that no reply has reported yet.
    """

    def __init__(
        self, default_level: ConsoleLevel = "info", private_time: PrivateTime | None = None
    ) -> None:
        self._private_time = private_time or PrivateTime()
        self.default_level = default_level
        self.messages: deque[ConsoleMessage] = deque()
        self.document_counts = MessageCounts()
        self.tab_counts = MessageCounts()
        self._size = 0
        self._document_number = 0
        self.unreported = UnreportedMessages()
        self._workers: set[str] = set()
        self._objects = LoggedObjects()

    def subscribe(self, session: Session) -> None:
        """Subscribe to the messages of a CDP session of the page.

        Source: CDP `Runtime.consoleAPICalled`, `Runtime.exceptionThrown`, `Log.entryAdded`.
        """
        session.on(
            session.Runtime.consoleAPICalled, lambda event: self._on_console_called(event, session)
        )
        session.on(
            session.Runtime.exceptionThrown, lambda event: self._on_exception_thrown(event, session)
        )
        session.on(session.Log.entryAdded, self._on_entry_added)
        session.on_closed(lambda _: self._objects.forget_session(session))

    def subscribe_worker(self, session: Session) -> None:
        """Subscribe to the messages of a worker.

        The CDP session of the worker reports more details than that of its page.
        """
        self._workers.add(str(session.target_info.get("targetId")))
        self.subscribe(session)

    def note_new_document(self) -> None:
        """Note that the tab shows a new document. All kept messages belong to earlier ones."""
        self._document_number += 1
        self.document_counts = MessageCounts()
        self.unreported.reset_counts()

    def select_messages(
        self, min_level: ConsoleLevel, *, include_earlier_documents: bool = False
    ) -> Iterator[ConsoleMessage]:
        """Yield the kept messages of a level and of more severe levels, oldest first.

        Args:
            include_earlier_documents: Whether to include the messages of earlier documents.
        """
        for message in self.messages:
            if _RANKS[message.level] <= _RANKS[min_level] and (
                include_earlier_documents or message.document_number == self._document_number
            ):
                yield message

    async def wait_for_previews(self) -> None:
        """Wait until the objects in the last messages have detailed previews; 2 s at most."""
        await self._objects.wait_for_queries()

    async def close(self) -> None:
        """Cancel the queries to the page. Idempotent."""
        await self._objects.close()

    def _add_message(
        self, message: ConsoleMessage, values: Sequence[RemoteObject] = ()
    ) -> ConsoleMessage:
        """Keep a message, or count it as a repetition of the last one. Return the kept message.

        A message with incomplete previews is never a repetition, because the objects may differ.

        Args:
            values: The logged values, CDP `Runtime.RemoteObject`.
        """
        for totals in (self.document_counts, self.tab_counts):
            totals.count_message(message.level)
        if not _is_about_favicon(message):
            self.unreported.add(message)
        last = self.messages[-1] if self.messages else None
        if (
            last
            and last.is_repetition_of(message)
            and not any(map(console_text.is_preview_incomplete, values))
        ):
            last.count += 1
            return last
        self.messages.append(message)
        self._size += message.character_count
        while len(self.messages) > MAX_MESSAGES or self._size > _MAX_CHARACTERS:
            self._size -= self.messages.popleft().character_count
        return message

    def _replace_text(self, message: ConsoleMessage, text: str) -> None:
        if any(message is each for each in self.messages):
            self._size += len(text) - len(message.text)
            message.text = text

    def _on_console_called(self, event: ConsoleAPICalledEvent, session: Session) -> None:
        kind, args = event["type"], event["args"]
        if kind in _IGNORED_KINDS or self._private_time.is_now:
            return
        frames = event.get("stackTrace", {}).get("callFrames", ())
        location = _source_location(frames[0]) if frames else ("", 0)
        level = _LEVELS.get(kind, "info")
        message = ConsoleMessage(
            _KINDS.get(kind, kind),
            level,
            _render_call(kind, args, frames),
            *location,
            self._document_number,
        )
        message = self._add_message(message, args)
        if len(message.text) < MAX_MESSAGE:
            self._objects.query_details(
                session,
                args,
                lambda detailed_values: self._replace_text(
                    message, _render_call(kind, detailed_values, frames)
                ),
            )

    def _on_exception_thrown(self, event: ExceptionThrownEvent, session: Session) -> None:
        if self._private_time.is_now:
            return
        details = event["exceptionDetails"]
        exception = details.get("exception")
        values = [] if exception is None else [exception]
        frames = details.get("stackTrace", {}).get("callFrames", ())
        location = _source_location(details if details.get("url") or not frames else frames[0])

        def text(values: list[RemoteObject]) -> str:
            said = " ".join([str(details["text"]), *map(console_text.render_value, values)])
            has_stack = any(each.get("subtype") == "error" for each in values)
            return shorten(said if has_stack else said + _render_stack(frames), MAX_MESSAGE)

        message = ConsoleMessage("error", "error", text(values), *location, self._document_number)
        message = self._add_message(message, values)
        self._objects.query_details(
            session,
            values,
            lambda detailed_values: self._replace_text(message, text(detailed_values)),
        )

    def _on_entry_added(self, event: EntryAddedEvent) -> None:
        entry = event["entry"]
        if entry.get("workerId") in self._workers:
            return  # the CDP session of the worker reports it
        level = _LEVELS.get(entry["level"], "info")
        text = shorten(str(entry["text"]), MAX_MESSAGE)
        self._add_message(
            ConsoleMessage(
                entry["level"], level, text, *_source_location(entry), self._document_number
            )
        )


def _is_about_favicon(message: ConsoleMessage) -> bool:
    """Return whether an icon is missing that the browser requests, not the page."""
    return message.text.startswith("Failed to load resource") and message.url.endswith(
        "/favicon.ico"
    )


def _render_call(kind: str, args: Sequence[RemoteObject], frames: Sequence[CallFrame]) -> str:
    text = console_text.render_message(args, replace_specifiers=kind not in _KINDS_WITHOUT_FORMAT)
    if kind == "assert":
        return "Assertion failed" + ("" if text == "console.assert" else f": {text}")
    return text + _render_stack(frames) if kind == "trace" else text


def _render_stack(frames: Sequence[CallFrame]) -> str:
    lines = []
    for frame in frames[:_MAX_STACK_FRAMES]:
        url, line = _source_location(frame)
        lines.append(f"\n    at {frame['functionName'][:100] or '(anonymous)'} ({url}:{line})")
    return "".join(lines)


def _source_location(source: CallFrame | ExceptionDetails | LogEntry) -> tuple[str, int]:
    """Return the URL and the line, counted from 1. CDP counts lines from 0."""
    url = str(source.get("url", ""))
    if len(url) > _MAX_URL:
        url = f"{url[:_MAX_URL]}…"
    line = source.get("lineNumber")
    return url, 0 if line is None else int(line) + 1
