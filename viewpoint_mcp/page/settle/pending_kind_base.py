"""Interface of a kind of pending work. `pending_work.KINDS` lists the kinds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from cdp_protocol import Session

if TYPE_CHECKING:
    from cdp_protocol.events import Event
    from viewpoint_mcp.page.settle.pending_work import PendingWork

P = TypeVar("P")

Signal = Literal["done", "events", "change", "still"]


@dataclass(frozen=True, slots=True)
class Wait:
    """The next signal to wait for, and the deadline.

    Attributes:
        signal: "events" is any event of the browser, "change" the next change of the document,
            "still" a pause in its changes. "done" ends settling.
    """

    signal: Signal
    deadline: float = 0.0


DONE = Wait("done")


class EventHandler:
    """The method of a kind that handles a CDP event, which begins or ends work of the kind.

    Args:
        handle: Called with the kind, the event's parameters and the time.
        is_main_frame_only: Whether to ignore the event in the CDP sessions of out-of-process
            frames.
    """

    def __init__(
        self,
        event: Event[P],
        handle: Callable[[Any, P, float], None],
        *,
        is_main_frame_only: bool = False,
    ) -> None:
        # `P` is local to the constructor, so that mypy compares the event with the handler.
        self.event: Event[Any] = event
        self.handle: Callable[[Any, Any, float], None] = handle
        self.is_main_frame_only = is_main_frame_only


class PendingKindBase(ABC):
    """Base class of a kind of pending work: the items of work that one action caused.

    A subclass is pure: events and times are its input, a deadline is its output. It declares its
    properties as class arguments:

        class Popups(PendingKindBase, signal="change", is_consequence=True,
        should_delay_next_step=False):

    Attributes:
        signal: The signal to wait for while the work is pending.
        is_consequence: Whether such work is a consequence of the action. If a script ran without a
            consequence, settling waits for one of a timer. False for kinds that only add extra time
            for the page.
        should_delay_next_step: Whether the steps of a longer action, such as filling a form, also
            wait for this work. True if the page waits for the network or the browser.
    """

    signal: ClassVar[Signal]
    is_consequence: ClassVar[bool]
    should_delay_next_step: ClassVar[bool]

    def __init_subclass__(
        cls, *, signal: Signal, is_consequence: bool, should_delay_next_step: bool
    ) -> None:
        cls.signal = signal
        cls.is_consequence = is_consequence
        cls.should_delay_next_step = should_delay_next_step

    def __init__(self, work: PendingWork) -> None:
        self.work = work
        self.limits = work.limits
        self.open_since: dict[Hashable, float] = {}  # item of work -> when it began

    @classmethod
    @abstractmethod
    def list_event_handlers(cls, session: Session) -> tuple[EventHandler, ...]:
        """Return the handlers of the events of a CDP session that begin or end such work."""

    @property
    @abstractmethod
    def deadline(self) -> float:
        """Time until which to wait for the open work."""

    @abstractmethod
    def note_document_replaced(self) -> None:
        """Note that another document has just replaced the document; usually forget its work."""

    def begin_work(self, now: float, item: Hashable = "") -> None:
        """Note that an item of work began; for an open item, the time starts again."""
        self.open_since[item] = now
        if self.is_consequence:
            self.work.note_consequence()

    def end_work(self, item: Hashable = "") -> bool:
        """Note that an item of work ended; return whether it was open."""
        return self.open_since.pop(item, None) is not None

    @property
    def is_over(self) -> bool:
        """Whether no work of this kind is open."""
        return not self.open_since

    @property
    def has_occurred(self) -> bool:
        """Whether the action caused such work, and the work is open or had a consequence."""
        return not self.is_over
