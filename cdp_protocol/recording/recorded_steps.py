"""Steps of one recorded connection: the commands to expect, and the browser's messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import orjson

from cdp_protocol.recording.file_format import (
    ConnectionEnd,
    ConnectionStart,
    Entry,
    Message,
    RecordedMessage,
)
from cdp_protocol.wire.json_codec import encode

# Later messages do not depend on these commands. A clock or a garbage collector triggers them.
_OPTIONAL_METHODS = ("Browser.getVersion", "Runtime.releaseObject", "Runtime.releaseObjectGroup")
# Actions. Their number does not depend on timing, unlike the number of commands that read state.
_ACTION_METHODS = (
    *("Input.", "Page.navigate", "Page.reload", "Page.close", "Page.stopLoading"),
    *(
        "Page.handleJavaScriptDialog",
        "Target.createTarget",
        "Target.closeTarget",
        "Target.createBrowserContext",
    ),
    *("Target.disposeBrowserContext", "Browser.close", "DOM.setFileInputFiles"),
)
_READ_PREFIXES = ("get", "describe", "resolve", "query", "capture", "collect", "search", "perform")


CommandKind = tuple[str, str]
"""The CDP session id and the method of a command."""


@dataclass(eq=False, slots=True)
class RecordedCommand:
    """A recorded command.

    Attributes:
        position: The index of the step.
        time: Seconds since the start of the recording.
        pause: Seconds between the previous message and this command: the time the client took.
        session: The CDP session id; "" for the browser session.
        method: The method.
        params: The parameters; {} if the command has none.
        response: The response of the browser; None if the recording has none.
        response_position: The index of the response's step; -1 if the recording has none.
        client_id: The id that the replay's client uses; None until the command has arrived.
        duplicate_ids: The ids of equal commands that the client sent before the response.
        is_missed: Whether the player stopped waiting for the command.
        is_dropped: Whether the player no longer expects the missed command.
        signature: The result of `make_signature` for this command.
    """

    position: int
    time: float
    pause: float
    session: str
    method: str
    params: Any
    response: Message | None = None
    response_position: int = -1
    client_id: Any = None
    duplicate_ids: list[Any] = field(default_factory=list)
    is_missed: bool = False
    is_dropped: bool = False
    signature: bytes = field(default=b"", repr=False)

    @property
    def has_arrived(self) -> bool:
        """Whether the client has sent the command in this replay."""
        return self.client_id is not None

    @property
    def session_and_method(self) -> CommandKind:
        """The CDP session id and the method."""
        return self.session, self.method

    @property
    def blocks_later_messages(self) -> bool:
        """Whether later messages wait for this command."""
        return not (self.has_arrived or self.is_missed or self.client_may_omit)

    @property
    def client_may_omit(self) -> bool:
        """Whether the client may omit the command or send it at any time."""
        return self.method in _OPTIONAL_METHODS

    @property
    def is_action(self) -> bool:
        """Whether the command is an action, such as input or a navigation."""
        return self.method.startswith(_ACTION_METHODS)

    @property
    def only_reads_state(self) -> bool:
        """Whether the command only reads state."""
        return self.method.partition(".")[2].startswith(_READ_PREFIXES)


@dataclass(frozen=True, eq=False, slots=True)
class RecordedResponse:
    """The recorded response to a command.

    Attributes:
        time: Seconds since the start of the recording.
        call: The command.
    """

    time: float
    call: RecordedCommand


@dataclass(frozen=True, eq=False, slots=True)
class RecordedEvent:
    """A recorded event.

    Attributes:
        time: Seconds since the start of the recording.
        message: The event.
    """

    time: float
    message: Message


@dataclass(frozen=True, eq=False, slots=True)
class RecordedEnd:
    """The recorded end of the connection, closed by the browser.

    Attributes:
        time: Seconds since the start of the recording.
        reason: The reason, as a clause.
    """

    time: float
    reason: str


Step = RecordedCommand | RecordedResponse | RecordedEvent | RecordedEnd


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A message to send to the client.

    Attributes:
        message: The message.
        time: The time of the message in the recording, in seconds since its start.
        delay: Seconds to wait before sending, at any replay speed.
        is_response: Whether the message is the response to a command.
    """

    message: Message
    time: float
    delay: float = 0.0
    is_response: bool = False


@dataclass(frozen=True, slots=True)
class OutgoingClose:
    """The end of the connection, which the replayed browser closes.

    Attributes:
        reason: The reason, as a clause.
        time: The time of the end in the recording, in seconds since its start.
    """

    reason: str
    time: float


Outgoing = OutgoingMessage | OutgoingClose


def make_signature(session: str, method: str, params: Any) -> bytes:
    """Return a key that is equal for commands with the same session, method and parameters."""
    whole = [session, method, params or {}]
    return encode(whole, orjson.OPT_SORT_KEYS)


def build_steps(entries: Iterable[Entry], connection: int) -> list[Step]:
    """Return the steps of one connection, in recorded order.

    Args:
        entries: All entries of the recording.
        connection: The number of the connection.
    """
    steps: list[Step] = []
    unanswered: dict[tuple[str, Any], RecordedCommand] = {}
    previous_time: float | None = None
    for entry in entries:
        if (
            not isinstance(entry, RecordedMessage | ConnectionEnd | ConnectionStart)
            or entry.connection != connection
        ):
            continue
        if isinstance(entry, ConnectionEnd):
            if entry.side == "browser":
                steps.append(RecordedEnd(entry.time, entry.reason))
            break
        if isinstance(entry, ConnectionStart) or not entry.message:
            continue
        pause = entry.time - previous_time if previous_time is not None else 0.0
        previous_time = entry.time
        message = entry.message
        key = (message.get("sessionId", ""), message.get("id"))
        if not all(isinstance(each, str | int | None) for each in key):
            continue  # A command and its response cannot be paired without valid ids.
        if entry.side == "client":
            if isinstance(message.get("method"), str) and isinstance(key[1], int):
                steps.append(
                    unanswered.setdefault(
                        key, _make_recorded_command(len(steps), entry.time, pause, message)
                    )
                )
        elif "id" not in message:
            steps.append(RecordedEvent(entry.time, message))
        elif (call := unanswered.pop(key, None)) is not None:
            call.response, call.response_position = message, len(steps)
            steps.append(RecordedResponse(entry.time, call))
    return steps


def _make_recorded_command(
    position: int, time: float, pause: float, message: Message
) -> RecordedCommand:
    session, method = message.get("sessionId", ""), message["method"]
    params = message.get("params") or {}
    return RecordedCommand(
        position,
        time,
        pause,
        session,
        method,
        params,
        signature=make_signature(session, method, params),
    )
