"""The calls that wait for a response, with their futures and deadlines. Does no I/O."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import Any

from cdp_protocol.errors import CallTimeout, CdpError, ProtocolError, SessionClosed

# Chromium's error code for a command in an unknown session.
SESSION_NOT_FOUND = -32001


class PendingCall:
    """A command that was sent or will be sent next, with the future of its response."""

    __slots__ = ("deadline", "future", "id", "method", "session_id", "timeout")

    def __init__(
        self,
        call_id: int,
        method: str,
        session_id: str,
        deadline: float,
        timeout: float,
        future: asyncio.Future[dict[str, Any]],
    ) -> None:
        self.id = call_id
        self.method = method
        self.session_id = session_id
        self.deadline = deadline
        self.timeout = timeout
        self.future = future


class PendingCalls:
    """Assigns ids to calls, and completes the futures of those that wait for a response."""

    def __init__(self) -> None:
        self._ids = itertools.count(1)
        self._calls: dict[int, PendingCall] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def __len__(self) -> int:
        return len(self._calls)

    def register(self, method: str, session_id: str, *, timeout: float) -> PendingCall:
        """Create a call with an id, a deadline and a future.

        The caller registers the call before it writes the message.

        Args:
            method: The command.
            session_id: The CDP session id; "" for the root session.
            timeout: Limit in seconds.
        """
        # Cached, because the lookup makes a system call on Python 3.11.
        loop = self._loop = self._loop or asyncio.get_running_loop()
        call_id = next(self._ids)
        call = PendingCall(
            call_id, method, session_id, loop.time() + timeout, timeout, loop.create_future()
        )
        self._calls[call_id] = call
        return call

    def discard(self, call: PendingCall) -> None:
        """Remove a call and cancel its future, so that a later response is ignored."""
        if self._calls.pop(call.id, None) is not None:
            call.future.cancel()

    def complete(self, response: dict[str, Any]) -> bool:
        """Complete the call that a response belongs to, with the result or the error in it.

        Returns:
            Whether a caller waited for the response.
        """
        call = self._calls.get(response["id"])
        if call is None:
            return False
        # Some servers send `"error": null` beside the result.
        has_error = "error" in response and response["error"] is not None
        # Created before the call is removed: if the response is malformed, the call still expires.
        error = _make_response_error(call, response["error"]) if has_error else None
        del self._calls[call.id]
        if call.future.done():
            return False
        if error is None:
            call.future.set_result(response.get("result") or {})
        else:
            _fail(call, error)
        return True

    def expire(self, now: float) -> None:
        """Fail the calls whose deadline has passed.

        Args:
            now: The time on the clock of the event loop.
        """
        for call in [call for call in self._calls.values() if call.deadline <= now]:
            del self._calls[call.id]
            _fail(call, CallTimeout(call.method, call.timeout))

    def next_deadline(self) -> float | None:
        """Return the earliest deadline; None if no call waits."""
        return min((call.deadline for call in self._calls.values()), default=None)

    def fail_all(self, make_error: Callable[[str], CdpError]) -> None:
        """Fail all calls.

        Args:
            make_error: Returns the error of a call, given its method name.
        """
        for call in list(self._calls.values()):
            _fail(call, make_error(call.method))
        self._calls.clear()

    def fail_session(self, session_id: str, make_error: Callable[[str], CdpError]) -> None:
        """Fail the calls of one session; `make_error` is as in `fail_all`."""
        for call in [call for call in self._calls.values() if call.session_id == session_id]:
            del self._calls[call.id]
            _fail(call, make_error(call.method))


def _fail(call: PendingCall, error: CdpError) -> None:
    if call.future.done():
        return
    call.future.set_exception(error)
    # Marks the exception as retrieved. Otherwise asyncio would log it if the caller was cancelled.
    call.future.exception()


def _make_response_error(call: PendingCall, error: object) -> CdpError:
    if not isinstance(error, dict):
        return ProtocolError(call.method, 0, str(error))
    code, message = error.get("code", 0), error.get("message")
    message = "no reason given" if message is None else str(message)
    if code == SESSION_NOT_FOUND:
        return SessionClosed(call.method, call.session_id, "the browser does not know it")
    return ProtocolError(call.method, code, message, error.get("data"))
