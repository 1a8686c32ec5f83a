"""Drags with the mouse: of elements that the page moves by script, and native drag and drop.

While a `Drag` is open, Chromium hands native drag and drop over to the client instead of to the
operating system. Chromium can also derive drag and drop from mouse events. In that mode, a drag
that is cancelled right after its start crashes the whole browser (Chromium 156).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from cdp_protocol import CallTimeout, Session, Subscription
from viewpoint_mcp.input.dispatch import Event
from viewpoint_mcp.input.mouse import Mouse

if TYPE_CHECKING:
    from cdp_protocol.types.input import DragData, DragDataItem, DragInterceptedEvent

_EVENT_PAUSE = 0.03  # seconds between two events of a drop
_ANY_OPERATION = 1 | 2 | 16  # copy, link, move: the operations that file managers offer


class Drag:
    """One drag with the mouse.

    Use `async with`, or `start_intercepting_native_drags` and `end_in_background`.
    However the drag ends, the button is released and no native drag remains.

    Args:
        session: CDP session of the page's target.
        mouse: The mouse of that page.
        source: CDP session of the document where the drag starts.

    Attributes:
        start_point: Point where the button was pressed.
        is_native: Whether a native drag is in progress.

    Source: CDP `Input.setInterceptDrags`, `Input.dragIntercepted`, `Input.dispatchDragEvent`.
    """

    def __init__(self, session: Session, mouse: Mouse, source: Session) -> None:
        self._session = session
        self._mouse = mouse
        self._source = source
        self.start_point = (0.0, 0.0)
        self._subscription: Subscription | None = None
        self._data: DragData | None = None
        self.is_native = False

    async def __aenter__(self) -> Self:
        await self.start_intercepting_native_drags()
        return self

    async def start_intercepting_native_drags(self) -> None:
        """Start to intercept native drags, for a drag from the mouse position.

        The caller must call `end_in_background` afterwards.

        Waits until the previous drag has ended.
        """
        if self._mouse.drag_end_task is not None:
            await asyncio.wait({self._mouse.drag_end_task})
        self.start_point = self._mouse.x, self._mouse.y
        self._subscription = self._session.on(
            self._session.Input.dragIntercepted, self._store_data_of_native_drag
        )
        await self._mouse.dispatcher.send(_make_intercept_event(enabled=True))

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        end_task = self.end_in_background()
        if error is None:
            await asyncio.wait({end_task})

    def end_in_background(self) -> asyncio.Task[None]:
        """Release all buttons and end the drag in the background.

        Returns:
            The task, which the caller does not have to await.
        """
        # A separate task also finishes after the action was cancelled.
        self._mouse.drag_end_task = self._mouse.dispatcher.run_in_background(
            self._end_after_button_releases(self._mouse.release_all())
        )
        return self._mouse.drag_end_task

    async def press(self, x: float, y: float) -> None:
        """Move to a point and press the left button there.

        Args:
            x: Pixels from the left of the viewport.
            y: Pixels from its top.
        """
        self.start_point = (x, y)
        await self._mouse.move(x, y)
        await self._mouse.down()

    async def move(self, x: float, y: float, *, steps: int = 1) -> None:
        """Move to a point on a straight line.

        Args:
            x: Pixels from the left of the viewport.
            y: Pixels from its top.
            steps: Number of events; the last one is at the point.
        """
        from_x, from_y = self._mouse.x, self._mouse.y
        for step in range(1, steps + 1):
            share = step / steps
            await self._move_once(from_x + (x - from_x) * share, from_y + (y - from_y) * share)

    async def release(self) -> None:
        """Release the button at the mouse position; a native drag is dropped there.

        If the page does not accept the drop there, nothing is dropped.
        """
        if not self.is_native:
            await self._mouse.up()
            return
        # Another process may own this point, and has not received the drag yet.
        for kind in ("dragEnter", "dragOver", "drop"):
            await self._send_drag_event(kind)
        self._data, self.is_native = None, False

    async def _end_after_button_releases(self, releases: list[asyncio.Task[Any]]) -> None:
        """Release the buttons, end a native drag, and stop intercepting drags."""
        try:
            # Only after the page has handled the release is it certain whether a native drag
            # started before. A dialog may delay that for a long time.
            while any(
                isinstance(answer, CallTimeout) for answer in await _gather_results(releases)
            ):
                releases = [
                    self._mouse.dispatcher.run_in_background(self._mouse.move(*self.start_point))
                ]
            await _gather_results(
                [self._mouse.dispatcher.run_in_background(self._wait_until_page_handled_events())]
            )
            if self._data is not None:
                await notify_source_process_of_drag_end(self._mouse, *self.start_point)
        finally:
            if self._subscription is not None:
                self._subscription.close()
            calls = self._mouse.dispatcher.send_in_background(_make_intercept_event(enabled=False))
        await _gather_results(calls)

    async def _wait_until_page_handled_events(self) -> None:
        await self._source.Runtime.evaluate(expression="0")

    async def _move_once(self, x: float, y: float) -> None:
        if self.is_native:
            self._mouse.x, self._mouse.y = x, y
            await self._send_drag_event("dragOver")
            return
        await self._mouse.move(x, y)
        await self._enter_native_drag()

    async def detect_native_drag(self) -> None:
        """Wait until it is certain whether the previous moves started a native drag.

        Chromium answers input events on another channel than the event that reports a drag.
        """
        if not self.is_native:
            await self._wait_until_page_handled_events()
            await self._enter_native_drag()

    async def _enter_native_drag(self) -> None:
        if self._data is not None:
            # During a native drag, the page receives no mouse events, not even this release.
            await self._mouse.up()
            self.is_native = True
            await self._send_drag_event("dragEnter")

    async def _send_drag_event(self, event_type: str) -> None:
        assert self._data is not None
        await self._mouse.dispatcher.send(
            _make_drag_event(event_type, self._mouse.x, self._mouse.y, self._data)
        )

    def _store_data_of_native_drag(self, event: DragInterceptedEvent) -> None:
        self._data = event["data"]


async def notify_source_process_of_drag_end(mouse: Mouse, start_x: float, start_y: float) -> None:
    """Notify the process where a native drag started that it has ended.

    Chromium informs only the process where the drag ended. Without this call, the other process
    would not accept mouse events any more.

    Args:
        start_x: Pixels of the start point from the left of the viewport.
        start_y: Pixels from its top.
    """
    await mouse.dispatcher.send(
        _make_drag_event("dragCancel", start_x, start_y, make_external_drag_data({}, ()))
    )


def make_external_drag_data(texts: Mapping[str, str], files: Sequence[str]) -> DragData:
    """Return the data of a drag that enters from outside the browser.

    Args:
        texts: Texts by MIME type.
        files: Absolute paths of files and directories.
    """
    items: list[DragDataItem] = [{"mimeType": kind, "data": text} for kind, text in texts.items()]
    return {"items": items, "files": list(files), "dragOperationsMask": _ANY_OPERATION}


async def drop_external_data(mouse: Mouse, x: float, y: float, data: DragData) -> None:
    """Drag data from outside the browser to a point, and drop it there.

    Args:
        x: Pixels from the left of the viewport.
        y: Pixels from its top.
        data: The data, as `make_external_drag_data` returns it.
    """
    is_dropped = False
    try:
        for kind in ("dragEnter", "dragOver", "dragOver", "drop"):
            await mouse.dispatcher.send(_make_drag_event(kind, x, y, data))
            # Many pages show their drop area only after a drag has entered.
            await asyncio.sleep(_EVENT_PAUSE)
        is_dropped = True
    finally:
        if not is_dropped:
            cancel_external_drag(mouse, data)


def cancel_external_drag(mouse: Mouse, data: DragData) -> None:
    """Move a drag from outside the browser out of the page, without waiting."""
    mouse.dispatcher.send_in_background(_make_drag_event("dragEnter", -1, -1, data))


async def _gather_results(calls: Iterable[asyncio.Task[Any]]) -> list[Any]:
    return await asyncio.gather(*calls, return_exceptions=True)


def _make_intercept_event(*, enabled: bool) -> Event:
    return "Input.setInterceptDrags", {"enabled": enabled}


def _make_drag_event(event_type: str, x: float, y: float, data: DragData) -> Event:
    return "Input.dispatchDragEvent", {"type": event_type, "x": x, "y": y, "data": data}
