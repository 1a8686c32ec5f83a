"""A CDP session: sends commands to one target, or to the browser, and receives its events."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

from cdp_protocol import io_stream, target_attachment
from cdp_protocol.awaitable_opening import Opening
from cdp_protocol.domains import Domains
from cdp_protocol.errors import CdpError, ConnectionLost, SessionClosed
from cdp_protocol.event_stream import EventStream
from cdp_protocol.events import (
    Event,
    Expectation,
    Listeners,
    Subscription,
    reject_coroutine_function,
    reject_coroutine_predicate,
)

if TYPE_CHECKING:
    from cdp_protocol.auto_attach import AutoAttach
    from cdp_protocol.connection import Connection

log = logging.getLogger(__name__)

P = TypeVar("P")

# Listener topics. They differ from all event names, which contain a dot and no spaces.
SESSION_END = "the end of the session"
EVERY_EVENT = "every event"


class Session(Domains):
    """A CDP session with one target or with the browser itself. Created by the connection.

    Every domain of the protocol is an attribute: `await session.Page.navigate(url=url)`.

    Attributes:
        connection: The connection that carries the session.
        session_id: The CDP session id; "" for the root session.
        parent: The session through which this one was attached; None for the root session.
        target_info: The TargetInfo at the time of attaching; empty for the root session.
        timeout: Default limit in seconds for a call or an expected event; None for the limit of the
            connection. A typed call has no timeout argument, because its arguments are those of the
            protocol. For a shorter limit, put the call into `async with asyncio.timeout(2)`. For a
            longer one, set this attribute or use `send(..., timeout=60)`.
        has_auto_attach: Whether an `auto_attach` block covers this session, so no other can.
    """

    def __init__(
        self,
        connection: Connection,
        session_id: str = "",
        *,
        parent: Session | None = None,
        target_info: Mapping[str, Any] | None = None,
    ) -> None:
        self.connection = connection
        self.session_id = session_id
        self.parent = parent
        self.target_info: Mapping[str, Any] = target_info or {}
        self.timeout: float | None = None
        self.has_auto_attach = False
        self._closed: SessionClosed | None = None
        self._listeners = Listeners()
        self._every_event_listeners: Listeners | None = None

    def __repr__(self) -> str:
        kind = self.target_info.get("type", "browser" if self.parent is None else "target")
        return f"<Session {self.session_id or 'root'} of a {kind}>"

    @property
    def closed(self) -> SessionClosed | None:
        """The error that ended the session; None while it is open."""
        return self._closed

    async def send(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Send a command and return the result object of its response.

        Args:
            method: The name on the wire: "Page.navigate".
            params: The parameters as on the wire.
            timeout: Limit in seconds; None for the session's limit, or else the connection's.

        Raises:
            ProtocolError: The browser answered with an error.
            CallTimeout: No response arrived in time.
            SessionClosed, ConnectionLost: The session or the connection has ended.
        """
        seconds = self.timeout if timeout is None else timeout
        return await self.connection.call(method, params, session=self, timeout=seconds)

    def attach(self, target: str | Mapping[str, object]) -> Opening[Session]:
        """Attach to a target and return the new session.

        `await` the result to get the session. Or use it in `async with`, which detaches at the end
        of the block. The target keeps running:

            async with browser.attach(await browser.Target.createTarget(url=url)) as page:
                await page.Page.enable()

        Args:
            target: The target id, or a mapping with the key "targetId": the response of
                Target.createTarget, or a TargetInfo.

        Raises:
            TargetNotFound: No target with this id exists, or no longer exists.
            ProtocolError: The browser refused to attach for another reason.
            TypeError: The argument contains no target id.

        Source: CDP `Target.attachToTarget` with `flatten`.
        """
        target_id = target if isinstance(target, str) else target.get("targetId")
        if not isinstance(target_id, str):
            raise TypeError(
                f'The target must be an id, or a mapping with "targetId", not {target!r}.'
            )
        return Opening(partial(target_attachment.attach_to_target, self, target_id))

    @overload
    def on(self, event: str, handler: Callable[[dict[str, Any]], object]) -> Subscription: ...
    @overload
    def on(self, event: Event[P], handler: Callable[[P], object]) -> Subscription: ...
    def on(self, event: str | Event[Any], handler: Callable[[Any], object]) -> Subscription:
        """Call a handler with the parameters of each event of this name.

        Args:
            event: "Page.frameNavigated" or `session.Page.frameNavigated`.
            handler: A plain function. The reader task calls it, so it must return quickly. Its
                exceptions are logged. To send a command from it, start a task and keep that task.
        """
        return self._listeners.add(_event_name(event), handler)

    def on_every(self, handler: Callable[[str, dict[str, Any]], object]) -> Subscription:
        """Call a handler with the name and the parameters of every event of this session.

        To listen to all sessions, combine it with `Connection.on_session`.

        Args:
            handler: As in `on`. It is called after the handlers of `on`.
        """
        reject_coroutine_function(handler, EVERY_EVENT)
        if self._every_event_listeners is None:
            self._every_event_listeners = Listeners()
        return self._every_event_listeners.add(EVERY_EVENT, lambda event: handler(*event))

    @overload
    def expect(
        self,
        event: str,
        predicate: Callable[[dict[str, Any]], bool] | None = None,
        *,
        timeout: float | None = None,
    ) -> Expectation[dict[str, Any]]: ...
    @overload
    def expect(
        self,
        event: Event[P],
        predicate: Callable[[P], bool] | None = None,
        *,
        timeout: float | None = None,
    ) -> Expectation[P]: ...
    def expect(
        self,
        event: str | Event[Any],
        predicate: Callable[[Any], bool] | None = None,
        *,
        timeout: float | None = None,
    ) -> Expectation[Any]:
        """Subscribe to an event before an action, then await the event inside the block.

        Args:
            event: As in `on`.
            predicate: Selects the event by its parameters; None for the first event of this name.
            timeout: Limit in seconds from the entry of the block; None as in `send`.
        """
        name = _event_name(event)
        reject_coroutine_predicate(predicate, name)
        seconds = next(
            limit for limit in (timeout, self.timeout, self.connection.timeout) if limit is not None
        )
        return Expectation(
            name, subscribe=partial(self._subscribe, name), predicate=predicate, timeout=seconds
        )

    @overload
    def events(
        self,
        event: str,
        predicate: Callable[[dict[str, Any]], bool] | None = None,
        *,
        silence: float | None = None,
    ) -> EventStream[dict[str, Any]]: ...
    @overload
    def events(
        self,
        event: Event[P],
        predicate: Callable[[P], bool] | None = None,
        *,
        silence: float | None = None,
    ) -> EventStream[P]: ...
    def events(
        self,
        event: str | Event[Any],
        predicate: Callable[[Any], bool] | None = None,
        *,
        silence: float | None = None,
    ) -> EventStream[Any]:
        """Iterate over the parameters of the events that arrive inside the `async with` block.

            async with page.events(page.Network.requestWillBeSent) as requests:
                await page.Page.navigate(url=url)
                async for request in requests:
                    print(request["request"]["url"])

        No event is dropped and the order is kept. Unread events stay in memory, without a limit.
        The iteration ends when the block is left. If the session or the connection ends, the
        iteration returns the remaining events and then raises `SessionClosed` or `ConnectionLost`.

        Args:
            event: As in `on`.
            predicate: Selects events by their parameters; None for all. The reader task calls it,
                so it must return quickly. An exception that it raises ends the iteration.
            silence: Maximum time in seconds without a selected event. After it, the iteration
                raises `CallTimeout`; None for no limit.
        """
        name = _event_name(event)
        reject_coroutine_predicate(predicate, name)
        subscribe = partial(self._subscribe, name)
        return EventStream(name, subscribe=subscribe, predicate=predicate, silence=silence)

    def auto_attach(
        self,
        *,
        filter: Sequence[Mapping[str, object]] | None = None,
        wait_for_debugger: bool = False,
        recursive: bool = True,
        silence: float | None = None,
    ) -> AutoAttach:
        """Attach to all existing and new targets of this session, and iterate over their sessions.

            async with page.auto_attach(wait_for_debugger=True) as sessions:
                async for session in sessions:
                    await session.Network.enable()
                    await session.Runtime.runIfWaitingForDebugger()

        The targets of the browser are pages and service workers. The targets of a page are its
        workers and out-of-process frames. Leaving the block detaches from all these targets and
        resumes those that still wait for the debugger. The iteration also returns sessions that
        `attach` creates in the block. It returns a service worker twice if both the browser and its
        page have it as a target.

        Args:
            filter: The target types to attach to, at every depth, such as `[{"type": "worker"}]` or
                `[{"type": "page", "exclude": True}, {}]`. None for the browser's default: all types
                but "browser" and "tab".
            wait_for_debugger: Whether new targets are paused until
                `session.Runtime.runIfWaitingForDebugger()`, so that you miss none of their events.
                Chromium also pauses the targets that `filter` excludes, and nothing resumes them.
                So better include all types, and resume unwanted targets at once.
            recursive: Whether to attach to the targets of these targets too.
            silence: As in `events`.

        Raises:
            ProtocolError: On entry, the browser refused the command.
            RuntimeError: On entry, another `auto_attach` block already covers this session, either
                directly or recursively. A session can have only one block at a time.

        Source: CDP `Target.setAutoAttach` with `flatten`.
        """
        from cdp_protocol.auto_attach import AutoAttach

        return AutoAttach(
            self,
            filter=filter,
            wait_for_debugger=wait_for_debugger,
            recursive=recursive,
            silence=silence,
        )

    def read(
        self, handle: str, *, size: int = io_stream.DEFAULT_PIECE_SIZE
    ) -> AsyncGenerator[bytes, None]:
        """Read a stream of the browser in pieces: a response body, a trace or a PDF.

            async for piece in page.read(pdf["stream"]):
                file.write(piece)

        The stream is closed at its end. If you leave the loop early, asyncio closes it soon after.
        To close it before the program continues, use `async with contextlib.aclosing(...)`.

        Args:
            handle: The stream's `IO.StreamHandle`.
            size: Maximum bytes of a piece.

        Raises:
            ProtocolError: The stream does not exist, or is already closed.

        Source: CDP `IO.read`, `IO.close`.
        """
        return io_stream.read_stream(self, handle, size=size)

    def on_closed(self, handler: Callable[[SessionClosed], object]) -> Subscription:
        """Call a handler once when the session ends, with its target or with its connection.

        If the session has already ended, call the handler immediately.
        """
        subscription = self._listeners.add(SESSION_END, handler)
        if self._closed is not None:
            subscription.deliver(self._closed)
        return subscription

    async def close(self) -> None:
        """Detach from the target (Target.detachFromTarget), which keeps running. Idempotent.

        Closing the root session closes the connection.
        """
        if self.parent is None:
            await self.connection.close()
        elif self._closed is None:
            # First, because the browser's own event would name the browser as the cause.
            self.connection.end_session(self, "this client detached it from its target")
            try:
                await self.parent.send("Target.detachFromTarget", {"sessionId": self.session_id})
            except CdpError as error:
                log.debug("Cannot detach %s: %s", self, error)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def closed_error(self, method: str) -> ConnectionLost | SessionClosed | None:
        """Return the error that a call of `method` would raise now; None if the session is open."""
        if (lost := self.connection.lost) is not None:
            return lost.for_method(method)
        if self._closed is not None:
            return SessionClosed(method, self.session_id, self._closed.reason)
        return None

    def dispatch_event(self, name: str, params: dict[str, Any]) -> None:
        """Call the handlers of an event. Called by the connection."""
        self._listeners.publish(name, params)
        if self._every_event_listeners is not None:
            self._every_event_listeners.publish(EVERY_EVENT, (name, params))

    def mark_closed(self, reason: str) -> None:
        """Mark the session as ended and call the `on_closed` handlers. Called by the connection."""
        if self._closed is None:
            self._closed = SessionClosed(None, self.session_id, reason)
            self._listeners.publish(SESSION_END, self._closed)

    def _subscribe(
        self, name: str, on_event: Callable[[Any], None], on_error: Callable[[CdpError], None]
    ) -> list[Subscription]:
        if (closed_error := self.closed_error(name)) is not None:
            on_error(closed_error)
            return []
        on_closed = self.on_closed(lambda closed: on_error(self.closed_error(name) or closed))
        return [self._listeners.add(name, on_event), on_closed]


def _event_name(event: str | Event[Any]) -> str:
    return event if isinstance(event, str) else event.name
