"""What the page script reports about an element that shall be hit: facts, without a decision."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

AnimationKind = Literal["none", "finite", "endless"]


class Cause(msgspec.Struct, frozen=True):
    """Another element, described: the cause of an obstacle, or what lies at a point.

    Attributes:
        number: The element's number in its frame's registry.
        text: The text that it shows, to describe it where it has no name.
    """

    role: str
    name: str
    number: int
    text: str


class Obstacle(msgspec.Struct, frozen=True, rename={"kind": "fail"}):
    """Why an element cannot be acted on.

    Attributes:
        kind: "gone", "disabled", "hidden", "inert", "outside", "through", "covered", "missed", or a
            reason of a single function of `inpage`.
        how: The variant of the kind, as `inpage/actions/causes.js` names it; "" for none.
        by: The element that is the cause; None for the element itself, or where the page names
            none.
    """

    kind: str
    how: str = ""
    by: Cause | None = None


class Cover(msgspec.Struct, frozen=True, rename="camel"):
    """What is known of a covering element.

    Attributes:
        signs: The signs that it goes away by itself; see `inpage/actions/cover_signs.js`.
        offers_action: It holds something to act on, so it can be closed.
        is_labelled: The target is a checkbox or radio button whose label can be clicked instead.
    """

    signs: tuple[str, ...] = ()
    offers_action: bool = False
    is_labelled: bool = False


class Point(msgspec.Struct, frozen=True):
    """A point in CSS pixels of a frame's viewport."""

    x: float
    y: float


class Motion(msgspec.Struct, frozen=True, rename="camel"):
    """How the element moved while it was looked at.

    Attributes:
        moved: The largest distance from one drawn frame to the next, in CSS pixels.
        is_hit: A hit test at its point still reaches it.
        is_still: The same, it did not move, and it had the chance to.
        has_frame: The browser drew a frame meanwhile; else nothing had a chance to move.
    """

    moved: float
    is_hit: bool
    is_still: bool
    has_frame: bool


class HitFacts(msgspec.Struct, frozen=True, rename="camel"):
    """Whether an element can be hit, as `hitFacts` and `hitFactsOfOwner` of `inpage` report it.

    Attributes:
        state: Tells looks apart that mean something else. The page script compares it.
        role: The element's role; "" where the element is gone.
        changes: How often the document had changed.
        point: Where to hit it; None with an obstacle.
        cover: Facts about the covering element, if the obstacle is one.
        motion: None with an obstacle.
        animation: Of the animations that may carry the element along: "endless" if all of them are.
        is_page_animated: An animation that comes to an end runs anywhere in the document.
        is_hidden: The tab is not visible, so the browser draws no frames.
        is_aimed: The document watches the press that follows.
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
    """The part of the answer of a function that prepares an element which says that it could not.

    Attributes:
        fail: The kind of obstacle; "" for none.
        refused: Why the element or its content does not fit; "" where it does.
        state: Tells such answers apart. The page script compares it; "" for an answer that asking
            again does not change.
        is_page_animated: An animation that comes to an end runs anywhere in the document.
    """

    fail: str = ""
    refused: str = ""
    how: str = ""
    state: str = ""
    is_page_animated: bool = False


def answer_facts(answer: dict[str, Any]) -> AnswerFacts:
    """Return what an answer of a function that prepares an element says of its success."""
    return msgspec.convert(answer, AnswerFacts)


def hit_facts(answer: dict[str, Any]) -> HitFacts:
    """Return the facts in an answer of the page script."""
    return msgspec.convert(answer, HitFacts)


def obstacle_in(answer: dict[str, Any]) -> Obstacle | None:
    """Return the obstacle that an answer of any function of `inpage` names; None for none."""
    return msgspec.convert(answer, Obstacle) if "fail" in answer else None
