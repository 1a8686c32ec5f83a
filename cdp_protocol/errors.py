"""Errors of the client. Each class keeps the facts as attributes; `__str__` builds the message.

    CdpError
    ├── ProtocolError     the browser refused a command: method, code, message, data, params
    │   └── TargetNotFound  no target with this id to attach to: target_id
    ├── ConnectionLost    the connection ended, with all its calls and sessions: method, reason
    │   └── Unanswered    this client ended it: the browser stopped answering
    ├── SessionClosed     one session ended, or its target is gone: method, session_id, reason
    ├── CallTimeout       no response, or no expected event, in time: method, seconds
    ├── EndpointError     no connection could be made: endpoint, reason
    └── LaunchError       no browser could be started: what, reason, cause, stderr

`method` is the command that was called or the event that was expected. It is None if the error is
about the connection or session itself. Formatting an error does no I/O. `Description.hint` explains
mistakes in a command from the protocol description.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, Self

# JSON-RPC error codes, as Chromium uses them.
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
    "open files",
    "other",
]
"""The cause of a failed start.

"profile in use": this client found the profile in use before the start. "handed over": Chromium
found it in use, passed its arguments to the browser that uses it, and exited. "socket path": the
path of the temporary directory is too long for a socket. "library": a shared library is missing.
"""

_MAX_QUOTED_LINES = 8


class CdpError(Exception):
    """Base class of all errors between this client and a browser."""


class ProtocolError(CdpError):
    """The browser answered a command with an error.

    Args:
        method: The command that was called.
        code: The JSON-RPC error code; Chromium uses -32000 for nearly everything.
        message: The error message of the browser.
        data: Details from the browser; None if it sent none.

    Attributes:
        params: The parameters of the command; None if there were none.
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
            return f"{self.method} is not a command of this browser or target. (code {self.code})"
        detail = f" {self.data}" if self.data else ""
        return f"{self.method} failed: {self.message.rstrip('.')}.{detail} (code {self.code})"

    @property
    def is_unknown_command(self) -> bool:
        """Whether the browser, or this type of target, lacks the command."""
        return self.code == UNKNOWN_METHOD and self.message == f"'{self.method}' wasn't found"


class TargetNotFound(ProtocolError):
    """No target with the requested id exists, or it no longer exists.

    Args:
        error: The error of the browser.
        target_id: The requested id.
    """

    def __init__(self, error: ProtocolError, target_id: str) -> None:
        super().__init__(error.method, error.code, error.message, error.data)
        self.args = (error, target_id)  # Copying and unpickling pass these to __init__.
        self.target_id = target_id

    def __str__(self) -> str:
        return (
            f"Target {self.target_id} does not exist, or is closed."
            " Target.getTargets lists the existing targets."
        )


class ConnectionLost(CdpError):
    """The connection to the browser has ended.

    Args:
        method: The command or event that the caller waited for; None for the connection itself.
        reason: The cause, as a clause: "the browser closed the connection".
    """

    def __init__(self, method: str | None, reason: str) -> None:
        super().__init__(method, reason)
        self.method = method
        self.reason = reason

    def for_method(self, method: str) -> Self:
        """Return the same error for one call that fails because of it."""
        error = type(self)(method, self.reason)
        error.__cause__ = self.__cause__
        return error

    def __str__(self) -> str:
        subject = "The connection ended" if self.method is None else f"{self.method} failed"
        return f"{subject}: {self.reason}."


class Unanswered(ConnectionLost):
    """This client ended the connection because the browser stopped answering."""


class SessionClosed(CdpError):
    """The session has ended and no longer reaches its target.

    Args:
        method: The command or event that the caller waited for; None for the session itself.
        session_id: The CDP session id; "" for the root session.
        reason: The cause, as a clause: "the browser detached it from its target".
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
        return f"{self.method} failed: {session} is closed ({self.reason})."


class CallTimeout(CdpError):
    """No response to a command, or no expected event, arrived in time.

    Args:
        method: The command or event that the caller waited for.
        seconds: The time limit.
    """

    def __init__(self, method: str, seconds: float) -> None:
        super().__init__(method, seconds)
        self.method = method
        self.seconds = seconds

    def __str__(self) -> str:
        return (
            f"Timed out after {self.seconds:g} s waiting for {self.method}. The target may be busy,"
            " paused in a debugger or blocked by a dialog. Check it, or increase the timeout."
        )


class EndpointError(CdpError):
    """No connection could be made to an endpoint.

    Args:
        endpoint: The address that the caller passed. The attribute has its secrets removed; see
            `mask_url_secrets`.
        reason: The cause, as a clause: "connection refused".
        status: The HTTP status of the refused request; None if the cause is another one.
    """

    def __init__(self, endpoint: str, reason: str, *, status: int | None = None) -> None:
        self.endpoint = mask_url_secrets(endpoint)
        self.reason = mask_url_secrets(reason)
        self.status = status
        super().__init__(self.endpoint, self.reason)

    def __str__(self) -> str:
        return (
            f"Cannot connect to a browser at {self.endpoint}: {self.reason}. Start one with"
            " --remote-debugging-port and pass its address, such as http://127.0.0.1:9222."
        )


class LaunchError(CdpError):
    """A browser could not be started.

    Args:
        what: The subject of the error sentence: an executable, a profile.
        reason: The rest of that sentence: "exited at once with status 1".
        cause: The category of the failure, for programs.
        advice: Next steps for the user, as whole sentences.
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
    def sentence(self) -> str:
        """What failed and why, as a sentence without the advice."""
        return f"{self.what} {self.reason}."

    @property
    def quoted_stderr(self) -> str:
        """The last lines of `stderr`, as the message quotes them."""
        return "\n".join(self.stderr.splitlines()[-_MAX_QUOTED_LINES:])

    def __str__(self) -> str:
        text = f"{self.sentence} {self.advice}".rstrip()
        return f"{text} Its last output:\n{self.quoted_stderr}" if self.stderr else text


def mask_url_secrets(text: str) -> str:
    """Return a text with the secrets removed from the addresses in it.

    User names and passwords are deleted. Queries and fragments, which may contain tokens, become
    `?***`.
    """
    return re.sub(r"[?#]\S+", "?***", re.sub(r"^[^\s/]*@|(?<=//)\S*@", "", text))
