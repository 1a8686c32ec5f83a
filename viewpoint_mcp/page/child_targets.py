"""The processes of one page: its own, those of its frames from other sites, and its workers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from cdp_protocol import CdpError, Session
from viewpoint_mcp.page.console.console import Console
from viewpoint_mcp.page.emulation.emulation import ContextEmulation, PageEmulation
from viewpoint_mcp.page.file_choosers import FileChoosers
from viewpoint_mcp.page.frames import FrameTree
from viewpoint_mcp.page.isolated_world import add_bindings
from viewpoint_mcp.page.network.requests import Requests
from viewpoint_mcp.page.settle.activity import Activity
from viewpoint_mcp.tasks import Tasks

if TYPE_CHECKING:
    from cdp_protocol.types.page import FrameStoppedLoadingEvent
    from cdp_protocol.types.target import AttachedToTargetEvent, FilterEntry

log = logging.getLogger(__name__)

_KINDS: Final = ("iframe", "worker", "service_worker", "worklet", "shared_storage_worklet")
_FILTER: Final[list[FilterEntry]] = [{"type": kind} for kind in _KINDS]


class ChildTargets:
    """Attaches to the processes as they come, and has their events heard.

    Args:
        session: Of the page's target.
        frames: Gets to know which frame lives in which process.
        emulation: What they are told of the device.

    Attributes:
        requests: What they all asked of the network.
    """

    def __init__(
        self,
        session: Session,
        frames: FrameTree,
        activity: Activity,
        console: Console,
        choosers: FileChoosers,
        emulation: ContextEmulation,
    ) -> None:
        self._frames = frames
        self._activity = activity
        self._console = console
        self.requests = Requests()
        self._file_choosers = choosers
        self._tasks = Tasks()
        self.emulation = PageEmulation(session, emulation, self._tasks)

    async def follow(self, session: Session, *also: Awaitable[object]) -> None:
        """Follow one process, and those that its frames get later.

        Args:
            also: Commands to send in the same go, after all others.

        Source: CDP `Page.enable`, `Runtime.enable`, `Network.enable`, `Log.enable`,
        `Performance.enable`, `Target.setAutoAttach`.
        """
        for follower in (self._frames, self._activity, self._console, self.requests):
            follower.subscribe(session)
        session.on(session.Page.frameStoppedLoading, lambda event: self._loaded(session, event))
        session.on(session.Target.attachedToTarget, lambda event: self._attached(session, event))
        enabling = (
            session.Page.enable(),
            session.Runtime.enable(),
            session.Network.enable(),
            session.Log.enable(),
            session.Performance.enable(),
            self._file_choosers.follow(session),
            add_bindings(session),
            _attach_children(session),
            *self.emulation.start(session),
            *also,
        )
        tree, _ = await asyncio.gather(session.Page.getFrameTree(), asyncio.gather(*enabling))
        self._frames.load(tree["frameTree"], session)

    async def close(self) -> None:
        """Cancel what is under way. Idempotent."""
        self.emulation.close()
        await self._tasks.close()
        await self._console.close()

    def _loaded(self, session: Session, event: FrameStoppedLoadingEvent) -> None:
        if self._frames.main_id and self._frames.get(event["frameId"]) is None:
            self._tasks.start(self._look_for_another_page(session))

    async def _look_for_another_page(self, session: Session) -> None:
        """Take in a page that was prerendered before we came, and has taken the place of the one
        that was shown. Of that Chromium tells no more than the end of its load, of a frame that
        nobody has heard of; so we tell the rest.

        Source: CDP `Page.getFrameTree`.
        """
        with suppress(CdpError):
            tree = (await session.Page.getFrameTree())["frameTree"]
            frame = tree["frame"]
            if frame.get("parentId") or self._frames.get(frame["id"]) is not None:
                return
            session.dispatch("Page.frameNavigated", {"frame": frame, "type": "Navigation"})
            self._frames.load(tree, session)
            session.dispatch("Page.loadEventFired", {})

    def _attached(self, parent: Session, event: AttachedToTargetEvent) -> None:
        session = parent.connection.session(event["sessionId"])
        is_worker = event["targetInfo"]["type"] != "iframe"
        if is_worker:
            self._console.subscribe_worker(session)
        is_new = bool(event["waitingForDebugger"])
        self._tasks.start(
            self._start_worker(session) if is_worker else self._follow_frame(session, is_new)
        )

    async def _start_worker(self, session: Session) -> None:
        # It may have workers of its own.
        session.on(session.Target.attachedToTarget, lambda event: self._attached(session, event))
        self.requests.subscribe(session)
        try:
            await asyncio.gather(
                session.Runtime.enable(),
                session.Log.enable(),
                session.Network.enable(),
                _attach_children(session),
                self.emulation.context.start_worker(session),
            )
        except CdpError as error:
            log.debug("A worker went away before it could be told anything: %s", error)

    async def _follow_frame(self, session: Session, is_new: bool) -> None:
        """Follow a frame that lives in a process of its own.

        Args:
            is_new: It waits for the debugger, so no event is missed.
        """
        session.on(session.Inspector.targetCrashed, lambda _: self._frames.process_crashed(session))
        try:
            let_run = session.Runtime.runIfWaitingForDebugger()
            await self.follow(session, session.Inspector.enable(), let_run)
            # What it did before we heard it is not told again.
            if not is_new:
                self._activity.end_missed_requests(
                    str(session.target_info["targetId"]), self._frames
                )
        except CdpError as error:
            log.debug("A frame went away before it could be followed: %s", error)


async def _attach_children(session: Session) -> None:
    """Attach to the child targets of a process as they come.

    Each waits for the debugger before it runs, so that no event of its first requests is missed.

    Source: CDP `Target.setAutoAttach`.
    """
    await session.Target.setAutoAttach(
        autoAttach=True, waitForDebuggerOnStart=True, flatten=True, filter=_FILTER
    )
