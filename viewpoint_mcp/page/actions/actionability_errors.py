"""Error messages for elements that cannot be acted on; each names the cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewpoint_mcp.errors import (
    TAKE_NEW_SNAPSHOT,
    CallError,
    ElementCoveredError,
    ElementDisabledError,
    ElementError,
    ElementNotVisibleError,
)
from viewpoint_mcp.page.actions.hit.inpage_answers import Obstacle

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices

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
    "clipped": "{} clips it",
}


def obstacle_error(
    label: str,
    obstacle: Obstacle,
    cause: str | None,
    *,
    seconds_waited_for_cover: float | None = None,
) -> ElementError:
    """Return the error for an element that cannot be acted on.

    Args:
        label: Name of the element, or of its frame.
        cause: Name of the other element that is the cause, with its ref. None if the element itself
            is the cause, or if the page names no element.
        seconds_waited_for_cover: Seconds waited for a covering element that offers no action; None
            for other obstacles.
    """
    kind, variant = obstacle.kind, obstacle.variant
    if kind in ("covered", "missed"):
        cover = f"{_COVER_ADJECTIVES.get(variant, '')}{cause}" if cause else None
        if kind == "missed":
            return _missed_error(label, cover)
        return _covered_error(
            label, cover, obstacle.cause.text if obstacle.cause else "", seconds_waited_for_cover
        )
    if kind == "disabled":
        by_cause = f" by {_DISABLED_CAUSES[variant]}{cause}" if cause else ""
        return ElementDisabledError(f"{label} is disabled{by_cause}.")
    if kind == "inert":
        return ElementDisabledError(
            f"{label} is inert{f' in {cause}' if cause else ''} and accepts no input."
        )
    if kind == "through":
        hit_instead = f"; {cause} receives them instead" if cause else ""
        return ElementDisabledError(f"{label} ignores clicks (pointer-events: none){hit_instead}.")
    if kind == "readonly":
        return ElementDisabledError(
            f"{label} is read-only.", "A click may open what it is filled from."
        )
    if kind == "not-editable":
        return not_a_text_field_error(label)
    return _not_visible_error(label, kind, variant, cause)


def not_a_text_field_error(label: str) -> ElementDisabledError:
    """Return the error for an element that a text was to be typed into."""
    return ElementDisabledError(
        f"{label} is not a text field.",
        "Set a slider, list, checkbox or radio button with browser_fill_form. For a text, pass the "
        "field itself.",
    )


def refuse_if_button_down(page: PageServices) -> None:
    """Refuse a mouse action while a button is down.

    Raises:
        CallError: A button is down.
    """
    if page.held_buttons is not None:
        raise CallError(
            f"The {page.held_buttons.buttons[0]} mouse button is down.",
            "Release it with browser_mouse_up first.",
        )


def _missed_error(label: str, cover: str | None) -> ElementCoveredError:
    return ElementCoveredError(
        f"{label} was not clicked: {cover or 'another element'} covered it just before the click.",
        "Nothing was clicked. Take a new snapshot.",
    )


def _covered_error(
    label: str, cover: str | None, cover_text: str, seconds_waited_for_cover: float | None
) -> ElementCoveredError:
    if cover is None:
        return ElementCoveredError(
            f"{label} cannot be clicked: no element receives clicks at its position.",
            TAKE_NEW_SNAPSHOT,
        )
    if seconds_waited_for_cover is not None:
        wait_argument = (
            f'textGone: "{cover_text}"' if cover_text and '"' not in cover_text else "time: 5"
        )
        return ElementCoveredError(
            f"{label} is covered by {cover}, which was still there after "
            f"{seconds_waited_for_cover:.1f} s and has no controls.",
            f"Wait until it disappears with browser_wait_for ({wait_argument}), then try again.",
        )
    return ElementCoveredError(
        f"{label} is covered by {cover}.",
        "Close or move the covering element, or act on it instead.",
    )


def _not_visible_error(
    label: str, obstacle_kind: str, obstacle_variant: str, cause: str | None
) -> ElementNotVisibleError:
    hint = TAKE_NEW_SNAPSHOT
    if obstacle_kind == "moving":
        return ElementNotVisibleError(f"{label} does not stop moving.", hint)
    if obstacle_kind == "hidden":
        if obstacle_variant == "option":
            hint = "Use browser_select_option."
        elif obstacle_variant in ("details", "dialog", "popover") and cause:
            hint = "Open it first."
        reasons, sentence = _HIDDEN_REASONS, f"{label} is not visible"
    else:
        reasons, sentence = _OUTSIDE_REASONS, f"{label} cannot be scrolled into view"
    subject = cause or ("its own style" if obstacle_variant == "clipped" else "it")
    why = f": {reasons[obstacle_variant].format(subject)}" if obstacle_variant in reasons else ""
    return ElementNotVisibleError(f"{sentence}{why}.", hint)
