"""Translation of verifications into assertions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from viewpoint_mcp.accessibility.search.playwright_locator import ENTER_FRAME
from viewpoint_mcp.page.locators.verification import VerifiedValue, VisibleMatch
from viewpoint_mcp.tools.codegen.recorded_call import RecordedCall
from viewpoint_mcp.tools.codegen.statements import Expectation, Statement

MATCH: Final = "match"
"""The key in `RecordedCall.locators` of the first element that a verification found."""

_FIRST: Final = {"kind": "nth", "index": 0}


def _element_visible(call: RecordedCall) -> list[Statement]:
    locator = call.locator(MATCH)
    if locator is None:
        return [call.cannot_be_written("Playwright cannot find its element")]
    return [Expectation(call.page_name, locator.steps, "toBeVisible")]


def _text_visible(call: RecordedCall) -> list[Statement]:
    locator, match = call.locator(MATCH), _verified(call)
    if locator is None or not isinstance(match, VisibleMatch):
        return [call.cannot_be_written("Playwright cannot find its element")]
    steps = list(locator.steps)
    frame_steps: list[Any] = []
    while ENTER_FRAME in steps:
        end = steps.index(ENTER_FRAME) + 1
        frame_steps, steps = [*frame_steps, *steps[:end]], steps[end:]
    found = [*frame_steps, _text_step(call.args.text)]
    if match.count > 1 or match.hidden:
        found += [{"kind": "visible"}, _FIRST]
    return [Expectation(call.page_name, found, "toBeVisible")]


def _list_visible(call: RecordedCall) -> list[Statement]:
    locator = call.locator(call.args.ref)
    if locator is None:
        return [call.cannot_be_written("Playwright cannot find its element")]
    return [
        Expectation(
            call.page_name,
            [*locator.steps, _text_step(item), {"kind": "visible"}, _FIRST],
            "toBeVisible",
        )
        for item in call.args.items
    ]


def _value(call: RecordedCall) -> list[Statement]:
    locator, verified = call.locator(call.args.ref), _verified(call)
    if locator is None or not isinstance(verified, VerifiedValue):
        return [call.cannot_be_written("Playwright cannot find its element")]
    page, steps, value = call.page_name, locator.steps, verified.value
    match verified.place:
        case "checked":
            return [Expectation(page, steps, "toBeChecked", is_negated=value == "false")]
        case "aria-valuenow":
            return [Expectation(page, steps, "toHaveAttribute", ("aria-valuenow", value))]
        case "text":
            return [Expectation(page, steps, "toHaveText", (value,))]
        case _:
            return [Expectation(page, steps, "toHaveValue", (value,))]


def _verified(call: RecordedCall) -> VisibleMatch | VerifiedValue | None:
    return None if call.result is None else call.result.verified


def _text_step(text: str) -> dict[str, Any]:
    return {"kind": "text", "text": {"text": " ".join(text.removesuffix("…").split())}}


VERIFICATION_TRANSLATIONS: Final[Mapping[str, Callable[[RecordedCall], list[Statement]]]] = (
    MappingProxyType(
        {
            "browser_verify_element_visible": _element_visible,
            "browser_verify_text_visible": _text_visible,
            "browser_verify_list_visible": _list_visible,
            "browser_verify_value": _value,
        }
    )
)
"""The translations, by the names of the tools."""
