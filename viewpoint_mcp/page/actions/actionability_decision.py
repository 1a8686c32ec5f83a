"""Decision whether an action proceeds, waits and checks again, or fails.

This module alone decides how long an action waits for its target. It is pure: it takes the facts
that the page script reports and the time waited so far, and returns a decision. The table "How an
action waits" in `docs/architecture.md` lists the same rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from viewpoint_mcp.page.actions.hit.inpage_answers import (
    HitFacts,
    Motion,
    Obstacle,
    PreparationFailure,
)

_DEFAULT_LIMIT = 0.5  # seconds for an obstacle to disappear when nothing indicates that it will
_COVER_LIMIT = 2.0  # seconds for a covering element to disappear
_FRAME_LIMIT = 2.0  # seconds for a busy browser to draw the next frame of an animation
# Seconds for one call of the page script. The script cannot see open requests; Python checks them
# between two calls.
_CALL_LIMIT = 0.25
# CSS pixels per frame. An endlessly animated element that moves less can be hit.
_MAX_MOTION = 2.0
# Kinds of obstacles that can disappear while the action waits.
_TEMPORARY_KINDS = frozenset(
    {"disabled", "hidden", "inert", "outside", "through", "readonly", "missing", "off"}
)


@dataclass(frozen=True, slots=True)
class Proceed:
    """Decision to act on the element now."""


@dataclass(frozen=True, slots=True)
class WaitAgain:
    """Decision to wait and check the element again.

    Attributes:
        until: Seconds since the first check. The action fails at that time if the facts stay the
            same.
    """

    until: float

    def make_inpage_wait_option(self, state_to_leave: str) -> dict[str, Any]:
        """Return the `again` option for the next call of the page script.

        The script answers when the element leaves this state, or at the latest after `limit`
        milliseconds.
        """
        return {"state": state_to_leave, "limit": 1000 * min(self.until, _CALL_LIMIT)}


@dataclass(frozen=True, slots=True)
class Fail:
    """Decision to fail, because waiting cannot help or the limit has passed."""

    obstacle: Obstacle


Decision = Proceed | WaitAgain | Fail


def decide_on_hit(
    facts: HitFacts, waited_seconds: float, timeout: float, *, page_has_open_request: bool = False
) -> Decision:
    """Return whether to act on the element, to wait and check again, or to fail.

    Args:
        waited_seconds: Seconds since the first check of the element.
        timeout: Maximum seconds of any wait (`--timeout-action`).
        page_has_open_request: Whether the page has an open request that is not a poll, or had one a
            moment ago.
    """
    if facts.motion is not None:
        return _decide_on_motion(facts, facts.motion, waited_seconds, timeout)
    obstacle = facts.obstacle or Obstacle("gone")
    until = min(
        timeout,
        _max_wait_seconds_for_obstacle(
            obstacle, facts, page_has_open_request=page_has_open_request
        ),
    )
    return WaitAgain(until) if waited_seconds < until else Fail(obstacle)


def decide_without_waiting(facts: HitFacts) -> Decision:
    """Return whether the element can be hit at this moment, even if it moves; never wait."""
    return Proceed() if facts.obstacle is None else Fail(facts.obstacle)


def decide_whether_to_repeat_preparation(
    facts: PreparationFailure, waited_seconds: float, timeout: float
) -> WaitAgain | None:
    """Return the limit of waiting until an element can be prepared, or None to stop waiting.

    Args:
        facts: The answer of the function; see `Element.prepare_for_action`.
        waited_seconds: Seconds since the first call.
        timeout: Maximum seconds of any wait.

    Returns:
        Seconds since the first call; None if the answer is final or this limit has passed.
    """
    kind = facts.obstacle_kind or facts.refusal_kind
    if not facts.state or not kind:
        return None
    until = min(
        timeout,
        _max_wait_seconds_for_obstacle_kind(
            kind, facts.variant, is_page_animated=facts.is_page_animated
        ),
    )
    return WaitAgain(until) if waited_seconds < until else None


def _max_wait_seconds_for_obstacle(
    obstacle: Obstacle, facts: HitFacts, *, page_has_open_request: bool
) -> float:
    """Return how many seconds to wait until an obstacle disappears; 0 for no wait."""
    if obstacle.kind == "covered":
        return _max_wait_seconds_for_covering_element(
            facts, page_has_open_request=page_has_open_request
        )
    return _max_wait_seconds_for_obstacle_kind(
        obstacle.kind, obstacle.variant, is_page_animated=facts.is_page_animated
    )


def _max_wait_seconds_for_obstacle_kind(
    obstacle_kind: str, obstacle_variant: str, *, is_page_animated: bool
) -> float:
    if obstacle_kind not in _TEMPORARY_KINDS or obstacle_variant == "option":
        return 0.0
    return float("inf") if is_page_animated else _DEFAULT_LIMIT


def _max_wait_seconds_for_covering_element(
    facts: HitFacts, *, page_has_open_request: bool
) -> float:
    cover = facts.cover
    if cover is not None and cover.has_clickable_label:
        return 0.0
    if facts.animation == "finite":
        return float("inf")  # the animation may move the target out from under the covering element
    if cover is None:
        return 0.0
    is_likely_to_go = bool(cover.signs) or page_has_open_request or not cover.offers_action
    return _COVER_LIMIT if is_likely_to_go else 0.0


def _decide_on_motion(
    facts: HitFacts, motion: Motion, waited_seconds: float, timeout: float
) -> Decision:
    is_animation_endless = facts.animation == "endless"
    may_draw = not motion.has_drawn_frame and not facts.is_tab_hidden and facts.animation != "none"
    is_frame_late = may_draw and waited_seconds < _FRAME_LIMIT
    is_patience_over = waited_seconds > min(_DEFAULT_LIMIT, timeout) and not is_frame_late
    if motion.is_still or (
        is_patience_over
        and _is_still_enough_to_act(motion, is_animation_endless=is_animation_endless)
    ):
        return Proceed()
    limit = (
        float("inf")
        if not is_animation_endless
        else _FRAME_LIMIT
        if is_frame_late
        else _DEFAULT_LIMIT
    )
    until = min(timeout, limit)
    return WaitAgain(until) if waited_seconds < until else Fail(Obstacle("moving"))


def _is_still_enough_to_act(motion: Motion, *, is_animation_endless: bool) -> bool:
    return motion.is_target_hit and (
        motion.distance == 0 or (is_animation_endless and motion.distance < _MAX_MOTION)
    )
