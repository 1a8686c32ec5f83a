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

from cdp_protocol import CallTimeout, CdpError, ConnectionLost, Session, SessionClosed, Unanswered
from viewpoint_mcp.accessibility.invisible_characters import scrub
from viewpoint_mcp.errors import BrowserGone, ModalOpen, PageError, ViewpointError
from viewpoint_mcp.tasks import drop, first_of

T = TypeVar("T")

_SHOWN = 1000  # characters of a dialog's message
_SHARED = 0.5  # seconds for a page to show that it does not share the process that a dialog stops

_GRACE = 1.0  # seconds; a busy machine takes its time for the second click of two


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
        # On one line and in its quotes, so that a page's words cannot pass for ours.
        message = " ".join(scrub(self.message[:_SHOWN]).split()).replace('"', r"\"")
        left = len(self.message) - _SHOWN
        more = f" (and {left:,} more characters)" if left > 0 else ""
        return f'"{self.kind}" dialog with message "{message}"{more}'


@dataclass(frozen=True, slots=True)
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


class Blockers:
    """The page's state as far as it stops calls, and the one place where waits are raced against
    it.

    Args:
        session: CDP session of the page, to find out whether the page answers.
        find_dialog_elsewhere: Names a dialog that is open in another tab, if there is one. Tabs of
            one site may share a process, and the dialog of one tab then stops the others: no wait
            outlasts that.
        check_browser: Returns once the browser has answered, or is given up. It tells a page that
            hangs from a browser that hangs.
    """

    def __init__(
        self,
        session: Session | None = None,
        *,
        find_dialog_elsewhere: Callable[[], str | None] = lambda: None,
        check_browser: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.dialog: Dialog | None = None
        self.chooser: Chooser | None = None
        self.crashed = False
        self.closed = False
        self.unresponsive = False
        self.lost: ConnectionLost | None = None  # of the browser itself
        self._context = ""
        self._listeners: set[Callable[[], None]] = set()
        self._races: set[asyncio.Event] = set()
        self._session = session
        self._find_dialog_elsewhere = find_dialog_elsewhere
        self._check_browser = check_browser

    def look_again(self) -> None:
        """A dialog opened in another tab."""
        for noticed in self._races:
            noticed.set()

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

    def page_closed(self, *, with_context: str = "") -> None:
        """The page is no more.

        Args:
            with_context: The name of its context, if that was closed as a whole.
        """
        self.closed = True
        self._context = self._context or with_context
        self._notify()

    def recovered(self) -> None:
        """A new document is there: the crash is over and scripts answer again."""
        self.crashed = False
        self.unresponsive = False

    def reason(self) -> ViewpointError | None:
        """Return the error that stands for the present state; None when nothing stops the page."""
        if self.lost is not None:
            return browser_gone(self.lost)
        if self._context:
            return context_closed(self._context)
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
        self._races.add(noticed)
        try:
            # A dialog may open and be answered before this runs again: look, each time.
            while not task.done() and (reason := self.reason()) is None:
                noticed.clear()
                elsewhere = self._find_dialog_elsewhere()
                await first_of(task, noticed, _SHARED if elsewhere else None)
                if elsewhere and not task.done() and not noticed.is_set():
                    await self._check_answering(elsewhere)
            if self.dialog is None and self.chooser is not None and noticed.is_set():
                # What opened it may be over at once: behind a chooser the page goes on.
                await asyncio.wait({task}, timeout=_GRACE)
            if not task.done() and reason is not None:
                raise reason
            return task.result()
        except CdpError as error:
            raise await self._translate(error) from error
        finally:
            self._races.discard(noticed)
            await drop(task)

    async def _check_answering(self, elsewhere: str) -> None:
        """Source: CDP `Runtime.evaluate`."""
        assert self._session is not None
        try:
            await self._session.send("Runtime.evaluate", {"expression": "0"}, timeout=_SHARED)
        except CallTimeout as error:
            raise ModalOpen(
                f"The page does not answer as long as {elsewhere} is not answered.",
                "Use browser_tabs to select that tab, then browser_handle_dialog.",
            ) from error

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
            raise await self._translate(error) from error

    def on_interruption(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` at each interruption; returns the function that ends that."""
        self._listeners.add(listener)
        return lambda: self._listeners.discard(listener)

    def _notify(self) -> None:
        self.look_again()
        for listener in list(self._listeners):
            listener()

    async def _translate(self, error: CdpError) -> ViewpointError:
        if isinstance(error, CallTimeout) and self._check_browser is not None:
            await self._check_browser()
            if self.lost is not None:
                error = self.lost
        if isinstance(error, ConnectionLost):
            self.lost = error
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


def browser_gone(lost: ConnectionLost) -> BrowserGone:
    """Return what is said of the loss of the browser; whoever has the browser adds what to do."""
    if isinstance(lost, Unanswered):
        return BrowserGone(f"The browser hangs: {lost.reason}.")
    return BrowserGone("The browser is gone.")


def context_closed(name: str) -> PageError:
    """Return what is said of a page whose context was closed."""
    return PageError(
        f'The context "{name}" was closed, and this page with it.',
        "Use browser_context_list to see which there are.",
    )
