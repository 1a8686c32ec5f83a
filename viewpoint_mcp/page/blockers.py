"""The conditions that end every wait on a page at once.

These are a dialog, a file chooser, a crash, the end of the page, and the loss of the browser. All
waits of the page layer go through `race` or `act`. Only this module translates CDP errors.
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

_SHOWN = 1000  # characters of a dialog's message in a reply
_SHARED = 0.5  # seconds for a page to prove that a dialog in another tab does not block its process

_GRACE = 1.0  # seconds; the second click of a double click can be slow on a busy machine


@dataclass(frozen=True, slots=True)
class Dialog:
    """An open JavaScript dialog.

    Attributes:
        kind: "alert", "confirm", "prompt" or "beforeunload" (CDP `Page.DialogType`).
        message: The text of the dialog, in full length.
        default_prompt: The default text of a prompt; "" for other dialogs.
    """

    kind: str
    message: str
    default_prompt: str = ""

    def __str__(self) -> str:
        # One line in quotes, so that the message cannot imitate other parts of a reply.
        message = " ".join(scrub(self.message[:_SHOWN]).split()).replace('"', r"\"")
        left = len(self.message) - _SHOWN
        more = f" (and {left:,} more characters)" if left > 0 else ""
        return f'"{self.kind}" dialog with message "{message}"{more}'


@dataclass(frozen=True, slots=True)
class Chooser:
    """A file chooser that the page requested and that Chromium did not show.

    Attributes:
        session: CDP session of the process that renders the input.
        frame_id: CDP `Page.FrameId` of the input's frame.
        backend_node_id: CDP `DOM.BackendNodeId` of the input.
    """

    session: Session
    frame_id: str
    backend_node_id: int


class Blockers:
    """The conditions that block one page, and the waits that these conditions end.

    Args:
        session: CDP session of the page, to check whether the page answers.
        find_dialog_elsewhere: Returns a description of a dialog that is open in another tab, or
            None. Tabs of one site may share a process. The dialog of one tab then blocks the
            others, and ends their waits as well.
        check_browser: Returns once the browser has answered, or is considered lost. This
            distinguishes a page that hangs from a browser that hangs.

    Attributes:
        dialog: The open dialog of the page.
        chooser: The open file chooser of the page.
        crashed: Whether the page crashed.
        closed: Whether the page was closed.
        unresponsive: Whether the page did not answer a command in time.
        lost: The reason why the connection to the browser ended; None while it is open.
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
        self.lost: ConnectionLost | None = None
        self._context = ""
        self._listeners: set[Callable[[], None]] = set()
        self._races: set[asyncio.Event] = set()
        self._session = session
        self._find_dialog_elsewhere = find_dialog_elsewhere
        self._check_browser = check_browser

    def look_again(self) -> None:
        """Make each running wait check whether a dialog is open in another tab."""
        for noticed in self._races:
            noticed.set()

    def dialog_opened(self, dialog: Dialog) -> None:
        self.dialog = dialog
        self._notify()

    def dialog_closed(self) -> None:
        self.dialog = None

    def chooser_opened(self, chooser: Chooser) -> None:
        """Note an open file chooser. It replaces an earlier one that was not answered."""
        self.chooser = chooser
        self._notify()

    def chooser_closed(self) -> None:
        self.chooser = None

    def page_crashed(self) -> None:
        self.crashed = True
        self._notify()

    def page_closed(self, *, with_context: str = "") -> None:
        """Note that the page was closed.

        Args:
            with_context: The name of its context, if the whole context was closed.
        """
        self.closed = True
        self._context = self._context or with_context
        self._notify()

    def recovered(self) -> None:
        """Note a new document: the crash is over, and scripts answer again."""
        self.crashed = False
        self.unresponsive = False

    def reason(self) -> ViewpointError | None:
        """Return the error that describes the current state; None if nothing blocks the page."""
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
        """Await `waiting`, but cancel it when the page is blocked.

        Raises:
            ModalOpen: A dialog or file chooser opened first, or a dialog in another tab blocks the
                page.
            PageError: The page crashed, was closed, or did not answer in time.
            BrowserGone: The browser is lost.
        """
        task = asyncio.ensure_future(waiting)
        noticed = asyncio.Event()
        self._races.add(noticed)
        try:
            # A dialog may open and close before this task runs again, so check the state each time.
            while not task.done() and (reason := self.reason()) is None:
                noticed.clear()
                elsewhere = self._find_dialog_elsewhere()
                await first_of(task, noticed, _SHARED if elsewhere else None)
                if elsewhere and not task.done() and not noticed.is_set():
                    await self._check_answering(elsewhere)
            if self.dialog is None and self.chooser is not None and noticed.is_set():
                # A file chooser does not stop the page, so the action that opened it may still end.
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
        """Raise `ModalOpen` if the page does not answer because of a dialog in another tab.

        Source: CDP `Runtime.evaluate`.
        """
        assert self._session is not None
        try:
            await self._session.send("Runtime.evaluate", {"expression": "0"}, timeout=_SHARED)
        except CallTimeout as error:
            raise ModalOpen(
                f"The page does not answer as long as {elsewhere} is not answered.",
                "Use browser_tabs to select that tab, then browser_handle_dialog.",
            ) from error

    async def act(self, waiting: Awaitable[T]) -> T | None:
        """Await a step of an action, such as its input events. A dialog that opens ends the wait.

        A dialog or file chooser is a consequence of the action here, not a failure.

        Returns:
            The result of `waiting`; None if a dialog or file chooser opened first.

        Raises:
            PageError: The page crashed, was closed, or did not answer in time.
            BrowserGone: The browser is lost.
        """
        try:
            return await self.race(waiting)
        except ModalOpen:
            return None

    async def translated(self, waiting: Awaitable[T]) -> T:
        """Await `waiting` even while the page is blocked, and translate CDP errors.

        Use it for commands that end the block, such as the answer to a dialog.
        """
        try:
            return await waiting
        except CdpError as error:
            raise await self._translate(error) from error

    def on_interruption(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever something blocks the page; return an unsubscribe function."""
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
            # If the page's session had ended, `reason` would report it. So a frame's session ended.
            return self.reason() or PageError("The frame went away.", "Take a new snapshot.")
        if isinstance(error, CallTimeout):
            self.unresponsive = True
            return PageError(
                f"The page did not answer within {error.seconds:g} s; its script may run for ever.",
                "Use browser_navigate to leave it, or browser_close.",
            )
        return PageError(f"Chromium refused: {error}")


def browser_gone(lost: ConnectionLost) -> BrowserGone:
    """Return the error for a lost browser. The browser layer adds a hint."""
    if isinstance(lost, Unanswered):
        return BrowserGone(f"The browser hangs: {lost.reason}.")
    return BrowserGone("The browser is gone.")


def context_closed(name: str) -> PageError:
    """Return the error for a page whose browser context was closed.

    Args:
        name: The name of the context.
    """
    return PageError(
        f'The context "{name}" was closed, and this page with it.',
        "Use browser_context_list to see which there are.",
    )
