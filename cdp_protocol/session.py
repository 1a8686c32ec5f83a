"""A session: one target of the browser, or the browser itself, to send to and to hear from."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

from cdp_protocol.domains import Domains
from cdp_protocol.errors import CdpError, ConnectionLost, SessionClosed
from cdp_protocol.events import Event, Expectation, Listeners, Subscription

if TYPE_CHECKING:
    from cdp_protocol.connection import Connection

log = logging.getLogger(__name__)

P = TypeVar("P")

CLOSED = "the end of the session"  # no event's name: those have a dot and no blanks


class Session(Domains):
    """Sends commands to one target and hears its events. Made by the connection.

    Every domain of the protocol is an attribute: `await session.Page.navigate(url=url)`.
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
        self._closed: SessionClosed | None = None
        self._listeners = Listeners()

    def __repr__(self) -> str:
        kind = self.target_info.get("type", "browser" if self.parent is None else "target")
        return f"<Session {self.session_id or 'root'} of a {kind}>"

    @property
    def closed(self) -> SessionClosed | None:
        """What ended the session; None while it lives."""
        return self._closed

    async def send(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Send a command and wait for its answer.

        Args:
            method: As on the wire: "Page.navigate".
            params: As on the wire.
            timeout: Seconds; None for the connection's default.

        Raises:
            ProtocolError: the browser refused it.
            CallTimeout: no answer came in time.
            SessionClosed, ConnectionLost: no answer can come.
        """
        return await self.connection.call(method, params, session=self, timeout=timeout)

    @overload
    def on(self, event: str, handler: Callable[[dict[str, Any]], object]) -> Subscription: ...
    @overload
    def on(self, event: Event[P], handler: Callable[[P], object]) -> Subscription: ...
    def on(self, event: str | Event[Any], handler: Callable[[Any], object]) -> Subscription:
        """Call a handler with the parameters of every such event.

        Args:
            event: "Page.frameNavigated" or `session.Page.frameNavigated`.
            handler: A plain function, called by the reader, so it must be quick. What it raises is
                logged. A command sent from it belongs in a task that the handler's owner keeps.
        """
        return self._listeners.add(_name_of(event), handler)

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
        """Subscribe to one event before acting, then await it inside the block.

        Args:
            event: As in `on`.
            predicate: Which of them, judged by their parameters; None for the first.
            timeout: Seconds from the entry of the block; None for the connection's default.
        """
        name = _name_of(event)

        def listen(
            hear: Callable[[Any], None], fail: Callable[[CdpError], None]
        ) -> list[Subscription]:
            if (over := self.over(name)) is not None:
                fail(over)
                return []
            ended = self.on_closed(lambda closed: fail(self.over(name) or closed))
            return [self._listeners.add(name, hear), ended]

        seconds = self.connection.timeout if timeout is None else timeout
        return Expectation(name, listen=listen, predicate=predicate, timeout=seconds)

    def on_closed(self, handler: Callable[[SessionClosed], object]) -> Subscription:
        """Call a handler once when the session ends, be it with its target or its connection."""
        return self._listeners.add(CLOSED, handler)

    async def close(self) -> None:
        """Detach from the target, which lives on (Target.detachFromTarget); any number of times.

        Closing the root session closes the connection.
        """
        if self.parent is None:
            await self.connection.close()
        elif self._closed is None:
            try:
                await self.parent.send("Target.detachFromTarget", {"sessionId": self.session_id})
            except CdpError as error:
                log.debug("Detaching %s: %s", self, error)
            self.connection.forget(self, "this client detached it from its target")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    def over(self, method: str) -> ConnectionLost | SessionClosed | None:
        """Why `method` cannot be answered any more; None when it can."""
        if (lost := self.connection.lost) is not None:
            return lost.of(method)
        if self._closed is not None:
            return SessionClosed(method, self.session_id, self._closed.reason)
        return None

    def dispatch(self, name: str, params: dict[str, Any]) -> None:
        """Hand an event to those who listen. Called by the connection."""
        self._listeners.publish(name, params)

    def end(self, reason: str) -> None:
        """Note that the session is over and tell those who listen. Called by the connection."""
        if self._closed is None:
            self._closed = SessionClosed(None, self.session_id, reason)
            self._listeners.publish(CLOSED, self._closed)


def _name_of(event: str | Event[Any]) -> str:
    return event if isinstance(event, str) else event.name
