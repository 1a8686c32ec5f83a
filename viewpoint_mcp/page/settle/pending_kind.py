"""The interface of a kind of pending work. The kinds themselves stand in `kinds`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from cdp_protocol import Session

if TYPE_CHECKING:
    from cdp_protocol.events import Event
    from viewpoint_mcp.page.settle.pending import PendingWork

P = TypeVar("P")

Signal = Literal["done", "events", "change", "still"]


@dataclass(frozen=True, slots=True)
class Wait:
    """What to wait for, and until when.

    Attributes:
        signal: "events" is any event of the browser, "change" the document's next change, "still"
            a pause in its changes, "done" nothing.
    """

    signal: Signal
    until: float = 0.0


DONE = Wait("done")


class Reaction:
    """A CDP event that begins or ends a kind of work, and the kind's method that handles it.

    Args:
        handle: Takes the kind, the event's parameters and the time.
        is_main_only: Whether to ignore the event in the sessions of out-of-process frames.
    """

    def __init__(
        self,
        event: Event[P],
        handle: Callable[[Any, P, float], None],
        *,
        is_main_only: bool = False,
    ) -> None:
        # `P` is the constructor's alone, so that mypy compares the event with the handler.
        self.event: Event[Any] = event
        self.handle: Callable[[Any, Any, float], None] = handle
        self.is_main_only = is_main_only


class PendingKind(ABC):
    """The work of one kind that an action caused: none, or several pieces at once.

    A subclass is pure: events and times come in, a deadline comes out. It declares with the class
    what settling cannot guess:

        class Popups(PendingKind, signal="change", is_consequence=True, should_hold_steps=False):

    Attributes:
        signal: What to wait for while the work is pending.
        is_consequence: Whether such work is a consequence of the action. Where script ran without
            one, settling waits for a timer's. False for time that is given to the page on a guess.
        should_hold_steps: Whether the steps of a longer action, such as filling a form, wait for
            the end of this work, too, because the page waits for the network or the browser.
    """

    signal: ClassVar[Signal]
    is_consequence: ClassVar[bool]
    should_hold_steps: ClassVar[bool]

    def __init_subclass__(
        cls, *, signal: Signal, is_consequence: bool, should_hold_steps: bool
    ) -> None:
        cls.signal = signal
        cls.is_consequence = is_consequence
        cls.should_hold_steps = should_hold_steps

    def __init__(self, work: PendingWork) -> None:
        self.work = work
        self.limits = work.limits
        self.open: dict[Hashable, float] = {}  # piece of work -> when it began

    @classmethod
    @abstractmethod
    def reactions(cls, session: Session) -> tuple[Reaction, ...]:
        """Return the events of `session` that begin or end such work."""

    @property
    @abstractmethod
    def deadline(self) -> float:
        """Until when to wait for the work that is not over."""

    @abstractmethod
    def leave_document(self) -> None:
        """Forget the work that belonged to the document that another one has just replaced."""

    def begin(self, now: float, piece: Hashable = "") -> None:
        """Note that a piece of work began; one that is open already begins anew."""
        self.open[piece] = now
        if self.is_consequence:
            self.work.note_consequence()

    def end(self, piece: Hashable = "") -> bool:
        """Note that a piece of work is over; returns whether it was open."""
        return self.open.pop(piece, None) is not None

    @property
    def is_over(self) -> bool:
        """Whether no work of this kind is open."""
        return not self.open

    @property
    def has_shown(self) -> bool:
        """Whether the action has such work open, or its end was a consequence already."""
        return not self.is_over
