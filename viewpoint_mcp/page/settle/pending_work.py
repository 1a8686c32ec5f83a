"""State machine that decides what to wait for after an action.

The machine is pure: events and times are its input, the next wait is its output. Events may come in
any order. Times are seconds of one monotonic clock.

To add a kind of pending work, write its class in a module of this package, add a field to
`SettleLimits`, and put the class into `KINDS`.
"""

from __future__ import annotations

from typing import TypeVar

from viewpoint_mcp.page.settle.page_network_state import PageNetworkState
from viewpoint_mcp.page.settle.pending_document_changes import (
    BlankDocument,
    DocumentChanges,
    ExpectedConsequence,
    FurtherChanges,
)
from viewpoint_mcp.page.settle.pending_downloads import Downloads
from viewpoint_mcp.page.settle.pending_kind_base import DONE, PendingKindBase, Wait
from viewpoint_mcp.page.settle.pending_navigations import Navigation, RequestedNavigation
from viewpoint_mcp.page.settle.pending_popups import Popups
from viewpoint_mcp.page.settle.pending_requests import Requests
from viewpoint_mcp.page.settle.settle_limits import SettleLimits

K = TypeVar("K", bound=PendingKindBase)

KINDS: tuple[type[PendingKindBase], ...] = (
    Navigation,
    RequestedNavigation,
    DocumentChanges,
    Requests,
    Popups,
    Downloads,
    ExpectedConsequence,
    FurtherChanges,
    BlankDocument,
)
"""Settling waits for the first kind in this list that is not over and before its deadline."""


class PendingWork:
    """The work that one action has caused so far; `work[Requests]` is the work of one kind.

    Args:
        started_at: Time when the action began.
        limits: Maximum waits.
        network_state: State of the page, kept since before the action.
        is_patient: Whether a script without a visible consequence gets time to have one. False for
            `browser_evaluate`, which always runs script.

    Attributes:
        is_navigation_overdue: Whether a navigation passed its deadline.
        is_interrupted: Whether a dialog, a crash or the end of the page ended all waiting.
    """

    def __init__(
        self,
        started_at: float,
        limits: SettleLimits,
        network_state: PageNetworkState,
        *,
        is_patient: bool = True,
    ) -> None:
        self.limits = limits
        self.network_state = network_state
        self.is_patient = is_patient
        self.is_navigation_overdue = False
        self.is_interrupted = False
        self._requests_since = started_at
        self._kinds = {kind: kind(self) for kind in KINDS}

    def __getitem__(self, kind: type[K]) -> K:
        pending = self._kinds[kind]
        assert isinstance(pending, kind)
        return pending

    @property
    def requests_deadline(self) -> float:
        """Time until which all requests and their consequences together are followed.

        The time starts again when a new document has loaded.
        """
        return self._requests_since + self.limits.all_requests

    @property
    def has_consequence(self) -> bool:
        """Whether the action has had a consequence."""
        return any(kind.is_consequence and kind.has_occurred for kind in self._kinds.values())

    @property
    def is_navigating(self) -> bool:
        """Whether a navigation of the main frame is requested or in progress."""
        return self[RequestedNavigation].is_requested or not self[Navigation].is_over

    @property
    def unanswered_urls(self) -> list[str]:
        """The URLs, without query, of the requests for which settling timed out."""
        return [] if self.is_interrupted else self[Requests].unanswered_urls

    def note_consequence(self) -> None:
        """Stop expecting a consequence, because one came."""
        self[ExpectedConsequence].end_work()

    def note_document_replaced(self) -> None:
        """Pass the replacement of the document to all kinds, because a new one was committed."""
        for kind in self._kinds.values():
            kind.note_document_replaced()

    def interrupt(self) -> None:
        """End all waiting, because of a dialog, a crash or the end of the page."""
        self.is_interrupted = True

    def note_if_new_document_loaded(self, now: float) -> bool:
        """Note another document that the action led to and that has loaded; return whether it has.

        Returns:
            True once for each new document.
        """
        navigation = self[Navigation]
        if not navigation.has_new_document or self.next_wait(now).signal == "events":
            return False
        if self.is_navigation_overdue:
            return False
        self._requests_since = now
        # The document already shows the responses that came before its load event.
        self.note_consequence()
        navigation.has_new_document = False
        return True

    def should_delay_next_step(self, now: float) -> bool:
        """Return whether the page waits for the network or the browser because of the action."""
        return not self.is_interrupted and any(
            not kind.is_over and now < kind.deadline
            for kind in self._kinds.values()
            if kind.should_delay_next_step
        )

    def next_wait(self, now: float) -> Wait:
        """Return the next wait: for the first kind that is not over and before its deadline.

        An overdue navigation ends all waiting.
        """
        navigation = self[Navigation]
        self.is_navigation_overdue = not navigation.is_over and now >= navigation.deadline
        if self.is_interrupted or self.is_navigation_overdue:
            return DONE
        for kind in self._kinds.values():
            if not kind.is_over and now < (deadline := kind.deadline):
                return Wait(kind.signal, deadline)
        return DONE
