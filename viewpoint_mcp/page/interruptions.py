"""What ends every wait on a page at once: a dialog, a file chooser, a crash, the end of the page or
of the browser.

All waiting of the page layer passes through `race` or `act`; CDP's errors are translated here and
nowhere else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from cdp_protocol import CallTimeout, CdpError, ConnectionLost, Session, SessionClosed
from viewpoint_mcp.errors import BrowserError, ModalOpen, PageError, ViewpointError
from viewpoint_mcp.tasks import first_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Dialog:
    """An open JavaScript dialog.

    Attributes:
        kind: "alert", "confirm", "prompt" or "beforeunload" (CDP `Page.DialogType`).
        default_prompt: The text a prompt offers; "" for the others.
    """

    kind: str
    message: str
    default_prompt: str = ""

    def __str__(self) -> str:
        # On one line, so that a page's words cannot pass for a section of the reply.
        message = " ".join(self.message.split())
        return f'"{self.kind}" dialog with message "{message}"'


@dataclass(frozen=True, slots=True, eq=False)
class Chooser:
    """A file chooser that the page opened and that nobody was shown.

    Attributes:
        session: Of the process that its input lives in.
        frame_id: CDP `Page.FrameId` of the input's frame.
        backend_node_id: CDP `DOM.BackendNodeId` of the input.
    """

    session: Session
    frame_id: str
    backend_node_id: int


class Interruptions:
    """The page's state as far as it stops calls, and the one place where waits are raced against
    it.
    """

    def __init__(self) -> None:
        self.dialog: Dialog | None = None
        self.chooser: Chooser | None = None
        self.crashed = False
        self.closed = False
        self.unresponsive = False
        self.browser_gone = False
        self._listeners: set[Callable[[], None]] = set()

    def dialog_opened(self, dialog: Dialog) -> None:
        self.dialog = dialog
        self._notify()

    def dialog_closed(self) -> None:
        self.dialog = None

    def chooser_opened(self, chooser: Chooser) -> None:
        """A later one takes the place of one that was not answered."""
        self.chooser = chooser
        self._notify()

    def chooser_closed(self) -> None:
        self.chooser = None

    def page_crashed(self) -> None:
        self.crashed = True
        self._notify()

    def page_closed(self) -> None:
        self.closed = True
        self._notify()

    def recovered(self) -> None:
        """A new document is there: the crash is over and scripts answer again."""
        self.crashed = False
        self.unresponsive = False

    def reason(self) -> ViewpointError | None:
        """Return the error that stands for the present state; None when nothing stops the page."""
        if self.browser_gone:
            return BrowserError(
                "The browser is gone.", "All refs are void; the next call starts it afresh."
            )
        if self.closed:
            return PageError("The page was closed.", "Use browser_tabs to see the open pages.")
        if self.crashed:
            return PageError(
                "The page crashed.", "Use browser_navigate to load it or another page."
            )
        if self.dialog is not None:
            return ModalOpen(
                f"The page waits until its {self.dialog} is answered.",
                "Use browser_handle_dialog to do so.",
            )
        if self.chooser is not None:
            return ModalOpen(
                "The page waits until its file chooser is answered.",
                "Use browser_file_upload to do so.",
            )
        return None

    async def race(self, waiting: Awaitable[T]) -> T:
        """Wait, but no longer than the page can go on.

        Raises:
            PageError: The page was interrupted first, or did not answer in time.
            BrowserError: The browser is gone.
        """
        task = asyncio.ensure_future(waiting)
        noticed = asyncio.Event()
        self._listeners.add(noticed.set)
        try:
            # A dialog may open and be answered before this runs again: look, each time.
            while not task.done() and (reason := self.reason()) is None:
                noticed.clear()
                await first_of(task, noticed)
            if not task.done() and reason is not None:
                raise reason
            return task.result()
        except CdpError as error:
            raise self._translate(error) from error
        finally:
            self._listeners.discard(noticed.set)
            await _drop(task)

    async def act(self, waiting: Awaitable[T]) -> T | None:
        """Wait for an act's events to be taken; a dialog or chooser that they open is their
        consequence, not a failure.

        Returns:
            What was waited for; None when such a one came first.
        """
        try:
            return await self.race(waiting)
        except ModalOpen:
            return None

    async def translated(self, waiting: Awaitable[T]) -> T:
        """Wait whatever is open: for what ends the interruption itself."""
        try:
            return await waiting
        except CdpError as error:
            raise self._translate(error) from error

    def on_interruption(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` at each interruption; returns the function that ends that."""
        self._listeners.add(listener)
        return lambda: self._listeners.discard(listener)

    def _notify(self) -> None:
        for listener in list(self._listeners):
            listener()

    def _translate(self, error: CdpError) -> ViewpointError:
        if isinstance(error, ConnectionLost):
            self.browser_gone = True
        if isinstance(error, ConnectionLost | SessionClosed):
            # Of the page's own session the event has told already; else it was a frame's.
            return self.reason() or PageError("The frame went away.", "Take a new snapshot.")
        if isinstance(error, CallTimeout):
            self.unresponsive = True
            return PageError(
                f"The page did not answer within {error.seconds:g} s; its script may run for ever.",
                "Use browser_navigate to leave it, or browser_close.",
            )
        return PageError(f"Chromium refused: {error}")


async def _drop(task: asyncio.Future[T]) -> None:
    if task.done():
        if not task.cancelled():
            task.exception()
        return
    task.cancel()
    await asyncio.wait({task})
