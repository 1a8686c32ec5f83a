"""Search for the point of the page's viewport where the mouse reaches an element.

The search checks the element, then the owner of each frame around it. It checks again as long as
`actionability` decides that waiting may help.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.page.actions.actionability import (
    Act,
    Decision,
    Fail,
    WaitAgain,
    decide,
    decide_now,
)
from viewpoint_mcp.page.actions.hit.facts import HitFacts, Point, hit_facts
from viewpoint_mcp.page.frames import Frame

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.actions.hit.guard import HitGuard


@dataclass(frozen=True, slots=True)
class _Unreached:
    """The frame in which the search stopped, with its facts and the decision."""

    frame: Frame
    facts: HitFacts
    decision: WaitAgain | Fail


class HitPointSearch:
    """One search for the point where the mouse reaches an element.

    Args:
        guard: Watches the press that follows; None to watch no press.
        even_disabled: Accept a disabled element.
    """

    def __init__(
        self, element: Element, guard: HitGuard | None = None, *, even_disabled: bool = False
    ) -> None:
        self._element = element
        self._page = element.page
        self._guard = guard
        self._even_disabled = even_disabled
        self._began = asyncio.get_running_loop().time()
        self._last: _Unreached | None = None

    async def now(self) -> tuple[float, float]:
        """Return the point at this moment, without waiting.

        Raises:
            ElementError: The element cannot be reached now.
        """
        return await self._until_decided(decide_now)

    async def wait(self) -> tuple[float, float]:
        """Wait until the element can be hit; return the point.

        Raises:
            ElementError: The element cannot be reached, or not within the limit.
        """
        return await self._until_decided(self._decide)

    async def _until_decided(self, judge: Callable[[HitFacts], Decision]) -> tuple[float, float]:
        try:
            while isinstance(found := await self._climb(judge), _Unreached):
                await self._stop_watching()
                if isinstance(found.decision, Fail):
                    raise self._error(found, found.decision)
                self._last = found
        except ViewpointError:
            await self._stop_watching()
            raise
        return found

    def _decide(self, facts: HitFacts) -> Decision:
        has_open_request = self._page.activity.has_open_request
        timeout = self._page.timeouts.action
        return decide(facts, self._waited(), timeout, has_open_request=has_open_request)

    async def _climb(
        self, judge: Callable[[HitFacts], Decision]
    ) -> tuple[float, float] | _Unreached:
        """Check the element, then the owner of each frame around it; return the point."""
        frame = self._element.frame
        facts = await self._ask_about_element()
        is_guarded = facts.is_aimed
        while True:
            decision = judge(facts)
            if not isinstance(decision, Act):
                return _Unreached(frame, facts, decision)
            assert facts.point is not None
            if frame.parent is None:
                return facts.point.x, facts.point.y
            facts = await self._ask_about_owner(frame, facts.point, is_guarded=is_guarded)
            frame = frame.parent

    async def _ask_about_element(self) -> HitFacts:
        element = self._element
        options = {
            "evenDisabled": self._even_disabled,
            "aim": self._guard.by if self._guard else None,
        }
        facts = await self._ask(element.frame, "hitFacts", element.ref.element, options)
        await element.recognise(facts.role, facts.name, facts.changes)
        return facts

    async def _ask_about_owner(self, frame: Frame, inside: Point, *, is_guarded: bool) -> HitFacts:
        assert frame.parent is not None
        place = frame.owner_number, inside.x, inside.y
        return await self._ask(frame.parent, "hitFactsOfOwner", *place, {"aim": is_guarded})

    async def _ask(self, frame: Frame, function: str, *args: Any) -> HitFacts:
        *place, options = args
        asked = {**options, "again": self._again(frame)}
        answer = await self._page.call_inpage(
            frame, function, *place, asked, timeout=self._element.answer_limit
        )
        facts = hit_facts(answer)
        if facts.state == "gone":
            raise self._element.gone()
        if facts.is_aimed and self._guard is not None:
            self._guard.watch(frame)
        return facts

    def _again(self, frame: Frame) -> dict[str, object] | None:
        """Return the `again` option for the frame where the last check stopped; None for others."""
        last = self._last
        if last is None or last.frame is not frame or not isinstance(last.decision, WaitAgain):
            return None
        return last.decision.question(last.facts.state)

    async def _stop_watching(self) -> None:
        if self._guard is not None:
            await self._guard.outcome()

    def _error(self, found: _Unreached, decision: Fail) -> ViewpointError:
        cover = found.facts.cover
        idle_after = self._waited() if cover is not None and not cover.offers_action else None
        return self._element.failure(decision.obstacle, found.frame, idle_after=idle_after)

    def _waited(self) -> float:
        return asyncio.get_running_loop().time() - self._began
