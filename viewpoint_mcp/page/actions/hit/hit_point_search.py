"""Search for the point of the page's viewport where the mouse reaches an element.

The search checks the element, then the owner of each frame around it. It checks again as long as
`actionability_decision` decides that waiting may help.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.page.actions.actionability_decision import (
    Decision,
    Fail,
    Proceed,
    WaitAgain,
    decide_on_hit,
    decide_without_waiting,
)
from viewpoint_mcp.page.actions.hit.inpage_answers import HitFacts, Point, parse_hit_facts
from viewpoint_mcp.page.frames import Frame

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.actions.hit.missed_press_guard import MissedPressGuard

_HANDLER_LIMIT = 0.25  # seconds after a response until the page's handler has used it


@dataclass(frozen=True, slots=True)
class _StoppedHitTest:
    """The frame in which the search stopped, with its facts and the decision."""

    frame: Frame
    facts: HitFacts
    decision: WaitAgain | Fail


class HitPointSearch:
    """One search for the point where the mouse reaches an element.

    Args:
        guard: Watches the press that follows; None to watch no press.
        allow_disabled: Accept a disabled element.
    """

    def __init__(
        self,
        element: Element,
        guard: MissedPressGuard | None = None,
        *,
        allow_disabled: bool = False,
    ) -> None:
        self._element = element
        self._page = element.page
        self._guard = guard
        self._allow_disabled = allow_disabled
        self._started_at = asyncio.get_running_loop().time()
        self._last_stop: _StoppedHitTest | None = None
        self._request_open_at = float("-inf")

    async def find_without_waiting(self) -> tuple[float, float]:
        """Return the point at this moment, without waiting.

        Raises:
            ElementError: The element cannot be reached now.
        """
        return await self._search_until_decided(decide_without_waiting)

    async def find_with_waiting(self) -> tuple[float, float]:
        """Wait until the element can be hit; return the point.

        Raises:
            ElementError: The element cannot be reached, or not within the limit.
        """
        return await self._search_until_decided(self._decide)

    async def _search_until_decided(
        self, decide: Callable[[HitFacts], Decision]
    ) -> tuple[float, float]:
        try:
            while isinstance(
                found := await self._hit_test_element_and_frames(decide), _StoppedHitTest
            ):
                await self._stop_watching_press()
                if isinstance(found.decision, Fail):
                    raise self._failure_error(found, found.decision)
                self._last_stop = found
        except ViewpointError:
            await self._stop_watching_press()
            raise
        return found

    def _decide(self, facts: HitFacts) -> Decision:
        waited_seconds = self._waited_seconds()
        if self._page.work_dispatcher.has_open_request:
            self._request_open_at = waited_seconds
        return decide_on_hit(
            facts,
            waited_seconds,
            self._page.timeouts.action,
            page_has_open_request=waited_seconds - self._request_open_at < _HANDLER_LIMIT,
        )

    async def _hit_test_element_and_frames(
        self, decide: Callable[[HitFacts], Decision]
    ) -> tuple[float, float] | _StoppedHitTest:
        """Check the element, then the owner of each frame around it; return the point."""
        frame = self._element.frame
        facts = await self._hit_test_element()
        is_press_watched = facts.is_press_watched
        while True:
            decision = decide(facts)
            if not isinstance(decision, Proceed):
                return _StoppedHitTest(frame, facts, decision)
            assert facts.point is not None
            if frame.parent is None:
                return facts.point.x, facts.point.y
            facts = await self._hit_test_frame_owner(
                frame, facts.point, is_press_watched=is_press_watched
            )
            frame = frame.parent

    async def _hit_test_element(self) -> HitFacts:
        element = self._element
        options = {
            "evenDisabled": self._allow_disabled,
            "aim": self._guard.match if self._guard else None,
        }
        facts = await self._call_hit_facts(element.frame, "hitFacts", element.ref.element, options)
        await element.check_same_as_printed(facts.role, facts.name, facts.change_count)
        return facts

    async def _hit_test_frame_owner(
        self, frame: Frame, point_in_frame: Point, *, is_press_watched: bool
    ) -> HitFacts:
        assert frame.parent is not None
        owner_and_point = frame.owner_number, point_in_frame.x, point_in_frame.y
        return await self._call_hit_facts(
            frame.parent, "hitFactsOfOwner", *owner_and_point, {"aim": is_press_watched}
        )

    async def _call_hit_facts(self, frame: Frame, function: str, *args: Any) -> HitFacts:
        *target_args, options = args
        call_options = {**options, "again": self._inpage_wait_option_if_stopped_in(frame)}
        answer = await self._page.call_inpage(
            frame, function, *target_args, call_options, timeout=self._element.call_timeout
        )
        facts = parse_hit_facts(answer)
        if facts.state == "gone":
            raise self._element.removed_error()
        if facts.is_press_watched and self._guard is not None:
            self._guard.add_watching_document(frame)
        return facts

    def _inpage_wait_option_if_stopped_in(self, frame: Frame) -> dict[str, object] | None:
        """Return the `again` option for the frame where the last check stopped; None for others."""
        stop = self._last_stop
        if stop is None or stop.frame is not frame or not isinstance(stop.decision, WaitAgain):
            return None
        return stop.decision.make_inpage_wait_option(stop.facts.state)

    async def _stop_watching_press(self) -> None:
        if self._guard is not None:
            await self._guard.collect_missed_press()

    def _failure_error(self, stopped_check: _StoppedHitTest, failure: Fail) -> ViewpointError:
        cover = stopped_check.facts.cover
        seconds_waited_for_cover = (
            self._waited_seconds() if cover is not None and not cover.offers_action else None
        )
        return self._element.obstacle_error(
            failure.obstacle, stopped_check.frame, seconds_waited_for_cover=seconds_waited_for_cover
        )

    def _waited_seconds(self) -> float:
        return asyncio.get_running_loop().time() - self._started_at
