"""The CDP session of one page for a person who watches the page and acts on it.

It is separate from the session of the agent, so that a slow viewer delays neither calls nor videos,
and that keys which the person holds do not affect the calls.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from cdp_protocol import CdpError, Session
from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.input.dispatch import TimeLimitedSender
from viewpoint_mcp.input.keyboard import Keyboard
from viewpoint_mcp.input.mouse import Mouse

if TYPE_CHECKING:
    from cdp_protocol.types.page import ScreencastFrameEvent, ScreencastFrameMetadata
    from viewpoint_mcp.page.services import PageServices

_QUALITY: Final = 75  # of the JPEG files
_TIMEOUT: Final = 5.0  # seconds
_INPUT_TIMEOUT: Final = 30.0  # seconds; a page whose script runs takes input later
_FIRST_FRAME_WAIT: Final = 0.5  # seconds


class Viewport(NamedTuple):
    """The viewport that a picture shows, in CSS pixels.

    Attributes:
        width: Width.
        height: Height, with the bars of an emulated mobile browser.
        offset_top: Height of these bars at the top.
    """

    width: float
    height: float
    offset_top: float = 0.0

    def to_point(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the page that a point of the picture shows, for input events.

        Args:
            x: Share of the width of the picture, from 0 at its left edge to 1 at its right edge.
            y: Share of its height, from 0 at its top edge to 1 at its bottom edge.
        """
        x, y = min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)
        # A point at the very edge would be outside of the viewport.
        left = min(x * self.width, max(self.width - 1, 0))
        top = min(y * self.height, max(self.height - 1, 0))
        return round(left, 1), round(max(top - self.offset_top, 0), 1)


class ViewerPicture(NamedTuple):
    """One picture of a page: a JPEG file, and the viewport that it shows."""

    jpeg: bytes
    viewport: Viewport


class ViewerSession:
    """Shows one page to a person, and takes the person's input. `open` makes one.

    Attributes:
        mouse: The mouse of the person.
        keyboard: The keyboard of the person.
    """

    def __init__(self, browser_session: Session, session: Session) -> None:
        self._browser_session = browser_session
        self._session = session
        sender = TimeLimitedSender(session, _INPUT_TIMEOUT)
        self.mouse, self.keyboard = Mouse(sender), Keyboard(sender)
        self._unacknowledged: list[int] = []
        self._tasks = BackgroundTasks()
        self._has_picture = asyncio.Event()

    @classmethod
    async def open(cls, page: PageServices) -> ViewerSession:
        """Attach to the target of a page once more.

        Raises:
            CdpError: The tab or the browser is gone, or does not answer.

        Source: CDP `Target.attachToBrowserTarget`, `Target.attachToTarget`.
        """
        # Through another session with the browser: the events of the first one are about the tabs
        # of the agent.
        connection = page.session.connection
        attached = await connection.root.send("Target.attachToBrowserTarget", timeout=_TIMEOUT)
        browser_session = connection.session(attached["sessionId"])
        try:
            target_id = str(page.session.target_info["targetId"])
            async with asyncio.timeout(_TIMEOUT):
                session = await browser_session.attach(target_id)
        except BaseException as error:
            with suppress(CdpError):
                await browser_session.close()
            if isinstance(error, TimeoutError):
                raise CdpError("The tab does not answer.") from error
            raise
        return cls(browser_session, session)

    @property
    def is_closed(self) -> bool:
        """Whether the tab, the browser or the session has ended."""
        return self._session.closed is not None

    async def start_pictures(
        self, on_picture: Callable[[ViewerPicture], None], width: int, height: int
    ) -> None:
        """Call `on_picture` with the picture of the page now, and with each one after a change.

        Chromium sends no more than three pictures until `acknowledge` is called.

        Args:
            width: Largest width of a picture in pixels.
            height: Largest height of a picture in pixels.

        Raises:
            CdpError: The tab is gone, or the browser does not answer.

        Source: CDP `Page.startScreencast`, `screencastFrame`.
        """
        page = self._session.Page

        def receive(event: ScreencastFrameEvent) -> None:
            self._unacknowledged.append(event["sessionId"])
            self._has_picture.set()
            viewport = _read_viewport(event["metadata"])
            on_picture(ViewerPicture(base64.b64decode(event["data"]), viewport))

        self._session.on(page.screencastFrame, receive)
        await self._send_start(width, height)
        self._tasks.start(self._capture_if_nothing_changes(on_picture))

    async def change_size(self, width: int, height: int) -> None:
        """Change the largest size of the pictures. Raises like `start_pictures`."""
        self._unacknowledged.clear()  # they belong to the earlier screencast
        await self._session.send("Page.stopScreencast", {}, timeout=_TIMEOUT)
        await self._send_start(width, height)

    def acknowledge(self) -> None:
        """Allow further pictures, because a viewer has received the latest one.

        Source: CDP `Page.screencastFrameAck`.
        """
        received, self._unacknowledged = self._unacknowledged, []
        for number in received:
            self._tasks.start(self._send_acknowledgement(number))

    async def bring_to_front(self) -> None:
        """Show the tab in its window, because hidden tabs of a window take no input.

        Source: CDP `Page.bringToFront`.
        """
        with suppress(CdpError):
            await self._session.send("Page.bringToFront", {}, timeout=_TIMEOUT)

    async def release_input(self) -> None:
        """Release all buttons and keys that the person holds."""
        self.mouse.release_all()
        with suppress(CdpError, TimeoutError):
            async with asyncio.timeout(_TIMEOUT):
                await self.keyboard.release_all()

    async def close(self) -> None:
        """Stop the pictures and detach. Idempotent, also for a tab that is gone."""
        await self._tasks.close()
        for session in (self._session, self._browser_session):
            with suppress(CdpError, TimeoutError):
                async with asyncio.timeout(_TIMEOUT):
                    await session.close()
        await self.mouse.cancel_unanswered_calls()
        await self.keyboard.cancel_unanswered_calls()

    async def _send_start(self, width: int, height: int) -> None:
        params = {"format": "jpeg", "quality": _QUALITY, "maxWidth": width, "maxHeight": height}
        # Without `sendLastFrame`, the last of several quick changes can be missing.
        params["sendLastFrame"] = True
        await self._session.send("Page.startScreencast", params, timeout=_TIMEOUT)

    async def _capture_if_nothing_changes(
        self, on_picture: Callable[[ViewerPicture], None]
    ) -> None:
        """Take one picture if the screencast of a page that does not change sends none.

        Source: CDP `Page.captureScreenshot`, `Page.getLayoutMetrics`.
        """
        page = self._session.Page
        with suppress(CdpError, TimeoutError):
            with suppress(TimeoutError):
                async with asyncio.timeout(_FIRST_FRAME_WAIT):
                    await self._has_picture.wait()
                    return
            async with asyncio.timeout(_TIMEOUT):
                view = (await page.getLayoutMetrics())["cssLayoutViewport"]
                answer = await page.captureScreenshot(format="jpeg", quality=_QUALITY)
            if not self._has_picture.is_set():
                viewport = Viewport(view["clientWidth"], view["clientHeight"])
                on_picture(ViewerPicture(base64.b64decode(answer["data"]), viewport))

    async def _send_acknowledgement(self, number: int) -> None:
        with suppress(CdpError):
            await self._session.Page.screencastFrameAck(sessionId=number)


def _read_viewport(metadata: ScreencastFrameMetadata) -> Viewport:
    return Viewport(metadata["deviceWidth"], metadata["deviceHeight"], metadata["offsetTop"])
