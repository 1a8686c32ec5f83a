"""A drag with the mouse: of what a page moves by itself, and the browser's own drag and drop.

While a `Drag` is open, Chromium hands drag and drop over to us instead of to the system. It has a
way of its own to make drag and drop of mouse events, but that way a drag that is cancelled right
after its start takes the whole browser with it (Chromium 156).
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

_BREATH = 0.03  # seconds
_ANY_OPERATION = 1 | 2 | 16  # copy, link, move: what file managers offer


class Drag:
    """One drag with the mouse; use `async with`, or `begin` and `end`. However it ends, the button
    comes up and nothing is carried any more.

    Args:
        session: The session of the page's target.
        mouse: The mouse of that page.
        source: The session of the document where it begins.

    Attributes:
        start: Where the button was pressed.
        is_carrying: Whether the browser's own drag and drop is under way.

    Source: CDP `Input.setInterceptDrags`, `Input.dragIntercepted`, `Input.dispatchDragEvent`.
    """

    def __init__(self, session: Session, mouse: Mouse, source: Session) -> None:
        self._session = session
        self._mouse = mouse
        self._source = source
        self.start = (0.0, 0.0)
        self._subscription: Subscription | None = None
        self._load: DragData | None = None
        self.is_carrying = False

    async def __aenter__(self) -> Self:
        await self.begin()
        return self

    async def begin(self) -> None:
        """Have drag and drop that begins where the mouse is handed over; `end` is to follow."""
        if self._mouse.winding_up is not None:
            await asyncio.wait({self._mouse.winding_up})
        self.start = self._mouse.x, self._mouse.y
        self._subscription = self._session.on(
            self._session.Input.dragIntercepted, self._intercepted
        )
        await self._mouse.dispatcher.send(_intercept(enabled=True))

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        winding_up = self.end()
        if error is None:
            await asyncio.wait({winding_up})

    def end(self) -> asyncio.Task[None]:
        """Let go of everything; returns what is done for that, whoever waits for it."""
        # Of its own, so that it is done even after a cancelled act.
        self._mouse.winding_up = self._mouse.dispatcher.own(self._wind_up(self._mouse.let_go()))
        return self._mouse.winding_up

    async def press(self, x: float, y: float) -> None:
        """Press the left button there.

        Args:
            x: Pixels from the left of the viewport.
            y: Pixels from its top.
        """
        self.start = (x, y)
        await self._mouse.move(x, y)
        await self._mouse.down()

    async def move(self, x: float, y: float, *, steps: int = 1) -> None:
        """Move on, on a straight line.

        Args:
            x: Pixels from the left of the viewport.
            y: Pixels from its top.
            steps: Events on the way, the last one at the end.
        """
        from_x, from_y = self._mouse.x, self._mouse.y
        for step in range(1, steps + 1):
            share = step / steps
            await self._step(from_x + (x - from_x) * share, from_y + (y - from_y) * share)

    async def release(self) -> None:
        """Let go where the mouse is; a drop that the page refuses there does not take place."""
        if not self.is_carrying:
            await self._mouse.up()
            return
        # Another process may be there, which has not heard of the drag yet.
        for kind in ("dragEnter", "dragOver", "drop"):
            await self._tell(kind)
        self._load, self.is_carrying = None, False

    async def _wind_up(self, releases: list[asyncio.Task[Any]]) -> None:
        """Leave nothing pressed and nothing carried."""
        try:
            # Only when the page has taken the release is it known whether it began to drag before;
            # a dialog may keep that back for long.
            while any(isinstance(answer, CallTimeout) for answer in await _answers(releases)):
                releases = [self._mouse.dispatcher.own(self._mouse.move(*self.start))]
            await _answers([self._mouse.dispatcher.own(self._catch_up())])
            if self._load is not None:
                await end_at(self._mouse, *self.start)
        finally:
            if self._subscription is not None:
                self._subscription.close()
            off = self._mouse.dispatcher.post(_intercept(enabled=False))
        await _answers(off)

    async def _catch_up(self) -> None:
        await self._source.Runtime.evaluate(expression="0")

    async def _step(self, x: float, y: float) -> None:
        if self.is_carrying:
            self._mouse.x, self._mouse.y = x, y
            await self._tell("dragOver")
            return
        await self._mouse.move(x, y)
        await self._take_over()

    async def notice(self) -> None:
        """Make sure that it is known whether the moves so far made the page begin to drag: input is
        answered on another channel than the one that tells of that.
        """
        if not self.is_carrying:
            await self._catch_up()
            await self._take_over()

    async def _take_over(self) -> None:
        if self._load is not None:
            # The page hears nothing of the mouse as long as it drags, of this neither.
            await self._mouse.up()
            self.is_carrying = True
            await self._tell("dragEnter")

    async def _tell(self, kind: str) -> None:
        assert self._load is not None
        await self._mouse.dispatcher.send(_event(kind, self._mouse.x, self._mouse.y, self._load))

    def _intercepted(self, event: DragInterceptedEvent) -> None:
        self._load = event["data"]


async def end_at(mouse: Mouse, x: float, y: float) -> None:
    """Tell the process at that point that the drag which began there is over. Chromium tells only
    the one of the place where it ended; the other would take no mouse any more.

    Args:
        x: Pixels from the left of the viewport.
        y: Pixels from its top.
    """
    await mouse.dispatcher.send(_event("dragCancel", x, y, from_outside({}, ())))


def from_outside(texts: Mapping[str, str], files: Sequence[str]) -> DragData:
    """Return what somebody carries in who comes from outside of the browser.

    Args:
        texts: By their MIME types.
        files: Absolute paths of files and directories.
    """
    items: list[DragDataItem] = [{"mimeType": kind, "data": text} for kind, text in texts.items()]
    return {"items": items, "files": list(files), "dragOperationsMask": _ANY_OPERATION}


async def drop(mouse: Mouse, x: float, y: float, load: DragData) -> None:
    """Carry something in from outside of the browser, and drop it there.

    Args:
        x: Pixels from the left of the viewport.
        y: Pixels from its top.
    """
    is_dropped = False
    try:
        for kind in ("dragEnter", "dragOver", "dragOver", "drop"):
            await mouse.dispatcher.send(_event(kind, x, y, load))
            # Many pages show where to drop only when something comes.
            await asyncio.sleep(_BREATH)
        is_dropped = True
    finally:
        if not is_dropped:
            carry_away(mouse, load)


def carry_away(mouse: Mouse, load: DragData) -> None:
    """Leave the page with what was carried in, without waiting."""
    mouse.dispatcher.post(_event("dragEnter", -1, -1, load))


async def _answers(calls: Iterable[asyncio.Task[Any]]) -> list[Any]:
    return await asyncio.gather(*calls, return_exceptions=True)


def _intercept(*, enabled: bool) -> Event:
    return "Input.setInterceptDrags", {"enabled": enabled}


def _event(kind: str, x: float, y: float, load: DragData) -> Event:
    return "Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": load}
