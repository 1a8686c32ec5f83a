"""A session: one target of the browser, or the browser itself, to send to and to hear from."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

from cdp_protocol import streams, target_attachment
from cdp_protocol.domains import Domains
from cdp_protocol.errors import CdpError, ConnectionLost, SessionClosed
from cdp_protocol.event_stream import EventStream
from cdp_protocol.events import (
    Event,
    Expectation,
    Listeners,
    Subscription,
    plain,
    plain_predicate,
)
from cdp_protocol.opening import Opening

if TYPE_CHECKING:
    from cdp_protocol.auto_attach import AutoAttach
    from cdp_protocol.connection import Connection

log = logging.getLogger(__name__)

P = TypeVar("P")

# No events' names: those have a dot and no blanks.
CLOSED = "the end of the session"
EVERY = "every event"


class Session(Domains):
    """Sends commands to one target and hears its events. Made by the connection.

    Every domain of the protocol is an attribute: `await session.Page.navigate(url=url)`.

    Attributes:
        connection: What carries it.
        session_id: "" for the browser's own.
        parent: The session that it was attached through; None for the browser's own.
        target_info: What the browser told of the target when it was attached to.
        timeout: Seconds that a call, or the wait for an event, may take unless it says otherwise;
            None for the connection's. A typed call is limited from outside, for its arguments are
            the protocol's: `async with asyncio.timeout(2): await session.Page.navigate(url=url)`
            ends it sooner. For one that takes longer, this is set, or `send(..., timeout=60)` used.
        is_followed: Whether an `auto_attach` attaches to its targets, so that no other can.
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
        self.is_followed = False
        self._closed: SessionClosed | None = None
        self._listeners = Listeners()
        self._every: Listeners | None = None

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
            timeout: Seconds; None for the session's, which is the connection's if it has none.

        Raises:
            ProtocolError: the browser refused it.
            CallTimeout: no answer came in time.
            SessionClosed, ConnectionLost: no answer can come.
        """
        seconds = self.timeout if timeout is None else timeout
        return await self.connection.call(method, params, session=self, timeout=seconds)

    def attach(self, target: str | Mapping[str, object]) -> Opening[Session]:
        """Attach to a target: `await` it, or `async with` it to detach again. The target lives on.

            async with browser.attach(await browser.Target.createTarget(url=url)) as page:
                await page.Page.enable()

        Args:
            target: The target's id, or what has it as "targetId": the answer of
                Target.createTarget, or a TargetInfo.

        Raises:
            TargetNotFound: there is none of that id, or no more.
            ProtocolError: the browser refused it for another reason.

        Source: CDP `Target.attachToTarget`, flat.
        """
        target_id = target if isinstance(target, str) else target.get("targetId")
        if not isinstance(target_id, str):
            raise TypeError(f'A target is its id, or what has it as "targetId"; not {target!r}.')
        return Opening(partial(target_attachment.attach, self, target_id))

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

    def on_every(self, handler: Callable[[str, dict[str, Any]], object]) -> Subscription:
        """Call a handler with the name and the parameters of every event of this session.

        `Connection.on_session` tells of the sessions that there are and will be.

        Args:
            handler: As in `on`; called after those of `on`.
        """
        plain(handler, EVERY)
        if self._every is None:
            self._every = Listeners()
        return self._every.add(EVERY, lambda event: handler(*event))

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
            timeout: Seconds from the entry of the block; None for the session's, as in `send`.
        """
        name = _name_of(event)
        plain_predicate(predicate, name)
        seconds = next(
            each for each in (timeout, self.timeout, self.connection.timeout) if each is not None
        )
        return Expectation(
            name, listen=partial(self._listen, name), predicate=predicate, timeout=seconds
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
        """Iterate over the parameters of every such event from the entry of the block on.

            async with page.events(page.Network.requestWillBeSent) as requests:
                await page.Page.navigate(url=url)
                async for request in requests:
                    print(request["request"]["url"])

        Nothing is lost and the order is kept: what is not asked for yet waits in memory, without a
        bound. The iteration ends when the block is left, and fails with `ConnectionLost` or
        `SessionClosed`, after the last event, when none can come any more.

        Args:
            event: As in `on`.
            predicate: Which of them, judged by their parameters; None for all. Called by the
                reader, so it must be quick. What it raises ends the iteration.
            silence: Seconds without such an event after which the iteration fails with
                `CallTimeout`; None for no limit.
        """
        name = _name_of(event)
        plain_predicate(predicate, name)
        listen = partial(self._listen, name)
        return EventStream(name, listen=listen, predicate=predicate, silence=silence)

    def auto_attach(
        self,
        *,
        filter: Sequence[Mapping[str, object]] | None = None,
        wait_for_debugger: bool = False,
        recursive: bool = True,
        silence: float | None = None,
    ) -> AutoAttach:
        """Iterate over sessions: of each target that this one has, and gets while in the block.

            async with page.auto_attach(wait_for_debugger=True) as sessions:
                async for session in sessions:
                    await session.Network.enable()
                    await session.Runtime.runIfWaitingForDebugger()

        The browser has pages and service workers, a page has its workers and its frames in other
        processes. Leaving the block switches it off, which detaches from all of them and lets run
        what is still held. What `attach` makes meanwhile comes as well, and a service worker comes
        twice where the browser and its page both have it.

        Args:
            filter: Which kinds, at every depth, as `[{"type": "worker"}]` or
                `[{"type": "page", "exclude": True}, {}]`; None for the browser's default, which is
                all but "browser" and "tab".
            wait_for_debugger: Whether new targets are held until
                `session.Runtime.runIfWaitingForDebugger()`, so that nothing of them is missed.
                Chromium holds those as well that `filter` leaves out, and nobody lets them run:
                better take all, and let run at once what is not wanted.
            recursive: Whether the targets of these targets come too.
            silence: As in `events`.

        Raises:
            ProtocolError: on entry, the browser refused it.
            RuntimeError: on entry, another such block has this session, or has it with the targets
                of its own: of a session there is one at a time.

        Source: CDP `Target.setAutoAttach`, flat.
        """
        from cdp_protocol.auto_attach import AutoAttach

        return AutoAttach(
            self,
            filter=filter,
            wait_for_debugger=wait_for_debugger,
            recursive=recursive,
            silence=silence,
        )

    def read(self, handle: str, *, size: int = streams.PIECE) -> AsyncGenerator[bytes, None]:
        """Read a stream of the browser: a response's body, a trace, a PDF.

            async for piece in page.read(pdf["stream"]):
                file.write(piece)

        The stream is closed at its end and when the loop is left. Where it must be closed before
        the program goes on, put the reading into `async with contextlib.aclosing(...)`.

        Args:
            handle: The protocol's `IO.StreamHandle`.
            size: Bytes of a piece, at most.

        Raises:
            ProtocolError: there is no such stream, or no more.

        Source: CDP `IO.read`, `IO.close`.
        """
        return streams.read(self, handle, size=size)

    def on_closed(self, handler: Callable[[SessionClosed], object]) -> Subscription:
        """Call a handler once when the session ends, be it with its target or its connection; at
        once, when it has.
        """
        subscription = self._listeners.add(CLOSED, handler)
        if self._closed is not None:
            subscription.deliver(self._closed)
        return subscription

    async def close(self) -> None:
        """Detach from the target, which lives on (Target.detachFromTarget); any number of times.

        Closing the root session closes the connection.
        """
        if self.parent is None:
            await self.connection.close()
        elif self._closed is None:
            # Before the browser says so itself, which is told as its doing.
            self.connection.forget(self, "this client detached it from its target")
            try:
                await self.parent.send("Target.detachFromTarget", {"sessionId": self.session_id})
            except CdpError as error:
                log.debug("Detaching %s: %s", self, error)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
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
        if self._every is not None:
            self._every.publish(EVERY, (name, params))

    def end(self, reason: str) -> None:
        """Note that the session is over and tell those who listen. Called by the connection."""
        if self._closed is None:
            self._closed = SessionClosed(None, self.session_id, reason)
            self._listeners.publish(CLOSED, self._closed)

    def _listen(
        self, name: str, hear: Callable[[Any], None], fail: Callable[[CdpError], None]
    ) -> list[Subscription]:
        if (over := self.over(name)) is not None:
            fail(over)
            return []
        ended = self.on_closed(lambda closed: fail(self.over(name) or closed))
        return [self._listeners.add(name, hear), ended]


def _name_of(event: str | Event[Any]) -> str:
    return event if isinstance(event, str) else event.name
