"""Steps of one recorded connection: the commands to expect, and the browser's messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import orjson

from cdp_protocol.recording.format import Closed, Entry, Message, Opened, Said
from cdp_protocol.wire.codec import encode

# Later messages do not depend on these commands. A clock or a garbage collector triggers them.
_AT_ANY_TIME = ("Browser.getVersion", "Runtime.releaseObject", "Runtime.releaseObjectGroup")
# Actions. Their number does not depend on timing, unlike the number of commands that read state.
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
"""The CDP session id and the method of a command."""


@dataclass(eq=False, slots=True)
class Call:
    """A recorded command.

    Attributes:
        position: The index of the step.
        time: Seconds since the start of the recording.
        gap: Seconds between the previous message and this command: the time the client took.
        session: The CDP session id; "" for the browser session.
        method: The method.
        params: The parameters; {} if the command has none.
        answer: The response of the browser; None if the recording has none.
        answered_at: The index of the response's step; -1 if the recording has none.
        client_id: The id that the replay's client uses; None until the command has arrived.
        followers: The ids of equal commands that the client sent before the response.
        missed: Whether the player stopped waiting for the command.
        is_dead: Whether the player no longer expects the missed command.
        signature: The result of `signature` for this command.
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
        """Whether the client has sent the command in this replay."""
        return self.client_id is not None

    @property
    def kind(self) -> Kind:
        """The CDP session id and the method."""
        return self.session, self.method

    @property
    def blocks(self) -> bool:
        """Whether later messages wait for this command."""
        return not (self.has_come or self.missed or self.is_optional)

    @property
    def is_optional(self) -> bool:
        """Whether the client may omit the command or send it at any time."""
        return self.method in _AT_ANY_TIME

    @property
    def is_deed(self) -> bool:
        """Whether the command is an action, such as input or a navigation."""
        return self.method.startswith(_DEEDS)

    @property
    def is_read(self) -> bool:
        """Whether the command only reads state."""
        return self.method.partition(".")[2].startswith(_READS)


@dataclass(frozen=True, eq=False, slots=True)
class Answer:
    """The recorded response to a command.

    Attributes:
        time: Seconds since the start of the recording.
        call: The command.
    """

    time: float
    call: Call


@dataclass(frozen=True, eq=False, slots=True)
class Event:
    """A recorded event.

    Attributes:
        time: Seconds since the start of the recording.
        message: The event.
    """

    time: float
    message: Message


@dataclass(frozen=True, eq=False, slots=True)
class End:
    """The recorded end of the connection, closed by the browser.

    Attributes:
        time: Seconds since the start of the recording.
        reason: The reason, as a clause.
    """

    time: float
    reason: str


Step = Call | Answer | Event | End


@dataclass(frozen=True, slots=True)
class Say:
    """A message to send to the client.

    Attributes:
        message: The message.
        time: The time of the message in the recording, in seconds since its start.
        delay: Seconds to wait before sending, at any replay speed.
        is_answer: Whether the message is the response to a command.
    """

    message: Message
    time: float
    delay: float = 0.0
    is_answer: bool = False


@dataclass(frozen=True, slots=True)
class Stop:
    """The end of the connection, which the replayed browser closes.

    Attributes:
        reason: The reason, as a clause.
        time: The time of the end in the recording, in seconds since its start.
    """

    reason: str
    time: float


Played = Say | Stop


def signature(session: str, method: str, params: Any) -> bytes:
    """Return a key that is equal for commands with the same session, method and parameters."""
    whole = [session, method, params or {}]
    return encode(whole, orjson.OPT_SORT_KEYS)


def steps_of(entries: Iterable[Entry], connection: int) -> list[Step]:
    """Return the steps of one connection, in recorded order.

    Args:
        entries: All entries of the recording.
        connection: The number of the connection.
    """
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
            continue  # A command and its response cannot be paired without valid ids.
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
