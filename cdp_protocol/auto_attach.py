"""Auto-attach: sessions for all existing and new targets of a session, and for their targets."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cdp_protocol.errors import CdpError
from cdp_protocol.event_stream import Arrivals
from cdp_protocol.events import Subscription

if TYPE_CHECKING:
    from cdp_protocol.session import Session

log = logging.getLogger(__name__)

ATTACHED = "Target.attachedToTarget"
SET = "Target.setAutoAttach"
RUN = "Runtime.runIfWaitingForDebugger"
OFF = {"autoAttach": False, "waitForDebuggerOnStart": False, "flatten": True}


class AutoAttach(Arrivals["Session"]):
    """An async iterator over the sessions of new targets, made by `Session.auto_attach`.

    Args:
        session: The session that reports the targets to attach to.
        filter: The target types to attach to, as a `Target.TargetFilter` of CDP.
        wait_for_debugger: Whether a new target is paused until it is resumed.
        recursive: Whether to attach to the targets of these targets too.
        silence: As in `Arrivals`.
    """

    def __init__(
        self,
        session: Session,
        *,
        filter: Sequence[Mapping[str, object]] | None,
        wait_for_debugger: bool,
        recursive: bool,
        silence: float | None,
    ) -> None:
        super().__init__(ATTACHED, silence=silence)
        self._session = session
        self._is_recursive = recursive
        self._on: dict[str, Any] = {
            "autoAttach": True,
            "waitForDebuggerOnStart": wait_for_debugger,
            "flatten": True,
        }
        if filter is not None:
            self._on["filter"] = list(filter)
        self._followed: dict[Session, list[Subscription]] = {}
        self._held: list[Session] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def _begin(self) -> None:
        if self._session.is_followed:
            raise RuntimeError(
                f"The targets of {self._session} are attached to already, by a block of auto_attach"
                " that is not left yet: iterate over its sessions. With recursive=False it leaves"
                " the targets of its targets to others."
            )
        self._session.is_followed = True
        ended = self._session.on_closed(
            lambda closed: self._fail(self._session.over(ATTACHED) or closed)
        )
        self._followed[self._session] = [ended, self._session.on(ATTACHED, self._attached)]
        try:
            await self._session.send(SET, self._on)
        except BaseException:
            # Even a cancelled command may have switched auto-attach on.
            await self._end()
            raise

    async def _end(self) -> None:
        try:
            if self._on["waitForDebuggerOnStart"]:
                # A shared or service worker that is detached while it is paused stays paused
                # forever. Detaching also overtakes the command to resume, so each step is awaited.
                self._on = {**self._on, "waitForDebuggerOnStart": False}
                await _all(session.send(SET, self._on) for session in reversed(self._switched()))
                await _all(session.send(RUN) for session in self._held)
            # Switching the first session off is not enough. Sessions that `attach` made in the
            # block stay attached, and auto-attach would stay on in them.
            await _all(session.send(SET, OFF) for session in self._switched())
        finally:
            for session in self._switched():
                session.is_followed = False
            for subscriptions in self._followed.values():
                for subscription in subscriptions:
                    subscription.close()
            self._followed.clear()
            for task in self._tasks:
                task.cancel()
            await _all(self._tasks)

    def _attached(self, event: Mapping[str, Any]) -> None:
        session = self._session.connection.session(event["sessionId"])
        heard = [session.on_closed(lambda _: self._forget(session))]
        if event.get("waitingForDebugger"):
            self._held.append(session)
        if self._is_recursive and not self._is_left:
            session.is_followed = True
            heard.append(session.on(ATTACHED, self._attached))
            # This task starts before the iterating code can resume the target. So auto-attach also
            # finds the first child of the target.
            task = asyncio.create_task(self._pass_on(session), name="cdp-auto-attach")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._followed[session] = heard
        self._put(session)

    async def _pass_on(self, session: Session) -> None:
        try:
            await session.send(SET, self._on)
        except CdpError as error:
            # The target is gone, or its type cannot have child targets.
            log.debug("No auto-attach for %s: %s", session, error)

    def _switched(self) -> list[Session]:
        """Return the sessions in which this block switched auto-attach on, the first one last."""
        return list(reversed(self._followed)) if self._is_recursive else [self._session]

    def _forget(self, session: Session) -> None:
        self._followed.pop(session, None)
        if session in self._held:
            self._held.remove(session)


async def _all(calls: Iterable[Awaitable[object]]) -> None:
    """Await all calls and log their errors, because any of their targets may be gone."""
    for said in await asyncio.gather(*calls, return_exceptions=True):
        if isinstance(said, Exception):
            log.debug("Switching auto-attach off: %s", said)
