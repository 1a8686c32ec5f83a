"""Kinds of pending work inside documents: their changes, and extra time for possible changes.

The settler watches the documents by script and reports to these kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_protocol import Session
from viewpoint_mcp.page.settle.pending_kind import PendingKind, Reaction

if TYPE_CHECKING:
    from cdp_protocol.types import page
    from viewpoint_mcp.page.settle.pending import PendingWork


class DocumentChanges(PendingKind, signal="still", is_consequence=True, should_hold_steps=False):
    """Changes of the document, until they pause.

    The settler watches the documents by script and reports the changes.
    """

    last_change = -1.0

    @classmethod
    def reactions(cls, _: Session) -> tuple[Reaction, ...]:
        return ()

    @property
    def deadline(self) -> float:
        return self.open[""] + self.limits.still

    def leave_document(self) -> None:
        self.end()

    def change(self, now: float) -> None:
        """Note that the document changed."""
        self.work[FurtherChanges].change(now)
        self.last_change = now
        self.begin(self.open.get("", now))

    def rest(self, now: float, *, is_busy: bool = False) -> None:
        """Note that the changes paused.

        Args:
            is_busy: Whether a loading sign has appeared since the action began.
        """
        self.end()
        self.work[FurtherChanges].rest(now, is_busy=is_busy)


class ExpectedConsequence(
    PendingKind, signal="change", is_consequence=False, should_hold_steps=False
):
    """The first consequence of a script: of a timer, or of the handler of a response.

    Any consequence ends it.

    Attributes:
        is_of_timer: Whether the consequence is expected from a timer.
    """

    is_of_timer = False

    @classmethod
    def reactions(cls, session: Session) -> tuple[Reaction, ...]:
        return (Reaction(session.Page.navigatedWithinDocument, cls._on_moved),)

    @property
    def is_over(self) -> bool:
        return not self.open or not self.work.is_patient

    @property
    def deadline(self) -> float:
        return min(self.open[""] + self.limits.patience, self.work.following_until)

    def leave_document(self) -> None:
        self.end()

    def expect(self, now: float, *, of_timer: bool = False) -> None:
        """Note that a script ran, which may change the page now, or later by a timer."""
        self.begin(now)
        self.is_of_timer = of_timer

    def run_script(self, now: float) -> None:
        """Note that a script ran during the action; if it had no consequence, expect a timer."""
        if self.work.is_patient and not self.work.has_consequence:
            self.expect(now, of_timer=True)

    def _on_moved(self, _: page.NavigatedWithinDocumentEvent, now: float) -> None:
        # The page has already rendered the content of the new URL.
        self.work.note_consequence()


class FurtherChanges(PendingKind, signal="change", is_consequence=False, should_hold_steps=False):
    """Further changes after a change by a timer, or while the page shows a loading sign."""

    def __init__(self, work: PendingWork) -> None:
        super().__init__(work)
        self._rests_since: float | None = None
        self._is_busy = False

    @classmethod
    def reactions(cls, _: Session) -> tuple[Reaction, ...]:
        return ()

    @property
    def is_over(self) -> bool:
        return not self.open or self._rests_since is None or not self.work.is_patient

    @property
    def deadline(self) -> float:
        until = self.open[""] + self.limits.patience
        if self._is_busy or self._rests_since is None:
            return until
        return min(until, self._rests_since + self.limits.echo)

    def leave_document(self) -> None:
        self.end()

    def change(self, now: float) -> None:
        """Note a change of the document; the first change by a timer begins this wait."""
        expected = self.work[ExpectedConsequence]
        if expected.open and expected.is_of_timer and not self.open:
            self.begin(now)
        self._rests_since = None

    def rest(self, now: float, *, is_busy: bool) -> None:
        """Note that the changes paused; see `DocumentChanges.rest`."""
        if is_busy and not self.open:
            self.begin(now)
        self._rests_since = now
        self._is_busy = is_busy

    def restart(self) -> None:
        """Note a response: if the page shows a loading sign, the time starts again.

        Such a page may show the response in several changes.
        """
        if self._is_busy:
            self.end()


class BlankDocument(PendingKind, signal="change", is_consequence=False, should_hold_steps=False):
    """A new document that shows nothing yet although its scripts ran.

    Many applications render their content after the load event.
    """

    @classmethod
    def reactions(cls, _: Session) -> tuple[Reaction, ...]:
        return ()

    @property
    def is_over(self) -> bool:
        return not self.is_blank or not self.work.is_patient

    @property
    def deadline(self) -> float:
        return self.open[""] + self.limits.patience

    def leave_document(self) -> None:
        self.end()

    @property
    def is_blank(self) -> bool:
        """Whether the new document showed nothing at the last check."""
        return bool(self.open)

    def look(self, now: float, *, is_blank: bool) -> None:
        """Note whether the new document is blank; the wait ends when it is not."""
        if not is_blank:
            self.end()
        elif not self.is_blank:
            self.begin(now)
