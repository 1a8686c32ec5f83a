"""The CDP targets of one page: the page, its out-of-process frames, and its workers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from cdp_protocol import CdpError, Session
from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.page.console.console import Console
from viewpoint_mcp.page.emulation.context_emulation import ContextEmulation
from viewpoint_mcp.page.emulation.page_emulation import PageEmulation
from viewpoint_mcp.page.file_choosers import FileChoosers
from viewpoint_mcp.page.frames import FrameTree
from viewpoint_mcp.page.handover.private_time import PrivateTime
from viewpoint_mcp.page.isolated_world import add_bindings
from viewpoint_mcp.page.network.request_log import RequestLog
from viewpoint_mcp.page.settle.pending_work_dispatcher import WorkDispatcher

if TYPE_CHECKING:
    from cdp_protocol.types.page import FrameStoppedLoadingEvent
    from cdp_protocol.types.target import AttachedToTargetEvent, FilterEntry
    from viewpoint_mcp.page.webmcp.webmcp import WebMcp

log = logging.getLogger(__name__)

_CHILD_TYPES: Final = ("iframe", "worker", "service_worker", "worklet", "shared_storage_worklet")
_CHILD_FILTER: Final[list[FilterEntry]] = [{"type": kind} for kind in _CHILD_TYPES]


class ChildTargets:
    """Attaches to the child targets of a page, and subscribes the parts of the page to all targets.

    Args:
        session: CDP session of the page's target.
        frames: Records the frames, and the CDP session of each.
        work_dispatcher: Receives the events that settling waits for.
        console: Receives the console messages.
        choosers: Intercepts the file choosers.
        emulation: The emulated device of the browser context.
        private_time: The times in which a person acts in the browser context.
        webmcp: Tracks the tools that the documents offer; None to track none.

    Attributes:
        request_log: The network requests of all targets.
        emulation: The emulated device of the page.
    """

    def __init__(
        self,
        session: Session,
        frames: FrameTree,
        work_dispatcher: WorkDispatcher,
        console: Console,
        choosers: FileChoosers,
        emulation: ContextEmulation,
        private_time: PrivateTime,
        webmcp: WebMcp | None = None,
    ) -> None:
        self._webmcp = webmcp
        self._frames = frames
        self._work_tracker = work_dispatcher
        self._console = console
        self.request_log = RequestLog(private_time)
        self._file_choosers = choosers
        self._tasks = BackgroundTasks()
        self.emulation = PageEmulation(session, emulation, self._tasks)

    async def subscribe_target(
        self, session: Session, *commands_sent_after: Awaitable[object]
    ) -> None:
        """Subscribe to the page or to an out-of-process frame, and to its later child targets.

        Args:
            session: CDP session of the target.
            commands_sent_after: Further commands, sent together with the others and after them.

        Source: CDP `Page.enable`, `Runtime.enable`, `Network.enable`, `Log.enable`,
        `Performance.enable`, `Target.setAutoAttach`.
        """
        for follower in (self._frames, self._work_tracker, self._console, self.request_log):
            follower.subscribe(session)
        session.on(
            session.Page.frameStoppedLoading,
            lambda event: self._on_frame_stopped_loading(session, event),
        )
        session.on(
            session.Target.attachedToTarget, lambda event: self._on_target_attached(session, event)
        )
        enabling = (
            session.Page.enable(),
            session.Runtime.enable(),
            session.Network.enable(),
            session.Log.enable(),
            session.Performance.enable(),
            self._file_choosers.subscribe(session),
            add_bindings(session),
            _auto_attach_children(session),
            *((self._webmcp.subscribe(session),) if self._webmcp is not None else ()),
            *self.emulation.list_start_commands(session, self.request_log),
            *commands_sent_after,
        )
        tree, _ = await asyncio.gather(session.Page.getFrameTree(), asyncio.gather(*enabling))
        self._frames.add_tree(tree["frameTree"], session)

    async def close(self) -> None:
        """Cancel the running tasks. Idempotent."""
        self.emulation.close()
        await self._tasks.close()
        await self._console.close()

    def _on_frame_stopped_loading(self, session: Session, event: FrameStoppedLoadingEvent) -> None:
        if self._frames.main_id and self._frames.get(event["frameId"]) is None:
            self._tasks.start(self._adopt_prerendered_page(session))

    async def _adopt_prerendered_page(self, session: Session) -> None:
        """Adopt a prerendered page that replaced the visible page.

        If the prerendering began before the server attached, Chromium only reports that an unknown
        frame stopped loading. This method dispatches the missing events itself.

        Source: CDP `Page.getFrameTree`.
        """
        with suppress(CdpError):
            tree = (await session.Page.getFrameTree())["frameTree"]
            frame = tree["frame"]
            if frame.get("parentId") or self._frames.get(frame["id"]) is not None:
                return
            session.dispatch_event("Page.frameNavigated", {"frame": frame, "type": "Navigation"})
            self._frames.add_tree(tree, session)
            session.dispatch_event("Page.loadEventFired", {})

    def _on_target_attached(self, parent: Session, event: AttachedToTargetEvent) -> None:
        session = parent.connection.session(event["sessionId"])
        is_worker = event["targetInfo"]["type"] != "iframe"
        if is_worker:
            self._console.subscribe_worker(session)
        waits_for_debugger = bool(event["waitingForDebugger"])
        self._tasks.start(
            self._start_worker(session)
            if is_worker
            else self._start_out_of_process_frame(session, waits_for_debugger)
        )

    async def _start_worker(self, session: Session) -> None:
        # A worker can start further workers.
        session.on(
            session.Target.attachedToTarget, lambda event: self._on_target_attached(session, event)
        )
        self.request_log.subscribe(session)
        try:
            await asyncio.gather(
                session.Runtime.enable(),
                session.Log.enable(),
                session.Network.enable(),
                _auto_attach_children(session),
                self.emulation.context.start_worker(session, self.request_log),
            )
        except CdpError as error:
            log.debug("A worker ended before its setup: %s", error)

    async def _start_out_of_process_frame(self, session: Session, waits_for_debugger: bool) -> None:
        """Subscribe to an out-of-process frame and let it run.

        Args:
            waits_for_debugger: Whether the frame has not run yet, so that no event was missed.
        """
        session.on(
            session.Inspector.targetCrashed, lambda _: self._frames.mark_process_crashed(session)
        )
        try:
            let_run = session.Runtime.runIfWaitingForDebugger()
            await self.subscribe_target(session, session.Inspector.enable(), let_run)
            # Chromium does not repeat the events from before the subscription.
            if not waits_for_debugger:
                self._work_tracker.end_requests_of_moved_frame(
                    str(session.target_info["targetId"]), self._frames
                )
        except CdpError as error:
            log.debug("A frame was removed before its setup: %s", error)


async def _auto_attach_children(session: Session) -> None:
    """Make Chromium attach to new child targets of a target.

    Each child waits for the debugger before it runs, so that no event of its requests is missed.

    Source: CDP `Target.setAutoAttach`.
    """
    await session.Target.setAutoAttach(
        autoAttach=True, waitForDebuggerOnStart=True, flatten=True, filter=_CHILD_FILTER
    )
