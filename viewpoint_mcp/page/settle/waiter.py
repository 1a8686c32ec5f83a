"""Wait for the consequences of an action. `pending` decides what to wait for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Container, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from cdp_protocol import CallTimeout, CdpError, Session
from viewpoint_mcp.page.frames import Frame
from viewpoint_mcp.page.isolated_world import WorldGone
from viewpoint_mcp.page.settle.pending import Consequences, Kind, Want
from viewpoint_mcp.tasks import first_of

T = TypeVar("T")

_FRAME_TIMEOUT = 5.0
_HERE: tuple[Kind, ...] = ("done", "change", "still")  # all but waiting for another document


class Watch:
    """The documents watched for changes during one act: the main frame's and that of the frame
    acted in.
    """

    def __init__(self, frames: list[Frame]) -> None:
        self._frames = frames

    async def start(self) -> None:
        """Begin to count; also after a navigation, in the new document."""
        await asyncio.gather(*(self._note(frame, "watch") for frame in self._frames))

    async def has_changed(self) -> bool:
        """Whether a document changed since it was last asked."""
        return any(await asyncio.gather(*(self._note(frame, "effects") for frame in self._frames)))

    async def next_frame(self) -> bool:
        """Let one frame pass; returns whether a document changed since it was last asked, or
        something began to move."""
        return any(
            await asyncio.gather(*(self._note(frame, "nextFrame") for frame in self._frames))
        )

    async def change(self, seconds: float) -> bool:
        """Wait for the first change of any document, at most `seconds`."""
        waits = [
            asyncio.ensure_future(
                self._note(frame, "untilChange", frame.changes, seconds * 1000, lasting=seconds)
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

    async def still(self, seconds: float) -> bool:
        """Wait until no document changes any more, at most `seconds`; returns whether one of them
        says that it is busy.
        """
        answers = await asyncio.gather(
            *(self._ask(frame, "untilStill", seconds * 1000) for frame in self._frames)
        )
        for frame, answer in zip(self._frames, answers, strict=True):
            if answer is not None:
                frame.changes = answer["count"]
        return any(answer is not None and answer["busy"] for answer in answers)

    async def is_blank(self) -> bool:
        """Whether the main frame's document shows nothing: no text, no control, no picture."""
        return bool(await self._ask(self._frames[0], "showsNothing"))

    async def _note(self, frame: Frame, function: str, *args: object, lasting: float = 0.0) -> bool:
        count = await self._ask(frame, function, *args, lasting=lasting)
        if count is None:
            return False
        before, frame.changes = frame.changes, count
        return bool(count != before)

    async def _ask(self, frame: Frame, function: str, *args: object, lasting: float = 0.0) -> Any:
        try:
            world = await frame.world()
            return await world.call(function, *args, timeout=_FRAME_TIMEOUT + lasting)
        except WorldGone:
            # The document went away: its events tell what comes instead.
            return None


