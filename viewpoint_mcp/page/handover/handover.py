"""The hand-over of a page to a person."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import AbstractContextManager, AsyncExitStack, suppress
from typing import TYPE_CHECKING, Final

from cdp_protocol import CdpError
from viewpoint_mcp.background_tasks import wait_despite_cancellation
from viewpoint_mcp.errors import HandedOverError, ModalOpenError
from viewpoint_mcp.page.handover.answer import Answer
from viewpoint_mcp.page.handover.notice import Notice
from viewpoint_mcp.page.shorten import shorten

if TYPE_CHECKING:
    from viewpoint_mcp.page.handover.private_time import PrivateTime
    from viewpoint_mcp.page.services import PageServices

_MAX_QUOTED: Final = 200  # characters of the message in an error
_TIMEOUT: Final = 2.0  # seconds


class HandOver:
    """A page that a person acts on, until the person answers or the time is over.

    Meanwhile no tool acts on the page, and the context has its private time.

    Args:
        message: What the person is asked to do.
        has_window: Whether the person sees the page in a window of the browser, which also shows
            file choosers.
        private_time: The private times of the browser context.
        keep_browser: Returns a context manager that keeps an idle browser from being closed.

    Attributes:
        waiting_calls: The number of calls that wait for the answer.
    """

    def __init__(
        self,
        page: PageServices,
        message: str,
        *,
        has_window: bool,
        private_time: PrivateTime,
        keep_browser: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self.message = message
        self.has_window = has_window
        self.waiting_calls = 0
        self._page = page
        self._private_time = private_time
        self._keep_browser = keep_browser
        self._notice = Notice(page, message, self.answer)
        self._answer: Answer | None = None
        self._is_answer_read = False
        self._is_open = True
        self._changed = asyncio.Event()
        self._resources = AsyncExitStack()
        self._start_lock = asyncio.Lock()
        self._ending: asyncio.Task[None] | None = None
        self._expiry: asyncio.TimerHandle | None = None

    @property
    def is_open(self) -> bool:
        """Whether the person may still answer. The page belongs to the person until then."""
        return self._is_open

    @property
    def has_unread_answer(self) -> bool:
        """Whether the person answered, and no call has returned the answer yet."""
        return self._answer is not None and not self._is_answer_read

    async def start(self, seconds: float) -> None:
        """Hand the page over.

        Args:
            seconds: The time after which the hand-over ends without an answer.

        Raises:
            PageError: The page crashed or was closed.

        Source: CDP `Page.bringToFront`.
        """
        unsubscribe = self._page.blockers.on_interruption(self._on_interruption)
        self._resources.callback(unsubscribe)
        self._resources.enter_context(self._private_time.hold())
        self._resources.enter_context(self._keep_browser())
        self.extend(seconds)
        try:
            self._raise_if_blocked()
            async with self._start_lock:
                await self._show()
        except BaseException:
            await self.end()
            raise

    def extend(self, seconds: float) -> None:
        """Give the person a number of seconds from now on."""
        if self._expiry is not None:
            self._expiry.cancel()
        self._expiry = asyncio.get_running_loop().call_later(seconds, self._finish)

    def answer(self, answer: Answer) -> None:
        """Note the answer of the person, which ends the hand-over. Later ones have no effect."""
        if self._is_open:
            self._answer = answer
            self._finish()

    async def wait(self) -> Answer | None:
        """Wait for the answer. Return None if the time is over first.

        Raises:
            PageError: The page crashed or was closed.
            BrowserLostError: The browser is lost.
        """
        self.waiting_calls += 1
        try:
            while self._is_open:
                self._raise_if_blocked()
                self._changed.clear()
                await self._changed.wait()
            if self._answer is None:
                self._raise_if_blocked()
            self._is_answer_read = True
            return self._answer
        finally:
            self.waiting_calls -= 1

    async def end(self) -> None:
        """End the hand-over, remove the notice, and record again. Idempotent.

        A cancelled caller does not cancel it.
        """
        self._finish()
        assert self._ending is not None
        await wait_despite_cancellation(self._ending)

    def make_error(self) -> HandedOverError:
        """Return the error for other calls on the page."""
        quoted = json.dumps(shorten(self.message, _MAX_QUOTED), ensure_ascii=False)
        return HandedOverError(
            f"A person acts in this tab. browser_ask_user asked: {quoted}.",
            "Call browser_ask_user with the same message to wait for the person, or with timeout 0 "
            "to end this. Other tabs can be used.",
        )

    async def _show(self) -> None:
        if self.has_window:
            await self._resources.enter_async_context(self._page.file_choosers.leave_to_person())
            with suppress(CdpError):  # a page with a dialog may not answer
                await self._page.session.send("Page.bringToFront", timeout=_TIMEOUT)
        await self._notice.open()

    def _raise_if_blocked(self) -> None:
        reason = self._page.blockers.blocking_error()
        if reason is not None and not isinstance(reason, ModalOpenError):
            raise reason  # dialogs and file choosers are for the person

    def _finish(self) -> None:
        if self._ending is None:
            self._is_open = False
            self._changed.set()
            if self._expiry is not None:
                self._expiry.cancel()
            self._ending = asyncio.create_task(self._release())

    async def _release(self) -> None:
        async with self._start_lock:  # a person may answer while the notice is being drawn
            try:
                await self._notice.close()
            finally:
                await self._resources.aclose()

    def _on_interruption(self) -> None:
        self._changed.set()
        if self._page.blockers.is_closed or self._page.blockers.is_crashed:
            self._finish()
