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
from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.page.blocking_conditions import BlockingConditions, FileChooser
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.isolated_world import IsolatedWorld

if TYPE_CHECKING:
    from cdp_protocol.types.page import FileChooserOpenedEvent

_PICKER_EVENT = (
    "The page called showOpenFilePicker, showDirectoryPicker or showSaveFilePicker. Only a person "
    "can answer these, so the call was cancelled"
)


class FileChoosers:
    """Intercepts and tracks the file choosers of one page.

    Args:
        blockers: Notified of each chooser that waits for an answer.
        add_event: Called with a sentence for the reply about each chooser that cannot be answered.
        is_permanent: Whether to intercept choosers at all times; otherwise only within
            `intercept_temporarily`.
    """

    def __init__(
        self, blockers: BlockingConditions, add_event: Callable[[str], None], *, is_permanent: bool
    ) -> None:
        self._blockers = blockers
        self._add_event = add_event
        self._is_permanent = is_permanent
        self._open_blocks = 0
        self._is_left_to_person = False
        self._is_cancelling = False
        self._claimed: FileChooser | None = None
        self._sessions: list[Session] = []
        self._tasks = BackgroundTasks()

    async def subscribe(self, session: Session) -> None:
        """Subscribe to the choosers of one CDP session.

        Source: CDP `Page.fileChooserOpened`.
        """
        session.on(
            session.Page.fileChooserOpened, lambda event: self._on_chooser_opened(session, event)
        )
        self._sessions = [*(each for each in self._sessions if each.closed is None), session]
        if (self._is_permanent or self._open_blocks) and not self._is_left_to_person:
            await _send_interception(session, is_enabled=True)

    @asynccontextmanager
    async def leave_to_person(self) -> AsyncIterator[None]:
        """Let Chromium show the choosers while the block runs, because a person acts on the page.

        Source: CDP `Page.setInterceptFileChooserDialog`.
        """
        self._is_left_to_person = True
        try:
            await self._switch_permanent_interception(is_enabled=False)
            yield
        finally:
            self._is_left_to_person = False
            await self._switch_permanent_interception(is_enabled=True)

    @asynccontextmanager
    async def intercept_temporarily(self) -> AsyncIterator[None]:
        """Intercept choosers while the block runs."""
        self._open_blocks += 1
        try:
            await self._set_interception(is_enabled=True)
            yield
        finally:
            self._open_blocks -= 1
            await self._set_interception(is_enabled=False)

    def claim_open_chooser(self) -> FileChooser | None:
        """Return the open chooser and mark it as no longer open; None if no chooser is open.

        Until `note_chooser_answered` or `mark_chooser_open_again` is called, a repeated request of
        the same input is ignored. A double click requests the chooser twice, and the second event
        may arrive late.
        """
        self._claimed = self._blockers.file_chooser
        self._blockers.note_chooser_closed()
        return self._claimed

    def mark_chooser_open_again(self, chooser: FileChooser) -> None:
        """Mark a chooser from `claim_open_chooser` as open again, because it was not answered."""
        self._claimed = None
        self._blockers.note_chooser_opened(chooser)

    def note_chooser_answered(self) -> None:
        """Note that the chooser is being answered. Its input may request a new one."""
        self._claimed = None

    def forget_frame(self, frame: Frame) -> None:
        """Note that the document of a frame is gone, and with it an open chooser."""
        chooser = self._blockers.file_chooser
        if chooser is not None and chooser.frame_id == frame.id:
            self._blockers.note_chooser_closed()

    async def cancel_chooser(self, session: Session, world: IsolatedWorld, object_id: str) -> None:
        """Make the browser report to an input that its chooser was cancelled.

        The input requests its chooser once more, and Chromium is set to cancel that request.

        Args:
            session: CDP session of the process that renders the input.
            world: The isolated world of the input's document.
            object_id: `Runtime.RemoteObjectId` of the input in that world.

        Source: CDP `Page.setInterceptFileChooserDialog`.
        """
        self._is_cancelling = True
        self.note_chooser_answered()
        try:
            await _send_interception(session, is_enabled=True, should_cancel=True)
            await world.call_on_nodes("askForFiles", [object_id], is_user_gesture=True)
        finally:
            self._is_cancelling = False
            await _send_interception(
                session, is_enabled=self._is_permanent or self._open_blocks > 0
            )

    async def cancel_background_tasks(self) -> None:
        """Cancel changes of the interception that a dialog delays. Idempotent."""
        await self._tasks.close()

    async def _set_interception(self, *, is_enabled: bool) -> None:
        """Start or stop the interception, unless it is permanent or another block needs it.

        While a dialog is open, the page applies the change later. This method then does not wait.
        """
        if self._is_permanent or self._open_blocks != int(is_enabled) or not self._sessions:
            return
        over = asyncio.Event()
        switching: set[asyncio.Task[None]] = set()

        def end_when_all_switched(task: asyncio.Task[None]) -> None:
            switching.discard(task)
            if not switching:
                over.set()

        forget = self._blockers.on_interruption(over.set)
        try:
            for session in self._sessions:
                task = self._tasks.start(_send_interception(session, is_enabled=is_enabled))
                switching.add(task)
                # A callback, because it also runs when `cancel_background_tasks` cancels the task.
                task.add_done_callback(end_when_all_switched)
            await asyncio.sleep(0)  # the tasks send their commands
            if self._blockers.dialog is None:
                await over.wait()
        finally:
            forget()

    async def _switch_permanent_interception(self, *, is_enabled: bool) -> None:
        """Switch in the background: a page with a dialog responds after the dialog."""
        if self._is_permanent:
            for session in self._sessions:
                self._tasks.start(_send_interception(session, is_enabled=is_enabled))
            await asyncio.sleep(0)  # the tasks send their commands

    def _on_chooser_opened(self, session: Session, event: FileChooserOpenedEvent) -> None:
        if self._is_cancelling:
            return
        if "backendNodeId" not in event:
            self._add_event(_PICKER_EVENT)
            return
        chooser = FileChooser(session, event["frameId"], event["backendNodeId"])
        if chooser != self._claimed:
            self._blockers.note_chooser_opened(chooser)


async def _send_interception(
    session: Session, *, is_enabled: bool, should_cancel: bool | None = None
) -> None:
    with suppress(CdpError):  # the process may be gone
        await session.Page.setInterceptFileChooserDialog(enabled=is_enabled, cancel=should_cancel)
