"""File choosers of a page: kept from opening on the screen, and left to be answered by us.

In a browser of ours that holds all the time. A tab of the user's own, which we attached to, keeps
its choosers to itself but while an act of ours is under way.
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
    """Follows the file choosers of one page.

    Args:
        interruptions: Told of each chooser that waits for an answer.
        note: Takes a sentence for the reply about each that cannot be answered.
        always: Whether choosers are ours at all times; else only within `held`.
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
        """Follow the choosers of one process.

        Source: CDP `Page.fileChooserOpened`.
        """
        session.on(session.Page.fileChooserOpened, lambda event: self._opened(session, event))
        self._sessions = [*(each for each in self._sessions if each.closed is None), session]
        if self._always or self._holders:
            await _intercept(session, enabled=True)

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """Keep choosers that open meanwhile from the screen."""
        self._holders += 1
        try:
            await self._switch(on=True)
            yield
        finally:
            self._holders -= 1
            await self._switch(on=False)

    def take(self) -> Chooser | None:
        """Return the open chooser, which no longer counts as open.

        Until it is `answered` or `put_back`, its input's asking once more changes nothing: a double
        click asks twice, and the second may be told only now.
        """
        self._taken = self._blockers.chooser
        self._blockers.chooser_closed()
        return self._taken

    def put_back(self, chooser: Chooser) -> None:
        """What was taken was not answered: it waits on."""
        self._taken = None
        self._blockers.chooser_opened(chooser)

    def answered(self) -> None:
        """What was taken is being answered: from here on its input may ask anew."""
        self._taken = None

    def frame_gone(self, frame: Frame) -> None:
        """A document is no more, and with it the chooser that it had."""
        chooser = self._blockers.chooser
        if chooser is not None and chooser.frame_id == frame.id:
            self._blockers.chooser_closed()

    async def cancel(self, session: Session, world: IsolatedWorld, object_id: str) -> None:
        """Tell an input that its chooser was cancelled, as the browser itself does: it is had to
        ask once more and refused.

        Args:
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
        """Wait no longer for what a dialog holds up. Idempotent."""
        await self._switching.close()

    async def _switch(self, *, on: bool) -> None:
        """Keep choosers to us or no longer. Behind a dialog the page takes note of it later, in its
        turn, and nobody waits for that.
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
                # However it ends: `close` cancels it.
                task.add_done_callback(ended)
            await asyncio.sleep(0)  # they are sent
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
