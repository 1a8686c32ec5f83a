"""Answers of the page script about an action's target, as types; they contain no decision.

The page script uses shorter names for some fields; `rename` and `field(name=...)` translate them.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import field

InpageAnswer: TypeAlias = dict[str, Any]
"""What a function of `inpage` returned, before it is parsed."""

AnimationKind = Literal["none", "finite", "endless"]


class ElementFacts(msgspec.Struct, frozen=True):
    """An element that causes an obstacle or lies at a point.

    Attributes:
        number: The element's number in its frame's registry.
        text: The visible text, which describes an element that has no name.
    """

    role: str
    name: str
    number: int
    text: str


class Obstacle(
    msgspec.Struct, frozen=True, rename={"kind": "fail", "variant": "how", "cause": "by"}
):
    """The reason why an element cannot be acted on.

    Attributes:
        kind: "gone", "disabled", "hidden", "inert", "outside", "through", "covered", "missed", or a
            reason of a single function of `inpage`.
        variant: The variant of the kind, as `inpage/actions/causes.js` names it; "" for none.
        cause: The other element that is the cause. None if the target itself is the cause, or if
            the page names no element.
    """

    kind: str
    variant: str = ""
    cause: ElementFacts | None = None


class CoverFacts(msgspec.Struct, frozen=True, rename="camel"):
    """Facts about a covering element.

    Attributes:
        signs: The signs that it will disappear without an action; see
            `inpage/actions/cover_signs.js`.
        offers_action: Whether it contains something to act on, so that the agent can close it.
        has_clickable_label: Whether the target is a checkbox or radio button with a label to click
            instead.
    """

    signs: tuple[str, ...] = ()
    offers_action: bool = False
    has_clickable_label: bool = field(default=False, name="isLabelled")


class Point(msgspec.Struct, frozen=True):
    """A point in CSS pixels of a frame's viewport."""

    x: float
    y: float


class Motion(msgspec.Struct, frozen=True, rename="camel"):
    """Motion of the target during the check.

    Attributes:
        distance: The largest distance from one drawn frame to the next, in CSS pixels.
        is_target_hit: Whether a hit test at its point still reaches the target.
        is_still: Whether the hit test reaches the target, and the target did not move although it
            had the chance to move.
        has_drawn_frame: Whether the browser drew a frame during the check. Without a frame, an
            animation cannot move the target.
    """

    distance: float = field(name="moved")
    is_target_hit: bool = field(name="isHit")
    is_still: bool
    has_drawn_frame: bool = field(name="hasFrame")


class HitFacts(msgspec.Struct, frozen=True, rename="camel"):
    """Whether an element can be hit, as `hitFacts` and `hitFactsOfOwner` of `inpage` report it.

    Attributes:
        state: A string that differs if the facts differ in meaning. The page script compares it.
        role: The element's role; "" if the element was removed.
        change_count: How often the document had changed.
        point: The point to hit; None with an obstacle.
        cover: Facts about the covering element, if that is the obstacle.
        motion: Motion of the element; None with an obstacle.
        animation: Kind of the animations that may move the element; "endless" if none of them ends.
        is_page_animated: Whether an animation that ends runs anywhere in the document.
        is_tab_hidden: Whether the tab is hidden, so that the browser draws no frames.
        is_press_watched: Whether the document watches the press that follows.
    """

    state: str
    obstacle: Obstacle | None = None
    role: str = ""
    name: str = ""
    change_count: int = field(default=0, name="changes")
    point: Point | None = None
    cover: CoverFacts | None = None
    motion: Motion | None = None
    animation: AnimationKind = "none"
    is_page_animated: bool = False
    is_tab_hidden: bool = field(default=False, name="isHidden")
    is_press_watched: bool = field(default=False, name="isAimed")


class PreparationFailure(msgspec.Struct, frozen=True, rename="camel"):
    """The failure that the answer of a preparing function reports.

    Attributes:
        obstacle_kind: The kind of obstacle; "" for none.
        refusal_kind: Why the element or its content does not fit; "" if it fits.
        state: A string that differs if the answers differ in meaning. The page script compares it.
            "" if another call cannot change the answer.
        is_page_animated: Whether an animation that ends runs anywhere in the document.
    """

    obstacle_kind: str = field(default="", name="fail")
    refusal_kind: str = field(default="", name="refused")
    variant: str = field(default="", name="how")
    state: str = ""
    is_page_animated: bool = False


def parse_preparation_failure(answer: dict[str, Any]) -> PreparationFailure:
    """Return the failure that the answer of a preparing function reports; empty after a success."""
    return msgspec.convert(answer, PreparationFailure)


def parse_hit_facts(answer: dict[str, Any]) -> HitFacts:
    """Return the facts in an answer of the page script."""
    return msgspec.convert(answer, HitFacts)


def parse_obstacle(answer: dict[str, Any]) -> Obstacle | None:
    """Return the obstacle in the answer of any function of `inpage`; None for no obstacle."""
    return msgspec.convert(answer, Obstacle) if "fail" in answer else None
