"""The conditions that end every wait on a page at once.

These are a dialog, a file chooser, a crash, the end of the page, and the loss of the browser. All
waits of the page layer go through `race` or `act`. Only this module translates CDP errors.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from cdp_protocol import (
    CallTimeout,
    CdpError,
    ConnectionLost,
    ProtocolError,
    Session,
    SessionClosed,
    Unanswered,
)
from viewpoint_mcp.accessibility.printing.sentence_quotes import quote_in_sentence
from viewpoint_mcp.background_tasks import cancel_and_wait, wait_for_task_or_event
from viewpoint_mcp.errors import (
    TAKE_NEW_SNAPSHOT,
    BrowserLostError,
    ModalOpenError,
    PageChangedError,
    PageClosedError,
    PageCrashedError,
    PageError,
    PageTimeoutError,
    ViewpointError,
)

T = TypeVar("T")

_MAX_MESSAGE = 1000  # characters of a dialog's message in a reply
# Seconds for a page to prove that nothing blocks its process, such as a dialog in another tab.
_ANSWER_TIMEOUT = 0.5

_MANY_DIALOGS = 10  # dialogs of a document after which the reply suggests to leave it
_CHOOSER_GRACE = 1.0  # seconds; the second click of a double click can be slow on a busy machine


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
        message = quote_in_sentence(self.message[:_MAX_MESSAGE])
        left = len(self.message) - _MAX_MESSAGE
        more = f" (and {left:,} more characters)" if left > 0 else ""
        return f'"{self.kind}" dialog with message {message}{more}'


@dataclass(frozen=True, slots=True)
class FileChooser:
    """A file chooser that the page requested and that Chromium did not show.

    Attributes:
        session: CDP session of the process that renders the input.
        frame_id: CDP `Page.FrameId` of the input's frame.
        backend_node_id: CDP `DOM.BackendNodeId` of the input.
    """

    session: Session
    frame_id: str
    backend_node_id: int


class BlockingConditions:
    """The conditions that block one page, and the waits that these conditions end.

    Args:
        session: CDP session of the page, to check whether the page answers.
        find_dialog_elsewhere: Returns a description of a dialog that is open in another tab, or
            None. Tabs of one site may share a process. The dialog of one tab then blocks the
            others, and ends their waits as well.
        check_browser: Returns once the browser has answered, or is considered lost. This
            distinguishes a page that hangs from a browser that hangs.
        get_cpu_throttling: Returns how many times slower than usual the page runs, for messages.

    Attributes:
        dialog: The open dialog of the page.
        file_chooser: The open file chooser of the page.
        is_crashed: Whether the page crashed.
        is_closed: Whether the page was closed.
        is_unresponsive: Whether the page did not answer a command in time.
        connection_lost: The reason why the connection to the browser ended; None while it is open.
    """

    def __init__(
        self,
        session: Session | None = None,
        *,
        find_dialog_elsewhere: Callable[[], str | None] = lambda: None,
        check_browser: Callable[[], Awaitable[None]] | None = None,
        get_cpu_throttling: Callable[[], float] = lambda: 1.0,
    ) -> None:
        self.dialog: Dialog | None = None
        self.file_chooser: FileChooser | None = None
        self.is_crashed = False
        self.is_closed = False
        self.is_unresponsive = False
        self._dialog_count = 0  # of the present document
        self.connection_lost: ConnectionLost | None = None
        self._closed_context = ""
        self._listeners: set[Callable[[], None]] = set()
        self._running_waits: set[asyncio.Event] = set()
        self._session = session
        self._find_dialog_elsewhere = find_dialog_elsewhere
        self._check_browser = check_browser
        self._get_cpu_throttling = get_cpu_throttling

    def make_running_waits_recheck(self) -> None:
        """Make each running wait check whether a dialog is open in another tab."""
        for noticed in self._running_waits:
            noticed.set()

    def note_dialog_opened(self, dialog: Dialog) -> None:
        self.dialog = dialog
        self._dialog_count += 1
        self._notify_listeners()

    def note_dialog_closed(self) -> None:
        self.dialog = None

    def note_chooser_opened(self, chooser: FileChooser) -> None:
        """Note an open file chooser. It replaces an earlier one that was not answered."""
        self.file_chooser = chooser
        self._notify_listeners()

    def note_chooser_closed(self) -> None:
        self.file_chooser = None

    def note_page_crashed(self) -> None:
        self.is_crashed = True
        self._notify_listeners()

    def note_page_closed(self, *, context_name: str = "") -> None:
        """Note that the page was closed.

        Args:
            context_name: The name of its context, if the whole context was closed.
        """
        self.is_closed = True
        self._closed_context = self._closed_context or context_name
        self._notify_listeners()

    def note_recovery(self) -> None:
        """Note a new document: the crash is over, and scripts answer again."""
        self.is_crashed = False
        self.is_unresponsive = False
        self._dialog_count = 0

    def blocking_error(self) -> ViewpointError | None:
        """Return the error that describes the current state; None if nothing blocks the page."""
        if self.connection_lost is not None:
            return browser_lost_error(self.connection_lost)
        if self._closed_context:
            return context_closed_error(self._closed_context)
        if self.is_closed:
            return PageClosedError(
                "The page was closed.", "Use browser_tabs to see the open pages."
            )
        if self.is_crashed:
            return PageCrashedError(
                "The page crashed.", "Use browser_navigate to load it or another page."
            )
        if self.dialog is not None:
            return ModalOpenError(
                f"The page waits for an answer to its {self.dialog}.",
                "Use browser_handle_dialog."
                if self._dialog_count < _MANY_DIALOGS
                else f"It has opened {self._dialog_count} dialogs so far. Use "
                "browser_handle_dialog, or browser_close to leave the page.",
            )
        if self.file_chooser is not None:
            return ModalOpenError(
                "The page waits for an answer to its file chooser.",
                "Use browser_file_upload.",
            )
        return None

    async def run_unless_blocked(self, operation: Awaitable[T]) -> T:
        """Await `operation`, but cancel it when the page is blocked.

        Raises:
            ModalOpenError: A dialog or file chooser opened first, or a dialog in another tab blocks
                the page.
            PageError: The page crashed, was closed, or did not answer in time.
            BrowserLostError: The browser is lost.
        """
        task = asyncio.ensure_future(operation)
        noticed = asyncio.Event()
        self._running_waits.add(noticed)
        try:
            # A dialog may open and close before this task runs again, so check the state each time.
            while not task.done() and (reason := self.blocking_error()) is None:
                noticed.clear()
                elsewhere = self._find_dialog_elsewhere()
                await wait_for_task_or_event(task, noticed, _ANSWER_TIMEOUT if elsewhere else None)
                if elsewhere and not task.done() and not noticed.is_set():
                    await self._raise_if_other_tab_dialog_blocks(elsewhere)
            if self.dialog is None and self.file_chooser is not None and noticed.is_set():
                # A file chooser does not stop the page, so the action that opened it may still end.
                await asyncio.wait({task}, timeout=_CHOOSER_GRACE)
            if not task.done() and reason is not None:
                raise reason
            return task.result()
        except PageTimeoutError as error:  # The operation has translated it.
            await self._wait_until_browser_answers()
            if self.connection_lost is not None:
                raise browser_lost_error(self.connection_lost) from error
            raise
        except CdpError as error:
            raise await self._translate_cdp_error(error) from error
        finally:
            self._running_waits.discard(noticed)
            await cancel_and_wait(task)

    async def _raise_if_other_tab_dialog_blocks(self, dialog_in_other_tab: str) -> None:
        """Raise `ModalOpenError` if the page does not answer because of a dialog in another tab."""
        if not await self.check_page_answers():
            raise ModalOpenError(
                f"The page cannot respond until {dialog_in_other_tab} is answered.",
                "Use browser_tabs to select that tab, then browser_handle_dialog.",
            )

    async def check_page_answers(self) -> bool:
        """Return whether the page runs a script now. If it does, it is responsive again.

        Raises:
            CdpError: As in `Session.send`, except that no answer came in time.

        Source: CDP `Runtime.evaluate`.
        """
        assert self._session is not None
        try:
            await self._session.send(
                "Runtime.evaluate", {"expression": "0"}, timeout=_ANSWER_TIMEOUT
            )
        except CallTimeout:
            return False
        self.is_unresponsive = False
        return True

    async def run_until_dialog(self, operation: Awaitable[T]) -> T | None:
        """Await a step of an action, such as its input events. A dialog that opens ends the wait.

        A dialog or file chooser is a consequence of the action here, not a failure.

        Returns:
            The result of `operation`; None if a dialog or file chooser opened first.

        Raises:
            PageError: The page crashed, was closed, or did not answer in time.
            BrowserLostError: The browser is lost.
        """
        try:
            return await self.run_unless_blocked(operation)
        except ModalOpenError:
            return None

    async def run_translating_errors(self, operation: Awaitable[T]) -> T:
        """Await `operation` even while the page is blocked, and translate CDP errors.

        Use it for commands that end the block, such as the answer to a dialog.
        """
        try:
            return await operation
        except CdpError as error:
            raise await self._translate_cdp_error(error) from error

    def on_interruption(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever something blocks the page; return an unsubscribe function."""
        self._listeners.add(listener)
        return lambda: self._listeners.discard(listener)

    def _notify_listeners(self) -> None:
        self.make_running_waits_recheck()
        for listener in list(self._listeners):
            listener()

    async def find_end_of_page(self) -> ViewpointError | None:
        """Return why the page or the browser just ended; None if both live.

        When a process ends, Chromium rejects commands and navigations before it reports the end. A
        page that does not answer may be the fault of a browser that hangs.
        """
        if self._session is not None:
            try:
                if not await self.check_page_answers():
                    await self._wait_until_browser_answers()
            except ConnectionLost as error:
                self.connection_lost = error
            except CdpError:
                pass  # The state of the page counts.
        is_over = self.is_crashed or self.is_closed or self.connection_lost is not None
        return self.blocking_error() if is_over else None

    async def _translate_cdp_error(self, error: CdpError) -> ViewpointError:
        if isinstance(error, CallTimeout):
            await self._wait_until_browser_answers()
            if self.connection_lost is not None:
                error = self.connection_lost
        if isinstance(error, ConnectionLost):
            self.connection_lost = error
        if isinstance(error, ConnectionLost | SessionClosed):
            # If the page's session had ended, `reason` would report it. So a frame's session ended.
            return self.blocking_error() or PageChangedError(
                "The frame was removed.", TAKE_NEW_SNAPSHOT
            )
        if isinstance(error, CallTimeout):
            self.is_unresponsive = True
            return self._make_timeout_error(error.seconds)
        if isinstance(error, ProtocolError) and (end := await self.find_end_of_page()) is not None:
            return end
        return PageError(f"Chromium rejected the command: {error}")

    async def _wait_until_browser_answers(self) -> None:
        """Wait until the browser has answered, or is lost, as `connection_lost` then shows."""
        if self._check_browser is not None:
            await self._check_browser()

    def _make_timeout_error(self, seconds: float) -> PageTimeoutError:
        if (rate := self._get_cpu_throttling()) > 1:
            return PageTimeoutError(
                f"The page did not answer within {seconds:g} s; browser_emulate makes it "
                f"{rate:g} times slower.",
                "Wait with browser_wait_for, or choose a lower cpuThrottling.",
            )
        return PageTimeoutError(
            f"The page did not answer within {seconds:g} s; its script may run forever.",
            "Use browser_navigate to leave it, or browser_close.",
        )


def browser_lost_error(lost: ConnectionLost) -> BrowserLostError:
    """Return the error for a lost browser. The browser layer adds a hint."""
    if isinstance(lost, Unanswered):
        return BrowserLostError(f"The browser hangs: {lost.reason}.")
    return BrowserLostError("The browser is gone.")


def context_closed_error(name: str) -> PageClosedError:
    """Return the error for a page whose browser context was closed.

    Args:
        name: The name of the context.
    """
    return PageClosedError(
        f'The context "{name}" was closed, and this page with it.',
        "Use browser_context_list to see the open contexts.",
    )
