"""Watch of documents for changes during an action."""

from __future__ import annotations

import asyncio
from typing import Any

from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.isolated_world import WorldGoneError

_FRAME_TIMEOUT = 5.0  # seconds


class DocumentWatch:
    """The documents in which changes are counted: of the main frame and of the action's frame.

    Args:
        frames: The frames to watch, the main frame first.
    """

    def __init__(self, frames: list[Frame]) -> None:
        self._frames = frames

    async def start_counting(self) -> None:
        """Start to count changes; also called for the new document after a navigation."""
        await asyncio.gather(
            *(self._call_and_compare_change_count(frame, "watch") for frame in self._frames)
        )

    async def has_changed_since_last_check(self) -> bool:
        """Return whether a document has changed since the last check."""
        return any(
            await asyncio.gather(
                *(self._call_and_compare_change_count(frame, "effects") for frame in self._frames)
            )
        )

    async def has_changed_after_drawn_frame(self) -> bool:
        """Wait until the browser has drawn a frame; return whether a document has changed.

        An animation that started since `start_counting` and may show or hide content counts as a
        change.
        """
        return any(
            await asyncio.gather(
                *(self._call_and_compare_change_count(frame, "nextFrame") for frame in self._frames)
            )
        )

    async def wait_for_change(self, timeout: float) -> bool:
        """Wait for the first change of any document, at most `timeout`; return whether one came."""
        waits = [
            asyncio.ensure_future(
                self._call_and_compare_change_count(
                    frame, "untilChange", frame.change_count, timeout * 1000, extra_time=timeout
                )
            )
            for frame in self._frames
        ]
        try:
            for done in asyncio.as_completed(waits):
                if await done:
                    return True
            return False
        finally:
            for wait in waits:
                wait.cancel()
            await asyncio.gather(*waits, return_exceptions=True)

    async def has_loading_sign_when_still(self, timeout: float) -> bool:
        """Wait until all documents stop changing, at most `timeout`.

        Returns:
            Whether one of them shows a loading sign that appeared since `start_counting`.
        """
        answers = await asyncio.gather(
            *(self._call_inpage(frame, "untilStill", timeout * 1000) for frame in self._frames)
        )
        for frame, answer in zip(self._frames, answers, strict=True):
            if answer is not None:
                frame.change_count = answer["count"]
        return any(answer is not None and answer["busy"] for answer in answers)

    async def is_blank(self) -> bool:
        """Return whether the main frame's document shows no text, control or picture.

        Loading signs do not count.
        """
        return bool(await self._call_inpage(self._frames[0], "showsNothing"))

    async def _call_and_compare_change_count(
        self, frame: Frame, function: str, *args: object, extra_time: float = 0.0
    ) -> bool:
        count = await self._call_inpage(frame, function, *args, extra_time=extra_time)
        if count is None:
            return False
        before, frame.change_count = frame.change_count, count
        return bool(count != before)

    async def _call_inpage(
        self, frame: Frame, function: str, *args: object, extra_time: float = 0.0
    ) -> Any:
        try:
            world = await frame.world()
            return await world.call(function, *args, timeout=_FRAME_TIMEOUT + extra_time)
        except WorldGoneError:
            # The document was replaced. Events report the next document.
            return None
