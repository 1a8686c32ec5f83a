"""The file choosers of a page. They are intercepted: Chromium does not show them, a tool answers.

In a tab of the user (attached browser), they are intercepted only during an action. In all other
tabs they are always intercepted.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from cdp_protocol import CdpError, Session
from viewpoint_mcp.page.blockers import Blockers, Chooser
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.isolated_world import IsolatedWorld
from viewpoint_mcp.tasks import Tasks

if TYPE_CHECKING:
    from cdp_protocol.types.page import FileChooserOpenedEvent

_PICKER = (
    "The page asked for files by showOpenFilePicker, showDirectoryPicker or showSaveFilePicker, "
    "which nobody but a person can answer; it was told that this was cancelled"
)


class FileChoosers:
    """Intercepts and tracks the file choosers of one page.

    Args:
        blockers: Notified of each chooser that waits for an answer.
        note: Called with a sentence for the reply about each chooser that cannot be answered.
        always: Whether to intercept choosers at all times; otherwise only within `held`.
    """

    def __init__(self, blockers: Blockers, note: Callable[[str], None], *, always: bool) -> None:
        self._blockers = blockers
        self._note = note
        self._always = always
        self._holders = 0
        self._is_cancelling = False
        self._taken: Chooser | None = None
        self._sessions: list[Session] = []
        self._switching = Tasks()

    async def follow(self, session: Session) -> None:
        """Subscribe to the choosers of one CDP session.

        Source: CDP `Page.fileChooserOpened`.
        """
        session.on(session.Page.fileChooserOpened, lambda event: self._opened(session, event))
        self._sessions = [*(each for each in self._sessions if each.closed is None), session]
        if self._always or self._holders:
            await _intercept(session, enabled=True)

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """Intercept choosers while the block runs."""
        self._holders += 1
        try:
            await self._switch(on=True)
            yield
        finally:
            self._holders -= 1
            await self._switch(on=False)

    def take(self) -> Chooser | None:
        """Return the open chooser and mark it as no longer open; None if no chooser is open.

        Until `answered` or `put_back` is called, a repeated request of the same input is ignored.
        A double click requests the chooser twice, and the second event may arrive late.
        """
        self._taken = self._blockers.chooser
        self._blockers.chooser_closed()
        return self._taken

    def put_back(self, chooser: Chooser) -> None:
        """Mark a chooser from `take` as open again, because it was not answered."""
        self._taken = None
        self._blockers.chooser_opened(chooser)

    def answered(self) -> None:
        """Note that the chooser from `take` is being answered. Its input may request a new one."""
        self._taken = None

    def frame_gone(self, frame: Frame) -> None:
        """Note that the document of a frame is gone, and with it an open chooser."""
        chooser = self._blockers.chooser
        if chooser is not None and chooser.frame_id == frame.id:
            self._blockers.chooser_closed()

    async def cancel(self, session: Session, world: IsolatedWorld, object_id: str) -> None:
        """Make the browser report to an input that its chooser was cancelled.

        The input requests its chooser once more, and Chromium is set to cancel that request.

        Args:
            session: CDP session of the process that renders the input.
            world: The isolated world of the input's document.
            object_id: `Runtime.RemoteObjectId` of the input in that world.

        Source: CDP `Page.setInterceptFileChooserDialog`.
        """
        self._is_cancelling = True
        self.answered()
        try:
            await _intercept(session, enabled=True, cancel=True)
            await world.call_on_nodes("askForFiles", [object_id], as_user=True)
        finally:
            self._is_cancelling = False
            await _intercept(session, enabled=self._always or self._holders > 0)

    async def close(self) -> None:
        """Cancel changes of the interception that a dialog delays. Idempotent."""
        await self._switching.close()

    async def _switch(self, *, on: bool) -> None:
        """Start or stop the interception, unless it is permanent or another `held` needs it.

        While a dialog is open, the page applies the change later. This method then does not wait.
        """
        if self._always or self._holders != int(on) or not self._sessions:
            return
        over = asyncio.Event()
        switching: set[asyncio.Task[None]] = set()

        def ended(task: asyncio.Task[None]) -> None:
            switching.discard(task)
            if not switching:
                over.set()

        forget = self._blockers.on_interruption(over.set)
        try:
            for session in self._sessions:
                task = self._switching.start(_intercept(session, enabled=on))
                switching.add(task)
                # A callback, because it also runs when `close` cancels the task.
                task.add_done_callback(ended)
            await asyncio.sleep(0)  # the tasks send their commands
            if self._blockers.dialog is None:
                await over.wait()
        finally:
            forget()

    def _opened(self, session: Session, event: FileChooserOpenedEvent) -> None:
        if self._is_cancelling:
            return
        if "backendNodeId" not in event:
            self._note(_PICKER)
            return
        chooser = Chooser(session, event["frameId"], event["backendNodeId"])
        if chooser != self._taken:
            self._blockers.chooser_opened(chooser)


async def _intercept(session: Session, *, enabled: bool, cancel: bool | None = None) -> None:
    with suppress(CdpError):  # the process may be gone
        await session.Page.setInterceptFileChooserDialog(enabled=enabled, cancel=cancel)
