"""Which sign makes an action wait for its target, and how long."""

from __future__ import annotations

from typing import Any

import pytest

from viewpoint_mcp.errors import ElementCoveredError
from viewpoint_mcp.page.actions.actionability_decision import (
    Decision,
    Fail,
    Proceed,
    WaitAgain,
    decide_on_hit,
    decide_whether_to_repeat_preparation,
    decide_without_waiting,
)
from viewpoint_mcp.page.actions.actionability_errors import obstacle_error
from viewpoint_mcp.page.actions.hit.inpage_answers import (
    CoverFacts,
    ElementFacts,
    HitFacts,
    Motion,
    Obstacle,
    Point,
    PreparationFailure,
    parse_hit_facts,
)

TIMEOUT = 5.0
DIALOG = ElementFacts("dialog", "Cookies", 7, "")
IDLE = CoverFacts()
CLOSABLE = CoverFacts(offers_action=True)


def met(kind: str, how: str = "", **facts: Any) -> HitFacts:
    """Return the facts about an element that an obstacle keeps from being hit."""
    by = DIALOG if kind == "covered" else None
    return HitFacts(state=kind, obstacle=Obstacle(kind, how, by), **facts)


def reached(
    moved: float = 0.0, *, is_hit: bool = True, has_frame: bool = True, **facts: Any
) -> HitFacts:
    """Return the facts about an element that has a point and was watched from frame to frame."""
    is_still = is_hit and moved == 0 and (has_frame or facts.get("animation", "none") == "none")
    motion = Motion(moved, is_hit, is_still, has_frame)
    return HitFacts(state="", point=Point(1, 2), motion=motion, **facts)


SIGNS = ["animation", "busy", "status", "spinner"]
WAITS: dict[str, tuple[HitFacts, float]] = {
    "disabled": (met("disabled"), 0.5),
    "hidden": (met("hidden", "display"), 0.5),
    "inert": (met("inert"), 0.5),
    "outside": (met("outside", "clipped"), 0.5),
    "clicks fall through": (met("through"), 0.5),
    "hidden, and an animation ends": (met("hidden", is_page_animated=True), TIMEOUT),
    "an option": (met("hidden", "option", is_page_animated=True), 0.0),
    "gone": (met("gone"), 0.0),
    "a cover with nothing to act on": (met("covered", cover=IDLE), 2.0),
    "a cover with something to act on": (met("covered", cover=CLOSABLE), 0.0),
    **{
        f"a closable cover with the sign {sign}": (
            met("covered", cover=CoverFacts(signs=(sign,), offers_action=True)),
            2.0,
        )
        for sign in SIGNS
    },
    "a closable cover, and an animation elsewhere": (
        met("covered", cover=CLOSABLE, is_page_animated=True),
        0.0,
    ),
    "a cover of a control with a label": (
        met("covered", cover=CoverFacts(signs=("busy",), has_clickable_label=True)),
        0.0,
    ),
    "a cover that the target leaves": (
        met("covered", cover=CLOSABLE, animation="finite"),
        TIMEOUT,
    ),
    "nothing at its point": (met("covered"), 0.0),
    "moving": (reached(3.0), TIMEOUT),
    "moving with an animation that ends": (reached(3.0, animation="finite"), TIMEOUT),
    "moving for ever": (reached(3.0, animation="endless"), 0.5),
    "covered between two looks": (reached(is_hit=False), TIMEOUT),
}


def outcome(facts: HitFacts, waited: float, **more: Any) -> Decision:
    return decide_on_hit(facts, waited, more.pop("timeout", TIMEOUT), **more)


@pytest.mark.parametrize(("facts", "seconds"), WAITS.values(), ids=WAITS)
def test_an_obstacle_is_waited_for_until_its_time_limit(facts: HitFacts, seconds: float) -> None:
    if seconds:
        assert outcome(facts, 0.0) == WaitAgain(seconds)
        assert outcome(facts, seconds - 0.01) == WaitAgain(seconds)
    expected = facts.obstacle or Obstacle("moving")
    assert outcome(facts, seconds) == Fail(expected)


@pytest.mark.parametrize(("facts", "seconds"), WAITS.values(), ids=WAITS)
def test_no_wait_is_longer_than_the_timeout(facts: HitFacts, seconds: float) -> None:
    if seconds:
        assert outcome(facts, 0.0, timeout=0.3) == WaitAgain(0.3)
    assert isinstance(outcome(facts, 0.3, timeout=0.3), Fail)


