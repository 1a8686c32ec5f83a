"""The console messages and the requests of pages since the last call of a trace."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from viewpoint_mcp.accessibility.printing.invisible_characters import remove_invisible
from viewpoint_mcp.page.shorten import shorten
from viewpoint_mcp.tools.reply.details.console_errors import render_location
from viewpoint_mcp.tools.reply.details.requests import render_request
from viewpoint_mcp.tools.tracing.traced_call import ConsoleLine, RequestLine

if TYPE_CHECKING:
    from viewpoint_mcp.page.console.console import Console
    from viewpoint_mcp.page.network.request import Request
    from viewpoint_mcp.page.page import Page

T = TypeVar("T")

MAX_LINES: Final = 200
"""Maximum console messages, and maximum requests, of one call. The newest are kept."""

_MAX_TEXT: Final = 2_000  # characters of a console message


class NamedPage(NamedTuple):
    """A page, and the name of its tab; "" for the page that a call acted on."""

    page: Page
    tab: str


@dataclass(slots=True)
class _Mark:
    """What the trace has recorded of a page.

    Attributes:
        message_count: The number of its console messages.
        seen_at: The time of the last look at its requests, seconds of `time.monotonic`.
        running: The recorded requests that had not ended.
    """

    message_count: int = 0
    seen_at: float = 0.0
    running: list[Request] = field(default_factory=list)


class PageActivity:
    """Reads what is new in the consoles and in the request logs of pages."""

    def __init__(self) -> None:
        self._marks: WeakKeyDictionary[Page, _Mark] = WeakKeyDictionary()

    def skip(self, pages: Iterable[Page]) -> None:
        """Skip what the pages have logged and requested so far."""
        for page in pages:
            self._marks[page] = _Mark(page.console.tab_counts.messages, time.monotonic())

    def take_console(self, pages: Iterable[NamedPage], omitted: list[str]) -> list[ConsoleLine]:
        """Return the console messages of the pages since the last call.

        Args:
            omitted: Receives a sentence if some were left out.
        """
        lines = [
            ConsoleLine(level, text, tab)
            for page, tab in pages
            for level, text in self._take_messages(page)
        ]
        return _keep_newest(lines, "console messages", omitted)

    def take_requests(self, pages: Iterable[NamedPage], omitted: list[str]) -> list[RequestLine]:
        """Return the requests of the pages that began since the last call.

        Requests of earlier calls follow once they have ended; see `take_console`.
        """
        lines = [
            RequestLine(
                render_request(request), bool(request.failure) or request.status >= 400, tab
            )
            for page, tab in pages
            for request in self._take_requests(page)
        ]
        return _keep_newest(lines, "requests", omitted)

    def _take_messages(self, page: Page) -> Iterator[tuple[str, str]]:
        mark = self._marks.setdefault(page, _Mark())
        count = page.console.tab_counts.messages
        new, mark.message_count = count - mark.message_count, count
        return reversed([*_render_newest(page.console, new)])

    def _take_requests(self, page: Page) -> list[Request]:
        mark = self._marks.setdefault(page, _Mark())
        log = page.request_log
        since, mark.seen_at = mark.seen_at, time.monotonic()
        new = [each for each in (*log.earlier_requests, *log) if each.recorded_at > since]
        ended = [each for each in mark.running if _has_ended(each)]
        running = [each for each in (*mark.running, *new) if not _has_ended(each)]
        mark.running = running[-MAX_LINES:]
        return [*ended, *new]


def _render_newest(console: Console, count: int) -> Iterator[tuple[str, str]]:
    """Yield the level and text of the newest messages, the newest first.

    Args:
        count: How many messages; equal messages in a row are one.
    """
    for message in reversed(console.messages):
        if count <= 0:
            return
        repetitions = min(message.count, count)
        count -= message.count
        text = shorten(remove_invisible(message.text), _MAX_TEXT)
        suffix = f" (×{repetitions:,})" if repetitions > 1 else ""
        yield message.level, f"{text}{render_location(message)}{suffix}"


def _has_ended(request: Request) -> bool:
    return request.ended_at is not None or bool(request.failure)


def _keep_newest(lines: list[T], what: str, omitted: list[str]) -> list[T]:
    if len(lines) <= MAX_LINES:
        return lines
    omitted.append(f"The first {len(lines) - MAX_LINES:,} {what} are left out.")
    return lines[-MAX_LINES:]
