"""The client's errors. Classes keep the facts; `__str__` builds the sentence for the reader.

    CdpError
    ├── ProtocolError     the browser refused a command: method, code, message, data, params
    │   └── TargetNotFound  there is no such target to attach to: target_id
    ├── ConnectionLost    the socket is gone, and with it every call and session: method, reason
    │   └── Unanswered    it was given up, for the browser had fallen silent
    ├── SessionClosed     the target of one session is gone or was left: method, session_id, reason
    ├── CallTimeout       no answer, or no event, in time: method, seconds
    ├── EndpointError     no connection could be made: endpoint, reason
    └── LaunchError       no browser could be started: what, reason, cause, stderr

`method` is the command that was called or the event that was expected, and None when the error
tells of the connection or session itself. Formatting an error does no I/O; `Description.hint`
explains a mistake with the description of the protocol.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, Self

# Of JSON-RPC, as Chromium uses them.
UNKNOWN_METHOD = -32601
INVALID_PARAMS = -32602

LaunchCause = Literal[
    "executable",
    "no browser",
    "temporary directory",
    "profile",
    "profile in use",
    "handed over",
    "display",
    "socket path",
    "sandbox",
    "library",
    "disk",
    "other",
]
"""What kept a browser from starting. "profile in use": it was found out before the start; "handed
over": the browser found it out itself, and left all to the one that has the profile. "socket path":
that of the temporary directory is too long. "library": a shared one is missing."""

_QUOTED_LINES = 8


class CdpError(Exception):
    """Anything that went wrong between this client and a browser."""


class ProtocolError(CdpError):
    """The browser answered a command with an error.

    Args:
        method: The command that was called.
        code: The JSON-RPC error code; Chromium uses -32000 for nearly everything.
        message: What the browser said.
        data: More of what it said, where it did.

    Attributes:
        params: What was sent with the command.
    """

    def __init__(self, method: str, code: int, message: str, data: object = None) -> None:
        super().__init__(method, code, message, data)
        self.method = method
        self.code = code
        self.message = message
        self.data = data
        self.params: Mapping[str, Any] | None = None

    def __str__(self) -> str:
        if self.is_unknown_command:
            return f"{self.method} is no command of this browser or target. (code {self.code})"
        detail = f" {self.data}" if self.data else ""
        return f"{self.method} failed: {self.message.rstrip('.')}.{detail} (code {self.code})"

    @property
    def is_unknown_command(self) -> bool:
        """Whether the browser, or this kind of target, does not have the command."""
        return self.code == UNKNOWN_METHOD and self.message == f"'{self.method}' wasn't found"


class TargetNotFound(ProtocolError):
    """There is no target of the id that was to be attached to, or no more.

    Args:
        refusal: What the browser said.
        target_id: Which target.
    """

    def __init__(self, refusal: ProtocolError, target_id: str) -> None:
        super().__init__(refusal.method, refusal.code, refusal.message, refusal.data)
        self.args = (refusal, target_id)  # of which a copy is made again
        self.target_id = target_id

    def __str__(self) -> str:
        return (
            f"There is no target {self.target_id} to attach to: it was closed, or never was."
            " Target.getTargets lists those that there are."
        )


class ConnectionLost(CdpError):
    """The connection to the browser has ended.

    Args:
        method: The command or event that was waited for; None for the connection itself.
        reason: What ended it, as a clause: "the browser closed the connection".
    """

    def __init__(self, method: str | None, reason: str) -> None:
        super().__init__(method, reason)
        self.method = method
        self.reason = reason

    def of(self, method: str) -> Self:
        """The same error, of a call that fails by it."""
        error = type(self)(method, self.reason)
        error.__cause__ = self.__cause__
        return error

    def __str__(self) -> str:
        what = "The connection ended" if self.method is None else f"{self.method} got no answer"
        return f"{what}: {self.reason}."


class Unanswered(ConnectionLost):
    """The connection was given up because the browser answered nothing any more."""


class SessionClosed(CdpError):
    """The session no longer reaches a target.

    Args:
        method: The command or event that was waited for; None for the session itself.
        session_id: The session, "" for the browser's own.
        reason: What ended it, as a clause: "the browser detached it from its target".
    """

    def __init__(self, method: str | None, session_id: str, reason: str) -> None:
        super().__init__(method, session_id, reason)
        self.method = method
        self.session_id = session_id
        self.reason = reason

    def __str__(self) -> str:
        session = f"session {self.session_id}" if self.session_id else "the browser session"
        if self.method is None:
            return f"{session[0].upper()}{session[1:]} is closed: {self.reason}."
        return f"{self.method} got no answer, {session} is closed: {self.reason}."


class CallTimeout(CdpError):
    """No answer to a command, or no event that was expected, arrived in time.

    Args:
        method: The command or event that was waited for.
        seconds: How long it was waited for.
    """

    def __init__(self, method: str, seconds: float) -> None:
        super().__init__(method, seconds)
        self.method = method
        self.seconds = seconds

    def __str__(self) -> str:
        return (
            f"Nothing heard of {self.method} within {self.seconds:g} s. The target may be busy,"
            " paused in a debugger or behind a dialog; wait longer or look at its state."
        )


class EndpointError(CdpError):
    """No connection could be made to an endpoint.

    Args:
        endpoint: The address as it was given; kept without secrets, see `without_secrets`.
        reason: What went wrong, as a clause: "connection refused".
        status: The HTTP status that refused the WebSocket, if one did.
    """

    def __init__(self, endpoint: str, reason: str, *, status: int | None = None) -> None:
        self.endpoint = without_secrets(endpoint)
        self.reason = without_secrets(reason)
        self.status = status
        super().__init__(self.endpoint, self.reason)

    def __str__(self) -> str:
        return (
            f"No browser could be reached at {self.endpoint}: {self.reason}. Start one with"
            " --remote-debugging-port and give its address, such as http://127.0.0.1:9222."
        )


class LaunchError(CdpError):
    """A browser could not be started.

    Args:
        what: What could not be started or had, the subject of a sentence: an executable, a profile.
        reason: What went wrong, the rest of that sentence: "exited at once with status 1".
        cause: The kind of trouble, for programs.
        advice: What to do next, in sentences.
        stderr: The last lines that the browser wrote to its stderr.
    """

    def __init__(
        self,
        what: str,
        reason: str,
        *,
        cause: LaunchCause = "other",
        advice: str = "",
        stderr: str = "",
    ) -> None:
        super().__init__(what, reason)
        self.what = what
        self.reason = reason
        self.cause: LaunchCause = cause
        self.advice = advice
        self.stderr = stderr

    @property
    def last_words(self) -> str:
        """Of `stderr` as much as is quoted."""
        return "\n".join(self.stderr.splitlines()[-_QUOTED_LINES:])

    def __str__(self) -> str:
        told = f"{self.what} {self.reason}. {self.advice}".rstrip()
        return f"{told} Its last words:\n{self.last_words}" if self.stderr else told


def without_secrets(text: str) -> str:
    """Return a text without what is secret in the addresses it names: queries, which may hold
    tokens, and users with their passwords.
    """
    return re.sub(r"[?#]\S+", "?***", re.sub(r"^[^\s/]*@|(?<=//)\S*@", "", text))
