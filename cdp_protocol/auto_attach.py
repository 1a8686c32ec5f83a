"""Auto-attach: sessions for all existing and new targets of a session, and for their targets."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cdp_protocol.errors import CdpError
from cdp_protocol.event_stream import ItemStream
from cdp_protocol.events import Subscription

if TYPE_CHECKING:
    from cdp_protocol.session import Session

log = logging.getLogger(__name__)

ATTACHED_EVENT = "Target.attachedToTarget"
SET_AUTO_ATTACH = "Target.setAutoAttach"
RUN_IF_WAITING = "Runtime.runIfWaitingForDebugger"
AUTO_ATTACH_OFF = {"autoAttach": False, "waitForDebuggerOnStart": False, "flatten": True}


class AutoAttach(ItemStream["Session"]):
    """An async iterator over the sessions of new targets, made by `Session.auto_attach`.

    Args:
        session: The session that reports the targets to attach to.
        filter: The target types to attach to, as a `Target.TargetFilter` of CDP.
        wait_for_debugger: Whether a new target is paused until it is resumed.
        recursive: Whether to attach to the targets of these targets too.
        silence: As in `ItemStream`.
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
        super().__init__(ATTACHED_EVENT, silence=silence)
        self._session = session
        self._is_recursive = recursive
        self._params: dict[str, Any] = {
            "autoAttach": True,
            "waitForDebuggerOnStart": wait_for_debugger,
            "flatten": True,
        }
        if filter is not None:
            self._params["filter"] = list(filter)
        self._subscriptions: dict[Session, list[Subscription]] = {}
        self._paused_sessions: list[Session] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def _start_receiving(self) -> None:
        if self._session.has_auto_attach:
            raise RuntimeError(
                f"An open auto_attach block already covers {self._session}. Iterate over the"
                " sessions of that block, or pass recursive=False to it."
            )
        self._session.has_auto_attach = True
        on_closed = self._session.on_closed(
            lambda closed: self._fail(self._session.closed_error(ATTACHED_EVENT) or closed)
        )
        self._subscriptions[self._session] = [
            on_closed,
            self._session.on(ATTACHED_EVENT, self._on_target_attached),
        ]
        try:
            await self._session.send(SET_AUTO_ATTACH, self._params)
        except BaseException:
            # Even a cancelled command may have switched auto-attach on.
            await self._stop_receiving()
            raise

    async def _stop_receiving(self) -> None:
        try:
            if self._params["waitForDebuggerOnStart"]:
                # A shared or service worker that is detached while it is paused stays paused
                # forever. Detaching also overtakes the command to resume, so each step is awaited.
                self._params = {**self._params, "waitForDebuggerOnStart": False}
                await _await_all_and_log_errors(
                    session.send(SET_AUTO_ATTACH, self._params)
                    for session in reversed(self._sessions_with_auto_attach())
                )
                await _await_all_and_log_errors(
                    session.send(RUN_IF_WAITING) for session in self._paused_sessions
                )
            # Switching the first session off is not enough. Sessions that `attach` made in the
            # block stay attached, and auto-attach would stay on in them.
            await _await_all_and_log_errors(
                session.send(SET_AUTO_ATTACH, AUTO_ATTACH_OFF)
                for session in self._sessions_with_auto_attach()
            )
        finally:
            for session in self._sessions_with_auto_attach():
                session.has_auto_attach = False
            for subscriptions in self._subscriptions.values():
                for subscription in subscriptions:
                    subscription.close()
            self._subscriptions.clear()
            for task in self._tasks:
                task.cancel()
            await _await_all_and_log_errors(self._tasks)

    def _on_target_attached(self, event: Mapping[str, Any]) -> None:
        session = self._session.connection.session(event["sessionId"])
        subscriptions = [session.on_closed(lambda _: self._remove_session(session))]
        if event.get("waitingForDebugger"):
            self._paused_sessions.append(session)
        if self._is_recursive and not self._is_closed:
            session.has_auto_attach = True
            subscriptions.append(session.on(ATTACHED_EVENT, self._on_target_attached))
            # This task starts before the iterating code can resume the target. So auto-attach also
            # finds the first child of the target.
            task = asyncio.create_task(self._enable_auto_attach(session), name="cdp-auto-attach")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._subscriptions[session] = subscriptions
        self._add_item(session)

    async def _enable_auto_attach(self, session: Session) -> None:
        try:
            await session.send(SET_AUTO_ATTACH, self._params)
        except CdpError as error:
            # The target is gone, or its type cannot have child targets.
            log.debug("No auto-attach for %s: %s", session, error)

    def _sessions_with_auto_attach(self) -> list[Session]:
        """Return the sessions in which this block switched auto-attach on, the first one last."""
        return list(reversed(self._subscriptions)) if self._is_recursive else [self._session]

    def _remove_session(self, session: Session) -> None:
        self._subscriptions.pop(session, None)
        if session in self._paused_sessions:
            self._paused_sessions.remove(session)


async def _await_all_and_log_errors(calls: Iterable[Awaitable[object]]) -> None:
    """Await all calls and log their errors, because any of their targets may be gone."""
    for result in await asyncio.gather(*calls, return_exceptions=True):
        if isinstance(result, Exception):
            log.debug("Cannot switch auto-attach off: %s", result)
