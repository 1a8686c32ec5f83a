"""Pending work of the documents themselves, which the settler watches by script and reports: their
changes, and the time that a page is given on a guess.
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

    The settler reports them: it watches the documents by script.
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
            is_busy: Whether a loading sign appeared since the action began.
        """
        self.end()
        self.work[FurtherChanges].rest(now, is_busy=is_busy)


class ExpectedConsequence(
    PendingKind, signal="change", is_consequence=False, should_hold_steps=False
):
    """The first consequence of script that ran: of a timer, or of the handler of a response.

    Any consequence ends it.

    Attributes:
        is_of_timer: Whether a timer is to bring it.
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
        """Note that script ran that may show something now, or later by a timer."""
        self.begin(now)
        self.is_of_timer = of_timer

    def run_script(self, now: float) -> None:
        """Note that script ran during the action. Without a consequence a timer may be pending."""
        if self.work.is_patient and not self.work.has_consequence:
            self.expect(now, of_timer=True)

    def _on_moved(self, _: page.NavigatedWithinDocumentEvent, now: float) -> None:
        self.work.note_consequence()  # what belongs to the new URL was rendered with it


class FurtherChanges(PendingKind, signal="change", is_consequence=False, should_hold_steps=False):
    """Further changes after one that a timer made, or while a loading sign is there."""

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
        """Note a change of the document; the first of a timer begins the steps."""
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
        """Note that a response came: a busy page may show it in steps, and gets the time anew."""
        if self._is_busy:
            self.end()


class BlankDocument(PendingKind, signal="change", is_consequence=False, should_hold_steps=False):
    """A new document whose scripts ran and that shows nothing yet, because many applications render
    after their load.
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
        """Whether the new document showed nothing when the settler last looked at it."""
        return bool(self.open)

    def look(self, now: float, *, is_blank: bool) -> None:
        """Note whether the new document shows nothing."""
        if not is_blank:
            self.end()
        elif not self.is_blank:
            self.begin(now)