def test_an_open_request_makes_the_action_wait_for_a_closable_covering_element() -> None:
    facts = met("covered", cover=CLOSABLE)
    assert outcome(facts, 1.9, page_has_open_request=True) == WaitAgain(2.0)
    assert isinstance(outcome(facts, 2.0, page_has_open_request=True), Fail)


@pytest.mark.parametrize("facts", [met("hidden", "option"), met("covered"), met("gone")])
def test_an_open_request_makes_nothing_else_wait(facts: HitFacts) -> None:
    assert isinstance(outcome(facts, 0.0, page_has_open_request=True), Fail)


@pytest.mark.parametrize(
    ("facts", "waited"),
    [
        (reached(), 0.0),
        (reached(has_frame=False), 0.0),
        (reached(1.9, animation="endless"), 0.6),
        (reached(has_frame=False, animation="finite", is_tab_hidden=True), 0.6),
        (reached(has_frame=False, animation="finite"), 2.1),
    ],
    ids=["still", "no frame, no animation", "trembling", "hidden tab", "no frame for long"],
)
def test_the_element_is_acted_on(facts: HitFacts, waited: float) -> None:
    assert outcome(facts, waited) == Proceed()


@pytest.mark.parametrize(
    ("facts", "waited", "until"),
    [
        (reached(1.9, animation="endless"), 0.4, 0.5),
        (reached(1.9, animation="finite"), 0.6, TIMEOUT),
        (reached(has_frame=False, animation="endless"), 1.9, 2.0),
        (reached(has_frame=False, animation="finite"), 1.9, TIMEOUT),
        (reached(has_frame=False, animation="finite", is_tab_hidden=True), 0.4, TIMEOUT),
    ],
    ids=["trembling", "slow to rest", "late frame", "late frame of an end", "hidden tab"],
)
def test_the_element_is_not_acted_on_yet(facts: HitFacts, waited: float, until: float) -> None:
    assert outcome(facts, waited) == WaitAgain(until)


def test_whether_it_can_be_hit_now_is_decided_without_waiting() -> None:
    assert decide_without_waiting(reached(3.0)) == Proceed()
    facts = met("covered", cover=IDLE)
    assert facts.obstacle is not None
    assert decide_without_waiting(facts) == Fail(facts.obstacle)


@pytest.mark.parametrize(
    ("facts", "seconds"),
    [
        (PreparationFailure(obstacle_kind="disabled", state="disabled"), 0.5),
        (PreparationFailure(obstacle_kind="readonly", state="readonly"), 0.5),
        (PreparationFailure(refusal_kind="missing", state="missing"), 0.5),
        (
            PreparationFailure(obstacle_kind="hidden", state="hidden", is_page_animated=True),
            TIMEOUT,
        ),
        (
            PreparationFailure(
                obstacle_kind="not-editable", state="not-editable", is_page_animated=True
            ),
            0.0,
        ),
        (PreparationFailure(refusal_kind="several", state="several"), 0.0),
        (PreparationFailure(obstacle_kind="outside"), 0.0),
        (PreparationFailure(), 0.0),
    ],
    ids=["disabled", "readonly", "no option", "animated", "no field", "several", "final", "done"],
)
def test_a_check_is_repeated_for_that_time(facts: PreparationFailure, seconds: float) -> None:
    if seconds:
        assert decide_whether_to_repeat_preparation(facts, seconds - 0.01, TIMEOUT) == WaitAgain(
            seconds
        )
        assert decide_whether_to_repeat_preparation(facts, 0.0, timeout=0.3) == WaitAgain(0.3)
    assert decide_whether_to_repeat_preparation(facts, seconds, TIMEOUT) is None


def test_a_covering_element_without_a_name_is_not_in_the_error() -> None:
    answer = {
        "state": "covered",
        "obstacle": {"fail": "covered", "how": "", "by": None},
        "role": "button",
        "name": "Go",
        "changes": 0,
        "cover": None,
        "motion": None,
    }
    facts = parse_hit_facts(answer)
    decision = outcome(facts, 0.0)
    assert isinstance(decision, Fail)
    error = obstacle_error('button "Go"', decision.obstacle, None)
    assert isinstance(error, ElementCoveredError)
    assert error.message == (
        'button "Go" cannot be clicked: no element receives clicks at its position.'
    )
    missed = obstacle_error('button "Go"', Obstacle("missed"), None)
    assert "another element covered it" in missed.message
