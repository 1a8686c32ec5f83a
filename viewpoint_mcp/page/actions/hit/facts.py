"""Facts that the page script reports about an action's target; they contain no decision."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

AnimationKind = Literal["none", "finite", "endless"]


class Cause(msgspec.Struct, frozen=True):
    """An element that causes an obstacle or lies at a point.

    Attributes:
        number: The element's number in its frame's registry.
        text: The visible text, which describes an element that has no name.
    """

    role: str
    name: str
    number: int
    text: str


class Obstacle(msgspec.Struct, frozen=True, rename={"kind": "fail"}):
    """The reason why an element cannot be acted on.

    Attributes:
        kind: "gone", "disabled", "hidden", "inert", "outside", "through", "covered", "missed", or a
            reason of a single function of `inpage`.
        how: The variant of the kind, as `inpage/actions/causes.js` names it; "" for none.
        by: The other element that is the cause. None if the target itself is the cause, or if the
            page names no element.
    """

    kind: str
    how: str = ""
    by: Cause | None = None


class Cover(msgspec.Struct, frozen=True, rename="camel"):
    """Facts about a covering element.

    Attributes:
        signs: The signs that it will disappear without an action; see
            `inpage/actions/cover_signs.js`.
        offers_action: Whether it contains something to act on, so that the agent can close it.
        is_labelled: Whether the target is a checkbox or radio button with a label to click instead.
    """

    signs: tuple[str, ...] = ()
    offers_action: bool = False
    is_labelled: bool = False


class Point(msgspec.Struct, frozen=True):
    """A point in CSS pixels of a frame's viewport."""

    x: float
    y: float


class Motion(msgspec.Struct, frozen=True, rename="camel"):
    """Motion of the target during the check.

    Attributes:
        moved: The largest distance from one drawn frame to the next, in CSS pixels.
        is_hit: Whether a hit test at its point still reaches the target.
        is_still: Whether the hit test reaches the target, and the target did not move although it
            had the chance to move.
        has_frame: Whether the browser drew a frame during the check. Without a frame, an animation
            cannot move the target.
    """

    moved: float
    is_hit: bool
    is_still: bool
    has_frame: bool


class HitFacts(msgspec.Struct, frozen=True, rename="camel"):
    """Whether an element can be hit, as `hitFacts` and `hitFactsOfOwner` of `inpage` report it.

    Attributes:
        state: A string that differs if the facts differ in meaning. The page script compares it.
        role: The element's role; "" if the element was removed.
        changes: How often the document had changed.
        point: The point to hit; None with an obstacle.
        cover: Facts about the covering element, if that is the obstacle.
        motion: Motion of the element; None with an obstacle.
        animation: Kind of the animations that may move the element; "endless" if none of them ends.
        is_page_animated: Whether an animation that ends runs anywhere in the document.
        is_hidden: Whether the tab is hidden, so that the browser draws no frames.
        is_aimed: Whether the document watches the press that follows.
    """

    state: str
    obstacle: Obstacle | None = None
    role: str = ""
    name: str = ""
    changes: int = 0
    point: Point | None = None
    cover: Cover | None = None
    motion: Motion | None = None
    animation: AnimationKind = "none"
    is_page_animated: bool = False
    is_hidden: bool = False
    is_aimed: bool = False


class AnswerFacts(msgspec.Struct, frozen=True, rename="camel"):
    """The failure that the answer of a preparing function reports.

    Attributes:
        fail: The kind of obstacle; "" for none.
        refused: Why the element or its content does not fit; "" if it fits.
        state: A string that differs if the answers differ in meaning. The page script compares it.
            "" if another call cannot change the answer.
        is_page_animated: Whether an animation that ends runs anywhere in the document.
    """

    fail: str = ""
    refused: str = ""
    how: str = ""
    state: str = ""
    is_page_animated: bool = False


def answer_facts(answer: dict[str, Any]) -> AnswerFacts:
    """Return the failure that the answer of a preparing function reports; empty after a success."""
    return msgspec.convert(answer, AnswerFacts)


def hit_facts(answer: dict[str, Any]) -> HitFacts:
    """Return the facts in an answer of the page script."""
    return msgspec.convert(answer, HitFacts)


def obstacle_in(answer: dict[str, Any]) -> Obstacle | None:
    """Return the obstacle in the answer of any function of `inpage`; None for no obstacle."""
    return msgspec.convert(answer, Obstacle) if "fail" in answer else None
