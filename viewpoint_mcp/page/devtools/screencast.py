"""The pictures of one page that Chromium sends when the page changes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from cdp_protocol import CdpError
from viewpoint_mcp.background_tasks import BackgroundTasks

if TYPE_CHECKING:
    from cdp_protocol.events import Subscription
    from cdp_protocol.types.page import ScreencastFrameEvent
    from viewpoint_mcp.page.services import PageServices

_QUALITY: Final = 90  # of the JPEG files, as in Playwright
_TIMEOUT: Final = 5.0  # seconds
_CAPTURE_TIMEOUT: Final = 1.0  # seconds; a dialog stops the page


class ScreencastFrame(NamedTuple):
    """One picture of a page.

    Attributes:
        jpeg: The picture, in base64.
        width: Width of the viewport in CSS pixels.
        height: Height of the viewport in CSS pixels.
    """

    jpeg: str
    width: float
    height: float


class Screencast:
    """Receives the pictures of one page. A page sends none as long as nothing changes."""

    def __init__(self, page: PageServices) -> None:
        self._session = page.session
        self._acknowledgements = BackgroundTasks()
        self._subscription: Subscription | None = None

    async def start(
        self, on_frame: Callable[[ScreencastFrame], None], width: int, height: int
    ) -> None:
        """Call `on_frame` with the picture of the page now, and with each one after a change.

        Args:
            width: Largest width of a picture in pixels.
            height: Largest height of a picture in pixels.

        Raises:
            CdpError: The tab shows no page yet, or is gone, or the browser does not answer.

        Source: CDP `Page.startScreencast`, `screencastFrame`, `getLayoutMetrics`.
        """
        page = self._session.Page

        has_frame = False

        def receive(event: ScreencastFrameEvent) -> None:
            nonlocal has_frame
            has_frame = True
            # At once, because Chromium sends at most three frames without an acknowledgement.
            self._acknowledgements.start(self._acknowledge(event["sessionId"]))
            metadata = event["metadata"]
            frame = ScreencastFrame(
                event["data"], metadata["deviceWidth"], metadata["deviceHeight"]
            )
            on_frame(frame)

        await self.stop()
        self._subscription = self._session.on(page.screencastFrame, receive)
        params = {"format": "jpeg", "quality": _QUALITY, "maxWidth": width, "maxHeight": height}
        # Without `sendLastFrame`, the last of several quick changes can be missing.
        params["sendLastFrame"] = True
        await self._session.send("Page.startScreencast", params, timeout=_TIMEOUT)
        # A page that does not change may send no first frame.
        jpeg, metrics = await self.capture(), await page.getLayoutMetrics()
        viewport = metrics["cssVisualViewport"]
        if jpeg is not None and not has_frame:
            on_frame(ScreencastFrame(jpeg, viewport["clientWidth"], viewport["clientHeight"]))

    async def capture(self) -> str | None:
        """Return the picture of the page now, as base64; None if the page does not answer.

        Source: CDP `Page.captureScreenshot`.
        """
        params = {"format": "jpeg", "quality": _QUALITY}
        try:
            answer = await self._session.send(
                "Page.captureScreenshot", params, timeout=_CAPTURE_TIMEOUT
            )
        except CdpError:
            return None
        picture: str = answer["data"]
        return picture

    async def stop(self) -> None:
        """Stop. Idempotent, also for a page that is gone.

        Source: CDP `Page.stopScreencast`.
        """
        if self._subscription is None:
            return
        self._subscription.close()
        self._subscription = None
        with suppress(CdpError):
            await self._session.send("Page.stopScreencast", {}, timeout=_TIMEOUT)
        await self._acknowledgements.close()

    async def _acknowledge(self, frame_number: int) -> None:
        """Source: CDP `Page.screencastFrameAck`."""
        with suppress(CdpError):
            await self._session.Page.screencastFrameAck(sessionId=frame_number)
