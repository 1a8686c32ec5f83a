"""What a reader of replies has missed, because the replies to another reader reported it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from viewpoint_mcp.page.shorten import shorten_url

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page

_MAX_CALLS: Final = 10  # the last ones are listed
_MAX_EVENTS: Final = 50  # lines; the last ones are kept


class MissedEvents:
    """The calls of other readers, and the events that their replies reported.

    Attributes:
        has_other_readers: Whether the session has several readers. If not, nothing is missed.
    """

    def __init__(self) -> None:
        self.has_other_readers = False
        self._calls: dict[str, deque[str]] = {}
        self._call_counts = Counter[str]()
        self._events: list[str] = []
        self._known_documents = WeakKeyDictionary["Page", str]()

    def add_call(self, reader: str, tool_name: str) -> None:
        """Add a call that another reader made."""
        self._calls.setdefault(reader, deque(maxlen=_MAX_CALLS)).append(tool_name)
        self._call_counts[reader] += 1

    def add_events(self, events: str) -> None:
        """Add lines of the section Events."""
        self._events = [*self._events, *events.splitlines()][-_MAX_EVENTS:]

    def describe(self, pages: Iterable[Page], page_with_address: Page | None, events: str) -> str:
        """Return lines of the section Events.

        Args:
            pages: The pages that the reply is about.
            page_with_address: The page whose address the reply shows.
            events: The events that the reply reports anyway.
        """
        lines = [*self._describe_calls(), *self._events]
        for page in pages:
            known = self._known_documents.get(page)
            line = f"- Navigated to {shorten_url(page.url)}"
            if (
                self.has_other_readers
                and known not in (None, page.document_id)
                and page is not page_with_address
                and line not in events.splitlines()
            ):
                lines.append(line)
        return "\n".join(lines)

    def note_reported(self, pages: Iterable[Page]) -> None:
        """Forget what a reply has reported.

        Args:
            pages: The pages that the reply was about.
        """
        self._calls.clear()
        self._call_counts.clear()
        self._events.clear()
        for page in pages:
            self._known_documents[page] = page.document_id

    def _describe_calls(self) -> Iterable[str]:
        for reader, names in self._calls.items():
            earlier = self._call_counts[reader] - len(names)
            more = f"{earlier} more tools, then " if earlier else ""
            yield f"- Meanwhile the {reader} called {more}{', '.join(names)}"
