"""One connection of a recording as what must come, and what then is said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import orjson

from cdp_protocol.recording.format import Closed, Entry, Message, Opened, Said
from cdp_protocol.wire.codec import encode

# They change nothing that is said later, and come when a clock or a collector wants them to.
_AT_ANY_TIME = ("Browser.getVersion", "Runtime.releaseObject", "Runtime.releaseObjectGroup")
# How often clients look at a page depends on the clock; how often they act does not.
_DEEDS = (
    *("Input.", "Page.navigate", "Page.reload", "Page.close", "Page.stopLoading"),
    *(
        "Page.handleJavaScriptDialog",
        "Target.createTarget",
        "Target.closeTarget",
        "Target.createBrowserContext",
    ),
    *("Target.disposeBrowserContext", "Browser.close", "DOM.setFileInputFiles"),
)
_READS = ("get", "describe", "resolve", "query", "capture", "collect", "search", "perform")


Kind = tuple[str, str]
"""Session and method of a command."""


@dataclass(eq=False, slots=True)
class Call:
    """A command of the recording.

    Attributes:
        position: Among the steps.
        time: Seconds since the recording's start.
        gap: Seconds since what was said before it: how long the client took.
        answer: The browser's; None if there was none.
        answered_at: The position of that.
        client_id: What this client calls it; None until it has come.
        followers: Those of the same that came before it was answered.
        missed: Whether it was waited for long enough.
        is_dead: Whether it will not come any more, as far as one can tell.
    """

    position: int
    time: float
    gap: float
    session: str
    method: str
    params: Any
    answer: Message | None = None
    answered_at: int = -1
    client_id: Any = None
    followers: list[Any] = field(default_factory=list)
    missed: bool = False
    is_dead: bool = False
    signature: bytes = field(default=b"", repr=False)

    @property
    def has_come(self) -> bool:
        return self.client_id is not None

    @property
    def kind(self) -> Kind:
        return self.session, self.method

    @property
    def blocks(self) -> bool:
        """Whether what was said later waits for it."""
        return not (self.has_come or self.missed or self.is_optional)

    @property
    def is_optional(self) -> bool:
        """Whether nothing waits for it."""
        return self.method in _AT_ANY_TIME

    @property
    def is_deed(self) -> bool:
        """Whether somebody acts."""
        return self.method.startswith(_DEEDS)

    @property
    def is_read(self) -> bool:
        """Whether it only looks."""
        return self.method.partition(".")[2].startswith(_READS)


@dataclass(frozen=True, eq=False, slots=True)
class Answer:
    """The browser answers a command."""

    time: float
    call: Call


@dataclass(frozen=True, eq=False, slots=True)
class Event:
    """The browser tells something."""

    time: float
    message: Message


@dataclass(frozen=True, eq=False, slots=True)
class End:
    """The browser ends the connection."""

    time: float
    reason: str


Step = Call | Answer | Event | End


@dataclass(frozen=True, slots=True)
class Say:
    """What the browser says.

    Attributes:
        time: When it did, in the recording.
        delay: Seconds to wait first, whatever the speed is.
        is_answer: Whether the client has waited for it.
    """

    message: Message
    time: float
    delay: float = 0.0
    is_answer: bool = False


@dataclass(frozen=True, slots=True)
class Stop:
    """The browser ends the connection."""

    reason: str
    time: float


Played = Say | Stop


def signature(session: str, method: str, params: Any) -> bytes:
    """What two commands that are the same have in common."""
    whole = [session, method, params or {}]
    return encode(whole, orjson.OPT_SORT_KEYS)


def steps_of(entries: Iterable[Entry], connection: int) -> list[Step]:
    """Return what happened on one connection, in order."""
    steps: list[Step] = []
    calls: dict[tuple[str, Any], Call] = {}
    last: float | None = None
    for entry in entries:
        if not isinstance(entry, Said | Closed | Opened) or entry.connection != connection:
            continue
        if isinstance(entry, Closed):
            if entry.side == "browser":
                steps.append(End(entry.time, entry.reason))
            break
        if isinstance(entry, Opened) or not entry.message:
            continue
        gap = entry.time - last if last is not None else 0.0
        last = entry.time
        message = entry.message
        key = (message.get("sessionId", ""), message.get("id"))
        if not all(isinstance(each, str | int | None) for each in key):
            continue  # Nobody could be answered.
        if entry.side == "client":
            if isinstance(message.get("method"), str) and isinstance(key[1], int):
                steps.append(calls.setdefault(key, _call(len(steps), entry.time, gap, message)))
        elif "id" not in message:
            steps.append(Event(entry.time, message))
        elif (call := calls.pop(key, None)) is not None:
            call.answer, call.answered_at = message, len(steps)
            steps.append(Answer(entry.time, call))
    return steps


def _call(position: int, time: float, gap: float, message: Message) -> Call:
    session, method = message.get("sessionId", ""), message["method"]
    params = message.get("params") or {}
    return Call(
        position,
        time,
        gap,
        session,
        method,
        params,
        signature=signature(session, method, params),
    )
