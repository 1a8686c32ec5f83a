"""A CDP connection: it runs the reader task and routes each message to its session.

It works with any `Transport`, and the reader task never waits for an event handler.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Self

import orjson

from cdp_protocol.awaitable_opening import Opening
from cdp_protocol.browser import Browser
from cdp_protocol.errors import (
    CallTimeout,
    ConnectionLost,
    EndpointError,
    ProtocolError,
    SessionClosed,
    Unanswered,
)
from cdp_protocol.events import Listeners, Subscription
from cdp_protocol.session import Session
from cdp_protocol.transport import Transport
from cdp_protocol.wire import message_log
from cdp_protocol.wire.json_codec import decode
from cdp_protocol.wire.pending_calls import PendingCalls

if TYPE_CHECKING:
    from cdp_protocol.recording.recorder import Recorder

log = logging.getLogger(__name__)

# Listener topics. They also appear in error messages.
CONNECTION_END = "the end of the connection"
NEW_SESSION = "a new session"
DEFAULT_CALL_TIMEOUT = 30.0  # seconds; the default timeout of a call


class Connection:
    """A connection to a browser, with all its CDP sessions.

    Args:
        transport: Carries the messages. `close` closes it.
        timeout: Default limit in seconds for a call. A session or a single call can override it.
        endpoint: The WebSocket address of the transport; "" if it has none.

    Attributes:
        root: The session of the browser itself.
    """

    def __init__(
        self, transport: Transport, *, timeout: float = DEFAULT_CALL_TIMEOUT, endpoint: str = ""
    ) -> None:
        self.timeout = timeout
        self.endpoint = endpoint
        self.root = Browser(self)
        self._transport = transport
        self._calls = PendingCalls()
        self._sessions: dict[str, Session] = {"": self.root}
        self._listeners = Listeners()
        self._lost: ConnectionLost | None = None
        self._reader: asyncio.Task[None] | None = None
        self._deadline_timer: asyncio.TimerHandle | None = None

    @classmethod
    def open(
        cls,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = 30.0,
        recorder: Recorder | None = None,
    ) -> Opening[Self]:
        """Connect to a WebSocket address.

        `await` the result to get the connection, or use it in `async with` to close it at the end.

        Args:
            url: A `ws://` or `wss://` address. For other endpoints, `websocket_url` finds it.
            headers: HTTP headers of the opening request.
            timeout: Limit in seconds for opening the connection, and the default limit of each
                call. None removes the limit for opening; calls then have a limit of 30 s.
            recorder: Records all messages of the connection; None for no recording.

        Raises:
            EndpointError: No server listens there, it refuses the WebSocket, or it does not answer
                in time.
        """

        async def open_connection() -> Self:
            from cdp_protocol.wire.websocket import WebSocketTransport

            try:
                async with asyncio.timeout(timeout):
                    # The outer limit applies, because it also covers the recorder's first command.
                    transport = await WebSocketTransport.connect(url, headers=headers, timeout=None)
                    return await cls.from_transport(
                        transport,
                        timeout=timeout or DEFAULT_CALL_TIMEOUT,
                        url=url,
                        recorder=recorder,
                    )
            except TimeoutError as error:
                raise EndpointError(url, f"no response within {timeout or 0:g} s") from error

        return Opening(open_connection)

    @classmethod
    async def from_transport(
        cls,
        transport: Transport,
        *,
        timeout: float,
        url: str = "",
        recorder: Recorder | None = None,
    ) -> Self:
        """Create a connection over an open transport, start its reader task, and return it.

        Args:
            transport: Carries the messages. The connection closes it, also if this method fails.
            timeout: Default limit in seconds for a call.
            url: The WebSocket address of the transport; "" if it has none.
            recorder: Records all messages of the connection; None for no recording.

        Raises:
            ConnectionLost: The browser closed the transport.
            CallTimeout: The browser did not report its version, which a recording begins with.
        """
        if recorder is not None:
            from cdp_protocol.recording.recorder import record_transport

            try:
                async with asyncio.timeout(timeout):
                    transport = await record_transport(transport, recorder, url=url)
            except TimeoutError as error:
                await transport.close()
                raise CallTimeout("Browser.getVersion", timeout) from error
            except BaseException:
                await transport.close()
                raise
        connection = cls(transport, timeout=timeout, endpoint=url)
        await connection.start()
        return connection

    async def start(self) -> None:
        """Start the reader task. Idempotent."""
        if self._reader is None and self._lost is None:
            self._reader = asyncio.create_task(self._read_messages(), name="cdp-reader")

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def lost(self) -> ConnectionLost | None:
        """The error that ended the connection, also after `close()`; None while it is open."""
        return self._lost

    @property
    def pending_call_count(self) -> int:
        """The number of calls that wait for a response."""
        return len(self._calls)

    def on_lost(self, handler: Callable[[ConnectionLost], object]) -> Subscription:
        """Call a handler once when the connection ends, whatever the cause.

        If the connection has already ended, call the handler immediately.
        """
        subscription = self._listeners.add(CONNECTION_END, handler)
        if self._lost is not None:
            subscription.deliver(self._lost)
        return subscription

    def on_session(self, handler: Callable[[Session], object]) -> Subscription:
        """Call a handler with each session of the connection.

        The handler gets the existing sessions immediately, the root session first. It gets each new
        session before the first event of that session.

        Args:
            handler: As in `Session.on`.
        """
        subscription = self._listeners.add(NEW_SESSION, handler)
        for session in list(self._sessions.values()):
            subscription.deliver(session)
        return subscription

    def session(self, session_id: str) -> Session:
        """Return the session with an id from Target.attachToTarget or Target.attachedToTarget.

        Raises:
            SessionClosed: No session with this id is attached, or it has already ended.
        """
        session = self._sessions.get(session_id)
        if session is None:
            lost = self._lost
            raise SessionClosed(
                None, session_id, lost.reason if lost else "no session with this id is attached"
            )
        return session

    def give_up(self, reason: str) -> None:
        """End the connection with `Unanswered`, because the browser stopped answering.

        All waiting calls fail and all sessions end. `close` must still be called to stop the reader
        task and close the transport.

        Args:
            reason: A clause: "the browser answered nothing for 10 s".
        """
        self._end_connection(Unanswered(None, reason))

    async def close(self) -> None:
        """Fail all waiting calls, stop the reader task, and close the transport. Idempotent."""
        self._end_connection(ConnectionLost(None, "this client closed the connection"))
        try:
            if self._reader is not None:
                self._reader.cancel()
                await asyncio.wait([self._reader])
        finally:
            await self._transport.close()

    async def call(
        self,
        method: str,
        params: Mapping[str, Any] | None,
        *,
        session: Session,
        timeout: float | None,
    ) -> dict[str, Any]:
        """Send a command in a session and return its response; see `Session.send`."""
        if (closed_error := session.closed_error(method)) is not None:
            raise closed_error
        if self._reader is None:
            raise RuntimeError("The connection is not started. Use `async with` or `start()`.")
        seconds = self.timeout if timeout is None else timeout
        call = self._calls.register(method, session.session_id, timeout=seconds)
        message: dict[str, Any] = {"id": call.id, "method": method, "params": params or {}}
        if session.session_id:
            message["sessionId"] = session.session_id
        try:
            data = orjson.dumps(message)
            message_log.log_sent(data)
            self._schedule_expiry(call.deadline)
            await self._transport.send(data)
            return await call.future
        except ConnectionLost as error:
            if error.method is not None:
                raise
            self._end_connection(error)
            raise ConnectionLost(method, error.reason) from error.__cause__
        except ProtocolError as error:
            error.params = params
            raise
        except orjson.JSONEncodeError as error:
            raise TypeError(f"The parameters of {method} are not valid JSON: {error}.") from error
        finally:
            self._calls.discard(call)

    async def _read_messages(self) -> None:
        try:
            while True:
                self._handle_message(await self._transport.receive())
        except ConnectionLost as error:
            self._end_connection(error)
        except Exception as error:
            log.exception("The reader failed")
            lost = ConnectionLost(None, f"the reader failed ({error!r})")
            lost.__cause__ = error
            self._end_connection(lost)
        finally:
            # If the reader task was cancelled, no call may wait for it any longer.
            self._end_connection(ConnectionLost(None, "the reader was stopped"))

    def _schedule_expiry(self, deadline: float) -> None:
        # All calls share one timer at the earliest deadline. A timer for each call would cost as
        # much as the rest of the call.
        if self._deadline_timer is None or deadline < self._deadline_timer.when():
            if self._deadline_timer is not None:
                self._deadline_timer.cancel()
            self._deadline_timer = asyncio.get_running_loop().call_at(deadline, self._expire_calls)

    def _expire_calls(self) -> None:
        self._deadline_timer = None
        self._calls.expire(asyncio.get_running_loop().time())
        if (deadline := self._calls.next_deadline()) is not None:
            self._schedule_expiry(deadline)

    def _handle_message(self, data: bytes | str) -> None:
        message_log.log_received(data)
        try:
            message = decode(data)
            if "id" in message:
                if not self._calls.complete(message):
                    log.debug("Ignored the late response to call %s", message["id"])
            else:
                self._route_event(message["method"], message.get("params") or {}, message)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            log.warning(
                "Skipped a malformed message (%r): %s", error, message_log.shorten_and_mask(data)
            )

    def _route_event(self, name: str, params: dict[str, Any], message: dict[str, Any]) -> None:
        session_id = message.get("sessionId", "")
        session = self._sessions.get(session_id)
        if session is None:
            log.debug("Dropped %s of the unknown session %s", name, session_id)
            return
        if name == "Target.attachedToTarget":
            self._add_session(session, params)
        elif name == "Target.detachedFromTarget" and params["sessionId"] in self._sessions:
            detached = self._sessions[params["sessionId"]]
            self.end_session(detached, "the browser detached it from its target")
        session.dispatch_event(name, params)

    def _add_session(self, parent: Session, params: dict[str, Any]) -> None:
        session_id = params["sessionId"]
        if session_id not in self._sessions:
            session = Session(self, session_id, parent=parent, target_info=params.get("targetInfo"))
            self._sessions[session_id] = session
            self._listeners.publish(NEW_SESSION, session)

    def end_session(self, session: Session, reason: str) -> None:
        """End a session and the sessions attached through it, and fail their waiting calls.

        Called by the message router and by `Session.close`.
        """
        self._sessions.pop(session.session_id, None)
        for child in [s for s in self._sessions.values() if s.parent is session]:
            self.end_session(child, reason)
        session.mark_closed(reason)
        self._calls.fail_session(
            session.session_id, lambda method: SessionClosed(method, session.session_id, reason)
        )

    def _end_connection(self, error: ConnectionLost) -> None:
        if self._lost is not None:
            return
        self._lost = error
        if self._deadline_timer is not None:
            self._deadline_timer.cancel()
        self._calls.fail_all(error.for_method)
        self._listeners.publish(CONNECTION_END, error)
        for session in list(self._sessions.values()):
            session.mark_closed(error.reason)
        self._sessions.clear()
