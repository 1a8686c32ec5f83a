"""The recording of a video: pictures of the active tab, and what is drawn over them."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cdp_protocol import CdpError
from viewpoint_mcp.browser.video.encoder import VideoEncoder
from viewpoint_mcp.browser.video.overlays import (
    ActionStyle,
    Stage,
    choose_box,
    draw_action,
    draw_chapter,
    move_cursor,
)
from viewpoint_mcp.browser.video.timeline import KeyFrames, Timeline
from viewpoint_mcp.browser.video.webm import WebmWriter
from viewpoint_mcp.errors import BrowserError

if TYPE_CHECKING:
    from viewpoint_mcp.browser.context import Context
    from viewpoint_mcp.browser.video.webm import Chunk
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.devtools.page_devtools import Point, Rect
    from viewpoint_mcp.page.devtools.screencast import ScreencastFrame
    from viewpoint_mcp.page.page import Page

log = logging.getLogger(__name__)

_LONGEST_GAP: Final = 1.0  # seconds without a new frame; players expect one now and then
_RETRY_PAUSE: Final = 0.1  # seconds; until the active tab has a screencast
_FIRST_FRAME_LIMIT: Final = 2.0  # seconds
_PAUSE_CARD_TIME: Final = 1_500  # milliseconds
_TRAVEL: Final = 0.6  # part of the time of an action in which the cursor moves


@dataclass(frozen=True, slots=True)
class VideoOptions:
    """How a video is made.

    Attributes:
        width: Width in pixels, an even number.
        height: Height in pixels, an even number.
        fps: The highest number of frames per second.
        actions: How actions are shown; None to show none.
        filename: The name that the client chose for the file; None for a new one.
    """

    width: int
    height: int
    fps: float
    actions: ActionStyle | None = None
    filename: str | None = None


@dataclass(frozen=True, slots=True)
class _Insertion:
    """Something that stops the video for a while.

    Attributes:
        duration: Milliseconds.
        html: What is drawn over the page.
        frame: The page at that time.
        cursor: The point to which the cursor moves; None if it stays.
    """

    duration: int
    html: str
    frame: ScreencastFrame | None
    cursor: Point | None = None


class VideoRecording:
    """A video that is being recorded. `start` makes one.

    Attributes:
        path: The temporary file of the video, alone in its directory.
        duration: Milliseconds so far.
        frame_count: The number of frames so far.
        end_reason: Why the recording ended by itself; "" if it did not.
        actions: How actions are shown from now on; None to show none.
    """

    def __init__(self, context: Context, encoder: VideoEncoder, options: VideoOptions) -> None:
        self._context = context
        self._encoder = encoder
        self.options = options
        self.actions = options.actions
        # The directory is private, so the file can have the usual mode.
        self.path = Path(tempfile.mkdtemp(prefix="viewpoint-mcp-video-"), "video.webm")
        self._file = self.path.open("wb")
        self._writer = WebmWriter(self._file, options.width, options.height)
        self._clock = asyncio.get_running_loop().time
        self._timeline = Timeline(self._clock())
        self._key_frames = KeyFrames()
        self.duration = self.frame_count = 0
        self.end_reason = ""
        self._page: Page | None = None
        self._frame: ScreencastFrame | None = None
        self._drawn_frame: ScreencastFrame | None = None
        self._cursor: Point | None = None
        self._insertions: deque[_Insertion] = deque()
        self._news = asyncio.Event()
        self._is_stopping = False
        self._drawn_at = 0.0
        self._task: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, context: Context, page: Page, options: VideoOptions) -> VideoRecording:
        """Start recording the active tab of a context.

        Args:
            page: Its active page.

        Raises:
            BrowserError: The browser cannot encode the video.
        """
        root = page.devtools.browser_session
        encoder = await VideoEncoder.open(root, options.width, options.height, options.fps)
        try:
            recording = cls(context, encoder, options)
        except OSError as error:
            await encoder.close()
            raise BrowserError(f"No temporary file can be made for the video: {error}") from error
        await recording._follow(page)
        with suppress(TimeoutError):  # a page that shows nothing gets a white frame
            async with asyncio.timeout(_FIRST_FRAME_LIMIT):
                await recording._news.wait()
        recording._timeline = Timeline(recording._clock())
        recording._task = asyncio.create_task(recording._run())
        return recording

    @property
    def is_over(self) -> bool:
        """Whether the recording ended by itself."""
        return self._task is None or self._task.done()

    def add_chapter(self, title: str, description: str, duration: int) -> None:
        """Insert a card with a title.

        Args:
            duration: Milliseconds that the card is shown.
        """
        self._insert(_Insertion(duration, draw_chapter(self._stage, title, description), None))

    @contextmanager
    def show_action(self, page: Page, title: str) -> Iterator[None]:
        """Show the action that the block performs, at its first input event or at its end.

        Args:
            title: What the action does. The name of its element is added.
        """
        style, shown = self.actions, False
        label, box = "", None

        async def note_element(_target: str, element: Element) -> None:
            nonlocal label, box
            if not label:
                label = element.label
                if style is not None and style.highlight:
                    box = await page.devtools.find_box(element)

        def show(point: Point | None) -> None:
            nonlocal shown
            if not shown and style is not None:
                shown = True
                self._insert_action(style, f"{title} {label}".strip(), point, box)

        self._news.set()  # the tab may be another one
        if style is None:
            yield
            return
        with page.elements.observe_found(note_element), page.devtools.watch_input(show):
            yield
            show(None)

    async def stop(self) -> None:
        """End the video, and complete its file. Idempotent."""
        self._is_stopping = True
        self._news.set()
        if self._task is not None:
            await asyncio.wait({self._task})

    @property
    def _is_private(self) -> bool:
        """Whether a person acts in the context, which the video must not show."""
        return self._context.private_time.is_now

    @property
    def _stage(self) -> Stage:
        frame, options = self._frame, self.options
        if frame is None:
            return Stage(options.width, options.height, options.width, options.height)
        return Stage(options.width, options.height, frame.width, frame.height)

    def _insert_action(
        self, style: ActionStyle, title: str, point: Point | None, box: Rect | None
    ) -> None:
        html = draw_action(self._stage, style, title, point, choose_box(box, point))
        cursor = point if style.has_cursor else None
        self._insert(_Insertion(style.duration, html, self._frame, cursor))

    def _insert(self, insertion: _Insertion) -> None:
        self._insertions.append(insertion)
        self._news.set()

    def _receive(self, frame: ScreencastFrame) -> None:
        if self._is_private:
            return
        self._frame = frame
        self._news.set()

    async def _run(self) -> None:
        """Draw until the recording is stopped, or the browser or the context ends."""
        try:
            while not self._is_stopping:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LONGEST_GAP if self._page else _RETRY_PAUSE):
                        await self._news.wait()
                self._news.clear()
                if self._context.is_closed:
                    self.end_reason = "its context was closed"
                    break
                if self._is_private:
                    await self._pause()
                    continue
                await self._follow_active_tab()
                await self._draw_news()
                pause = self._drawn_at + 1 / self.options.fps - self._clock()
                await asyncio.sleep(max(0, pause))
            await self._add_last_picture()
            await self._draw_news()
            self._write(await self._encoder.finish())
        except CdpError as error:
            log.debug("A recording ended.", exc_info=True)
            is_lost = self._encoder.is_browser_lost
            self.end_reason = "the browser ended" if is_lost else f"its page failed: {error}"
        except (BrowserError, OSError) as error:
            self.end_reason = str(error)
        finally:
            if self._page is not None:
                await self._page.devtools.screencast.stop()
            await self._encoder.close()
            self._complete_file()

    async def _pause(self) -> None:
        """Stop the video until the person has finished, and cut that time out of it."""
        paused_at = self._context.private_time.began_at
        if self._page is not None:
            await self._page.devtools.screencast.stop()
            self._page = None  # it is followed again, from its picture then
        while self._is_private and not (self._is_stopping or self._context.is_closed):
            self._news.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(_RETRY_PAUSE):
                    await self._news.wait()
        self._timeline.insert(-round((self._clock() - paused_at) * 1000))
        title, text = "A person acts in the browser", "This is not part of the video."
        self.add_chapter(title, text, _PAUSE_CARD_TIME)

    def _complete_file(self) -> None:
        try:
            self.duration += round(1000 / self.options.fps)  # the last frame is shown, too
            self._writer.complete(self.duration)
            self._file.close()
        except OSError as error:
            self.end_reason = self.end_reason or f"its file cannot be written: {error}"

    async def _add_last_picture(self) -> None:
        """Take a picture of the page, because the screencast may be late by some frames."""
        if self._page is None or self._frame is None or self._is_private:
            return
        if self._page.blockers.is_closed:
            return
        jpeg = await self._page.devtools.screencast.capture()
        if jpeg is not None:
            self._frame = self._frame._replace(jpeg=jpeg)

    async def _follow_active_tab(self) -> None:
        tab = self._context.active_tab
        if tab is not None and tab.attached_page is not None:
            await self._follow(tab.attached_page)

    async def _follow(self, page: Page) -> None:
        if page is self._page:
            return
        former, self._page = self._page, None
        if former is not None:
            await former.devtools.screencast.stop()
        # A new tab has no screencast yet, and a closed tab has none any more.
        with suppress(CdpError):
            await page.devtools.screencast.start(
                self._receive, self.options.width, self.options.height
            )
            self._page = page

    async def _draw_news(self) -> None:
        while self._insertions:
            await self._draw_insertion(self._insertions.popleft())
        await self._draw(self._clock(), self._frame)

    async def _draw_insertion(self, insertion: _Insertion) -> None:
        now, frame, html = self._clock(), insertion.frame or self._frame, insertion.html
        start, end = self._cursor, insertion.cursor
        travel = 0.0
        if start is not None and end is not None and start != end:
            travel = insertion.duration * _TRAVEL
            for delay, point in move_cursor(start, end, travel, self.options.fps):
                self._cursor = point
                await self._draw(now, frame, html, delay=delay)
        self._cursor = end or start
        await self._draw(now, frame, html, delay=travel)
        self._timeline.insert(insertion.duration)

    async def _draw(
        self, now: float, frame: ScreencastFrame | None, html: str | None = None, delay: float = 0
    ) -> None:
        """Encode a frame. The arguments are those of `Timeline.place_frame` and `draw`."""
        self._drawn_at = self._clock()
        jpeg = frame.jpeg if frame is not None and frame is not self._drawn_frame else None
        at = self._timeline.place_frame(now, delay)
        cursor = self._cursor if self.actions is not None else None
        is_key = self._key_frames.is_due(at, has_changed=jpeg is not None or html is not None)
        chunks = await self._encoder.draw(
            at,
            jpeg=jpeg,
            html=html,
            cursor=self._stage.place(cursor) if cursor is not None else None,
            is_key=is_key,
        )
        self._drawn_frame, self.duration = frame, at
        self._write(chunks)

    def _write(self, chunks: list[Chunk]) -> None:
        for chunk in chunks:
            self._writer.write(chunk)
        self.frame_count += len(chunks)