class Settle:
    """One act's consequences, followed to their end.

    Args:
        frames: Returns the frames to watch; asked anew after a navigation.
    """

    def __init__(self, consequences: Consequences, frames: Callable[[], list[Frame]]) -> None:
        self._consequences = consequences
        self._frames = frames
        self._watch = Watch(frames())
        self._script_before: float | None = None
        self._is_text = False
        self._warming: asyncio.Future[None] | None = None

    async def baseline(self, *, text: bool = False) -> None:
        """Note the state that the act is compared with; called right before its first event.

        Args:
            text: The act but puts text into a field: where no script ran, nothing can follow.
        """
        self._is_text = text
        self._watch = Watch(self._frames())
        _, self._script_before = await asyncio.gather(self._watch.start(), self._script_seconds())

    def script_goes_on(self) -> None:
        """Script runs whose start was another act's: a dialog that held it was answered."""
        self._script_before = -1.0

    @property
    def awaits_answer(self) -> bool:
        """Whether a navigation or a request that the act caused is under way."""
        return self._consequences.awaits_answer(self._now())

    async def catch_up(self, wake: asyncio.Event, limit: float) -> None:
        """In the middle of an act: wait for the answers to what it asked for so far.

        Args:
            wake: See `finish`.
            limit: Seconds.
        """
        deadline = self._now() + limit
        while self._now() < deadline and self.awaits_answer:
            await self._sleep_until(Want("events", deadline), wake)

    async def unless_leaving(
        self, question: Callable[[], Awaitable[T]], wake: asyncio.Event
    ) -> T | None:
        """Wait for what a document answers about the act; None when the act takes the page to
        another document: the old one may not answer before that.

        Args:
            wake: See `finish`.
        """
        task = asyncio.ensure_future(question())
        try:
            while not task.done() and not self._consequences.is_leaving:
                wake.clear()
                await first_of(task, wake)
            return task.result() if task.done() else None
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def finish(self, wake: asyncio.Event) -> None:
        """Wait for what the act caused. Called when the browser has taken the act's events.

        Args:
            wake: Set at each fact that the browser tells.
        """
        try:
            await self._while(_HERE, self._observe(), wake)
            await self._follow(wake)
            if self._warming is not None:
                await self._warming
        finally:
            if self._warming is not None:
                self._warming.cancel()
                await asyncio.gather(self._warming, return_exceptions=True)

    async def _follow(self, wake: asyncio.Event) -> None:
        while True:
            if self._consequences.take_new_document(self._now()):
                await self._enter_new_document(wake)
            want = self._next()
            if want.kind == "done":
                return
            if want.kind == "events":
                self._warm_up()
                await self._sleep_until(want, wake)
            else:
                await self._while((want.kind,), self._probe(want), wake)

    def _warm_up(self) -> None:
        """Make the new document's world while it loads: the snapshot that follows will want it."""
        if self._warming is None and self._consequences.committed:
            self._warming = asyncio.ensure_future(self._make_world())

    async def _make_world(self) -> None:
        with suppress(WorldGone, CdpError):
            world = await self._frames()[0].world()
            await world.find_document(timeout=_FRAME_TIMEOUT)

    async def _observe(self) -> None:
        """One frame and one round trip: what the handlers did at once is known after it."""
        look = self._watch.has_changed() if self._is_text else self._watch.next_frame()
        script, changed = await asyncio.gather(self._script_seconds(), look)
        ran = self._script_before is not None and script > self._script_before
        if self._is_text and (ran or changed):
            changed = await self._watch.next_frame() or changed
        if changed:
            self._consequences.changed(self._now())
        if ran:
            self._consequences.script_ran(self._now())

    async def _probe(self, want: Want) -> None:
        seconds = want.until - self._now()
        if want.kind == "still":
            busy = await self._watch.still(seconds)
            if self._consequences.is_blank:
                await self._look()
            self._consequences.came_to_rest(self._now(), busy=busy)
        elif await self._watch.change(seconds):
            self._consequences.changed(self._now())

    async def _enter_new_document(self, wake: asyncio.Event) -> None:
        """The act led to another document: what its scripts do at the start still belongs to the
        act.
        """
        self._watch = Watch(self._frames())
        if await self._script_seconds() > 0:
            await self._while(_HERE, self._start_in_new_document(), wake)

    async def _start_in_new_document(self) -> None:
        await self._watch.start()
        if await self._watch.next_frame():
            self._consequences.changed(self._now())
        await self._look()

    async def _look(self) -> None:
        self._consequences.looked(self._now(), blank=await self._watch.is_blank())

    async def _while(
        self, useful: Container[Kind], waiting: Coroutine[Any, Any, None], wake: asyncio.Event
    ) -> None:
        """Wait as long as that is what is worth waiting for: after each fact that the browser
        tells, and when the limit is over, that is asked anew.

        Args:
            useful: The kinds of `Want` under which the waiting is of use.
        """
        task = asyncio.ensure_future(waiting)
        try:
            while not task.done() and not self._consequences.ended:
                wake.clear()
                want = self._next()
                if want.kind not in useful:
                    break
                limit = want.until - self._now() if want.kind != "done" else None
                await first_of(task, wake, limit)
            if task.done():
                task.result()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def _next(self) -> Want:
        return self._consequences.next(self._now())

    async def _sleep_until(self, want: Want, wake: asyncio.Event) -> None:
        wake.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout_at(want.until):
                await wake.wait()

    async def _script_seconds(self) -> float:
        """Seconds the watched frames' scripts ran; the same to the last digit when none did."""
        sessions = dict.fromkeys(frame.session for frame in self._frames())
        return sum(await asyncio.gather(*(_script_seconds(session) for session in sessions)))

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


async def _script_seconds(session: Session) -> float:
    """Source: CDP `Performance.getMetrics`, `ScriptDuration`."""
    try:
        answer = await session.send("Performance.getMetrics", timeout=_FRAME_TIMEOUT)
    except CallTimeout:
        raise
    except CdpError:
        # Gone with its process; what comes instead is told by events.
        return 0.0
    return next(
        (float(m["value"]) for m in answer["metrics"] if m["name"] == "ScriptDuration"), 0.0
    )
