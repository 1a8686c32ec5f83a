"""Small pictures of the viewport for records, which never hold up or change the page."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cdp_protocol import CdpError
from viewpoint_mcp.background_tasks import cancel_and_wait, wait_for_task_or_event
from viewpoint_mcp.errors import ModalOpenError, PageError, PageTimeoutError, ViewpointError
from viewpoint_mcp.imaging.decoding import UnreadableImageError
from viewpoint_mcp.imaging.scaling import limit_width
from viewpoint_mcp.page.capture.area_capture import send_capture
from viewpoint_mcp.page.isolated_world import WorldGoneError

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices

_MAX_WIDTH: Final = 1280  # pixels
_QUALITY: Final = 60
# Seconds until a capture that Chromium does not answer ends, so that the next can begin.
_CAPTURE_LIMIT: Final = 3.0


@dataclass(frozen=True, slots=True)
class SmallPicture:
    """A JPEG file, and its width and height in pixels."""

    data: bytes
    size: tuple[int, int]


class SmallPictures:
    """Takes small pictures of the viewport of one page.

    A screenshot for the agent may take seconds, fails with the page, and counts a page that does
    not answer as unresponsive. A picture for a record does none of these: it ends at its limit, and
    leaves the state of the page as it is.

    Args:
        page: The services of the page.
    """

    def __init__(self, page: PageServices) -> None:
        self._page = page
        self._running: asyncio.Task[SmallPicture] | None = None
        self._document_id = ""  # that of the running capture

    async def take(self, limit: float) -> SmallPicture:
        """Take a picture of the viewport. It does not scroll, resize or focus the page.

        Args:
            limit: Seconds.

        Raises:
            ViewpointError: A dialog is open, the page crashed, was closed or left its document, or
                it drew nothing within the limit. After that, calls fail at once until the page
                draws again.

        Source: CDP `Page.captureScreenshot`.
        """
        if (obstacle := self._find_obstacle()) is not None:
            raise obstacle
        document_id = self._page.frames.main.document_id
        if self._running is not None and not self._running.done():
            if self._document_id == document_id:
                raise PageTimeoutError("The page is still busy.")
            await self.close()  # Chromium never answers a capture of a document that was left
        self._document_id = document_id
        capture = self._running = asyncio.create_task(self._capture())
        capture.add_done_callback(_retrieve_exception)
        await self._wait_until_done_or_blocked(capture, limit)
        if capture.cancelled():  # by `close`, or by a picture of the next document
            raise self._find_obstacle() or PageError("The page was closed or left its document.")
        if not capture.done():
            raise self._find_obstacle() or PageTimeoutError(
                f"The page drew nothing within {limit:g} s."
            )
        try:
            return capture.result()
        except WorldGoneError as error:
            raise PageError("The page is between two documents.") from error
        except (CdpError, UnreadableImageError) as error:
            raise self._find_obstacle() or PageError(f"Chromium took none: {error}") from error

    async def close(self) -> None:
        """Cancel the capture that has not ended. Idempotent."""
        if self._running is not None:
            await cancel_and_wait(self._running)

    async def _wait_until_done_or_blocked(
        self, capture: asyncio.Task[SmallPicture], limit: float
    ) -> None:
        clock = asyncio.get_running_loop().time
        deadline = clock() + limit
        interrupted = asyncio.Event()
        unsubscribe = self._page.blockers.on_interruption(interrupted.set)
        try:
            while not capture.done() and clock() < deadline and self._find_obstacle() is None:
                interrupted.clear()
                await wait_for_task_or_event(capture, interrupted, deadline - clock())
        finally:
            unsubscribe()

    async def _capture(self) -> SmallPicture:
        params: dict[str, object] = {
            "format": "jpeg",
            "quality": _QUALITY,
            "optimizeForSpeed": True,
        }
        answer = await send_capture(self._page.session, params, _CAPTURE_LIMIT)
        image = await asyncio.to_thread(limit_width, base64.b64decode(answer["data"]), _MAX_WIDTH)
        return SmallPicture(image.data, image.size)

    def _find_obstacle(self) -> ViewpointError | None:
        """Return why the page draws nothing. An open file chooser does not stop it."""
        blockers = self._page.blockers
        error = blockers.blocking_error()
        return None if isinstance(error, ModalOpenError) and blockers.dialog is None else error


def _retrieve_exception(capture: asyncio.Task[SmallPicture]) -> None:
    """Retrieve the exception of a capture that ends late, so that asyncio does not log it."""
    if not capture.cancelled():
        capture.exception()
