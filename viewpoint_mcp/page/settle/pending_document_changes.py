"""Kinds of pending work inside documents: their changes, and extra time for possible changes.

The settler watches the documents by script and reports to these kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_protocol import Session
from viewpoint_mcp.page.settle.pending_kind_base import EventHandler, PendingKindBase

if TYPE_CHECKING:
    from cdp_protocol.types import page
    from viewpoint_mcp.page.settle.pending_work import PendingWork


class DocumentChanges(
    PendingKindBase, signal="still", is_consequence=True, should_delay_next_step=False
):
    """Changes of the document, until they pause.

    The settler watches the documents by script and reports the changes.
    """

    last_change_at = -1.0

    @classmethod
    def list_event_handlers(cls, _: Session) -> tuple[EventHandler, ...]:
        return ()

    @property
    def deadline(self) -> float:
        return self.open_since[""] + self.limits.pause_in_changes

    def note_document_replaced(self) -> None:
        self.end_work()

    def note_change(self, now: float) -> None:
        """Note that the document changed."""
        self.work[FurtherChanges].note_change(now)
        self.last_change_at = now
        self.begin_work(self.open_since.get("", now))

    def note_pause(self, now: float, *, has_loading_sign: bool = False) -> None:
        """Note that the changes paused.

        Args:
            has_loading_sign: Whether a loading sign has appeared since the action began.
        """
        self.end_work()
        self.work[FurtherChanges].note_pause(now, has_loading_sign=has_loading_sign)


class ExpectedConsequence(
    PendingKindBase, signal="change", is_consequence=False, should_delay_next_step=False
):
    """The first consequence of a script: of a timer, or of the handler of a response.

    Any consequence ends it.

    Attributes:
        is_timer_expected: Whether a timer is expected to cause the consequence.
    """

    is_timer_expected = False

    @classmethod
    def list_event_handlers(cls, session: Session) -> tuple[EventHandler, ...]:
        return (
            EventHandler(
                session.Page.navigatedWithinDocument,
                cls._count_same_document_navigation_as_consequence,
            ),
        )

    @property
    def is_over(self) -> bool:
        return not self.open_since or not self.work.is_patient

    @property
    def deadline(self) -> float:
        return min(self.open_since[""] + self.limits.patience, self.work.requests_deadline)

    def note_document_replaced(self) -> None:
        self.end_work()

    def start_expecting(self, now: float, *, is_timer_expected: bool = False) -> None:
        """Note that a script ran, which may change the page now, or later by a timer."""
        self.begin_work(now)
        self.is_timer_expected = is_timer_expected

    def note_script_run(self, now: float) -> None:
        """Note that a script ran during the action; if it had no consequence, expect a timer."""
        if self.work.is_patient and not self.work.has_consequence:
            self.start_expecting(now, is_timer_expected=True)

    def _count_same_document_navigation_as_consequence(
        self, _: page.NavigatedWithinDocumentEvent, now: float
    ) -> None:
        # The page has already rendered the content of the new URL.
        self.work.note_consequence()


class FurtherChanges(
    PendingKindBase, signal="change", is_consequence=False, should_delay_next_step=False
):
    """Further changes after a change by a timer, or while the page shows a loading sign."""

    def __init__(self, work: PendingWork) -> None:
        super().__init__(work)
        self._paused_since: float | None = None
        self._has_loading_sign = False

    @classmethod
    def list_event_handlers(cls, _: Session) -> tuple[EventHandler, ...]:
        return ()

    @property
    def is_over(self) -> bool:
        return not self.open_since or self._paused_since is None or not self.work.is_patient

    @property
    def deadline(self) -> float:
        until = self.open_since[""] + self.limits.patience
        if self._has_loading_sign or self._paused_since is None:
            return until
        return min(until, self._paused_since + self.limits.further_change)

    def note_document_replaced(self) -> None:
        self.end_work()

    def note_change(self, now: float) -> None:
        """Note a change of the document; the first change by a timer begins this wait."""
        expected = self.work[ExpectedConsequence]
        if expected.open_since and expected.is_timer_expected and not self.open_since:
            self.begin_work(now)
        self._paused_since = None

    def note_pause(self, now: float, *, has_loading_sign: bool) -> None:
        """Note that the changes paused; see `DocumentChanges.note_pause`."""
        if has_loading_sign and not self.open_since:
            self.begin_work(now)
        self._paused_since = now
        self._has_loading_sign = has_loading_sign

    def restart_if_loading(self) -> None:
        """Note a response: if the page shows a loading sign, the time starts again.

        Such a page may show the response in several changes.
        """
        if self._has_loading_sign:
            self.end_work()


class BlankDocument(
    PendingKindBase, signal="change", is_consequence=False, should_delay_next_step=False
):
    """A new document that shows nothing yet although its scripts ran.

    Many applications render their content after the load event.
    """

    @classmethod
    def list_event_handlers(cls, _: Session) -> tuple[EventHandler, ...]:
        return ()

    @property
    def is_over(self) -> bool:
        return not self.is_blank or not self.work.is_patient

    @property
    def deadline(self) -> float:
        return self.open_since[""] + self.limits.patience

    def note_document_replaced(self) -> None:
        self.end_work()

    @property
    def is_blank(self) -> bool:
        """Whether the new document showed nothing at the last check."""
        return bool(self.open_since)

    def note_blank_state(self, now: float, *, is_blank: bool) -> None:
        """Note whether the new document is blank; the wait ends when it is not."""
        if not is_blank:
            self.end_work()
        elif not self.is_blank:
            self.begin_work(now)
