"""Error messages for elements that cannot be acted on; each names the cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewpoint_mcp.errors import (
    CallError,
    ElementCoveredError,
    ElementDisabledError,
    ElementError,
    ElementNotVisibleError,
)
from viewpoint_mcp.page.actions.hit.facts import Obstacle

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices

_UNUSABLE_TEXTS = {"readonly": "read-only", "not-editable": "no text field"}
_DISABLED_CAUSES = {"fieldset": "its fieldset, ", "aria-disabled": "the aria-disabled "}
_COVER_ADJECTIVES = {"modal": "the modal ", "fixed": "the fixed ", "sticky": "the sticky "}
_HIDDEN_REASONS = {
    "size": "its box has no size",
    "display": "{} is not displayed",
    "visibility": "{} has visibility hidden",
    "content-visibility": "{} skips its content",
    "details": "{} is closed",
    "dialog": "{} is closed",
    "popover": "{} is closed",
    "unslotted": "{} has no slot for it",
    "option": "it is an option of {}",
    "frame": "its frame is not displayed",
}
_OUTSIDE_REASONS = {
    "left": "it lies beyond the left edge of the page",
    "right": "it lies beyond the right edge of the page",
    "above": "it lies above the top of the page",
    "below": "it lies below the end of the page",
    "clipped": "{} clips it away",
}


def obstacle_error(
    label: str, obstacle: Obstacle, cause: str | None, *, idle_after: float | None = None
) -> ElementError:
    """Return the error for an element that cannot be acted on.

    Args:
        label: Name of the element, or of its frame.
        cause: Name of the other element that is the cause, with its ref. None if the element itself
            is the cause, or if the page names no element.
        idle_after: Seconds waited for a covering element that offers no action; None for other
            obstacles.
    """
    kind, variant = obstacle.kind, obstacle.variant
    if kind in ("covered", "missed"):
        cover = f"{_COVER_ADJECTIVES.get(variant, '')}{cause}" if cause else None
        if kind == "missed":
            return _missed_error(label, cover)
        return _covered_error(
            label, cover, obstacle.cause.text if obstacle.cause else "", idle_after
        )
    if kind == "disabled":
        by_cause = f" by {_DISABLED_CAUSES[variant]}{cause}" if cause else ""
        return ElementDisabledError(f"{label} is disabled{by_cause} and takes no input now.")
    if kind == "inert":
        return ElementDisabledError(
            f"{label} is inert{f' in {cause}' if cause else ''} and takes no input now."
        )
    if kind == "through":
        hit_instead = f"; a click falls through to {cause}" if cause else ""
        return ElementDisabledError(f"{label} takes no clicks (pointer-events: none){hit_instead}.")
    if kind in _UNUSABLE_TEXTS:
        return ElementDisabledError(f"{label} is {_UNUSABLE_TEXTS[kind]} and takes no input now.")
    return _not_visible_error(label, kind, variant, cause)


def refuse_if_button_down(page: PageServices) -> None:
    """Refuse a mouse action while a button is down.

    Raises:
        CallError: A button is down.
    """
    if page.held_buttons is not None:
        raise CallError(
            f"The {page.held_buttons.buttons[0]} button of the mouse is down.",
            "Let go of it with browser_mouse_up first.",
        )


def _missed_error(label: str, cover: str | None) -> ElementCoveredError:
    return ElementCoveredError(
        f"{label} was not clicked: {cover or 'something'} came in its way as the mouse got there.",
        "Nothing was clicked. Take a new snapshot to see what the page shows now.",
    )


def _covered_error(
    label: str, cover: str | None, text: str, idle_after: float | None
) -> ElementCoveredError:
    if cover is None:
        return ElementCoveredError(
            f"{label} cannot be hit: no element takes a click where it is drawn.",
            "Take a new snapshot to see what the page shows now.",
        )
    if idle_after is not None:
        wait_argument = f'textGone: "{text}"' if text and '"' not in text else "time: 5"
        return ElementCoveredError(
            f"{label} is covered by {cover}, which was still there after {idle_after:.1f} s and "
            "has nothing in it to act on.",
            f"Wait until it goes away with browser_wait_for ({wait_argument}), then try again.",
        )
    return ElementCoveredError(
        f"{label} is covered by {cover}.",
        "Close or move what covers it, or act on that instead.",
    )


def _not_visible_error(
    label: str, kind: str, variant: str, cause: str | None
) -> ElementNotVisibleError:
    hint = "Take a new snapshot to see what the page shows now."
    if kind == "moving":
        return ElementNotVisibleError(f"{label} does not stop moving.", hint)
    if kind == "hidden":
        if variant == "option":
            hint = "Use browser_select_option."
        elif variant in ("details", "dialog", "popover") and cause:
            hint = "Open that first."
        reasons, sentence = _HIDDEN_REASONS, f"{label} is not visible"
    else:
        reasons, sentence = _OUTSIDE_REASONS, f"{label} cannot be scrolled into view"
    subject = cause or ("its own style" if variant == "clipped" else "it")
    why = f": {reasons[variant].format(subject)}" if variant in reasons else ""
    return ElementNotVisibleError(f"{sentence}{why}.", hint)
