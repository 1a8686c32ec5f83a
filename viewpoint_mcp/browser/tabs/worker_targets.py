"""The shared and service workers of a launched browser, which belong to contexts, not to tabs."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from cdp_protocol import CdpError, Connection, Session
from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.browser.context import Context
from viewpoint_mcp.browser.tabs.ownership import TabOwnership

if TYPE_CHECKING:
    from cdp_protocol.types.target import FilterEntry

WORKER_TYPES: Final = ("shared_worker", "service_worker")
"""Types of CDP targets that the browser reports on its root session."""

_COMMAND_LIMIT: Final = 1.0  # seconds; a busy worker responds late


class WorkerTargets:
    """Applies the emulation and the routes of contexts to their shared and service workers.

    Args:
        ownership: Finds the context of a worker.
        tasks: The tasks that send the commands.
    """

    def __init__(
        self, connection: Connection, ownership: TabOwnership, tasks: BackgroundTasks
    ) -> None:
        self._connection = connection
        self._ownership = ownership
        self._tasks = tasks
        self._starts: dict[Session, asyncio.Task[None]] = {}

    def start_or_detach(self, session: Session) -> None:
        """Start a worker with what its context requires, or detach from it."""
        context = self._ownership.find_context(session.target_info.get("browserContextId"))
        if context is None or not context.emulation.has_worker_overrides:
            self._tasks.start(_detach(session))
            return
        self._starts[session] = self._tasks.start(_start(session, context))
        session.on_closed(lambda _: self._starts.pop(session, None))

    async def attach_to_running(self, context: Context) -> None:
        """Attach to the workers of a context that were detached from, as they needed nothing.

        Source: CDP `Target.getTargets`.
        """
        kinds: list[FilterEntry] = [{"type": kind} for kind in WORKER_TYPES]
        found = await self._connection.root.Target.getTargets(filter=kinds)
        attached = {each.target_info["targetId"] for each in self._starts}
        for info in found["targetInfos"]:
            owner = self._ownership.find_context(info.get("browserContextId"))
            if owner is context and info["targetId"] not in attached:
                with suppress(CdpError):  # it may have ended
                    await self._connection.root.attach(info["targetId"])
        if self._starts:
            await asyncio.wait(self._starts.values(), timeout=_COMMAND_LIMIT)


async def _start(session: Session, context: Context) -> None:
    with suppress(CdpError):  # the worker may have ended
        await context.emulation.start_worker(session)


async def _detach(session: Session) -> None:
    with suppress(CdpError):  # the worker may have ended
        # A paused worker would stay paused after detaching.
        await session.Runtime.runIfWaitingForDebugger()
        await session.close()
