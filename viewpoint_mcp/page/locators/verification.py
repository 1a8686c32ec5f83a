"""Verifications: what a person sees on the page now, compared with what a test expects.

A failed verification lists what the page shows instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from viewpoint_mcp.accessibility.printing.inline_content import quote_part
from viewpoint_mcp.accessibility.printing.sentence_quotes import quote_in_sentence, to_one_line
from viewpoint_mcp.accessibility.search.playwright_locator import Step
from viewpoint_mcp.errors import PageError, VerificationError

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.services import PageServices

ControlType = Literal["textbox", "checkbox", "radio", "combobox", "slider"]
ValuePlace = Literal["checked", "value", "aria-valuenow", "text"]

_CHILD_FRAME_TIMEOUT: Final = 1.0  # seconds for a search in a frame below the main frame
_MAX_LISTED: Final = 5  # elements with a role that an error lists
_MAX_SHOWN: Final = 100  # characters of a value or an item in an error


@dataclass(frozen=True, slots=True)
class VisibleMatch:
    """The visible elements that match a locator.

    Attributes:
        element: The first of them.
        text: Its text.
        count: Their number in the frame of the first.
        hidden: The number of matches that a person does not see.
    """

    element: Element
    text: str
    count: int
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class VerifiedValue:
    """A value that a control holds, as expected.

    Attributes:
        place: The place where a script reads the value.
        value: The value there; "true" or "false" if `place` is "checked".
    """

    place: ValuePlace
    value: str


async def verify_role(page: PageServices, role: str, name: str) -> VisibleMatch:
    """Make sure that an element with this role and name is visible, in any frame.

    Args:
        role: The role, as a snapshot prints it.
        name: A part of the accessible name, in any case.

    Raises:
        VerificationError: It is not; the message lists similar elements.
    """
    wanted_name = " ".join(name.removesuffix("…").split())
    role_step: dict[str, Any] = {"kind": "role", "role": {"image": "img"}.get(role, role)}
    step = {**role_step, "text": {"text": wanted_name, "exact": False}}
    while True:
        match, hidden = await _find_visible(page, [step])
        if match is not None:
            return match
        if not await page.elements.wait_for_change():
            break
    message = f'Element with role "{role}" and accessible name "{name}" not found.'
    if hidden:
        message = f'Element with role "{role}" and accessible name "{name}" is not visible.'
    error = VerificationError(message)
    error.similar_elements = await page.elements.list_similar(role, wanted_name)
    if not error.similar_elements:
        error.facts = await _describe_similar_texts(page, wanted_name)
    if not error.similar_elements and not error.facts:
        error.facts = await _describe_elements_with_role(page, role)
    raise error


async def verify_text(page: PageServices, text: str) -> VisibleMatch:
    """Make sure that a text is visible, in any frame.

    Args:
        text: A part of the text of one element, in any case. White space does not matter.

    Raises:
        VerificationError: It is not; the message lists similar texts.
    """
    wanted = " ".join(text.removesuffix("…").split())
    while True:
        match, hidden = await _find_visible(page, [_text_step(wanted)])
        if match is not None:
            return match
        if not await page.elements.wait_for_change():
            break
    reason = "is on the page, but not visible" if hidden else "not found"
    error = VerificationError(f'Text "{_shorten(text)}" {reason}.')
    error.facts = await _describe_similar_texts(page, wanted)
    raise error


async def verify_items(page: PageServices, element: Element, items: Sequence[str]) -> list[str]:
    """Make sure that a list shows each of the items. Return the texts of the matching elements.

    Args:
        items: Parts of the texts of the items, in any case.

    Raises:
        VerificationError: An item is missing; the message lists the items that are there.
        ElementError: The list is gone.
    """
    await element.check_exists()
    number, texts, missing = element.ref.element, [], []
    for item in items:
        step = _text_step(" ".join(item.removesuffix("…").split()))
        found = await page.call_inpage(element.frame, "visibleMatches", [step], number)
        if found["visible"]:
            texts.append(str(found["text"]))
        else:
            missing.append(item)
    if not missing:
        return texts
    present: list[str] | None = await page.call_inpage(element.frame, "itemTexts", number)
    message = ", ".join(f'Item "{_shorten(each)}" not found' for each in missing)
    error = VerificationError(f"{message} in {element.label}.")
    shown = [f"- {quote_part(_shorten(each))}" for each in present or ()]
    error.facts = ["It shows:", *shown] if shown else ["It shows no items."]
    raise error


async def verify_value(
    page: PageServices, element: Element, control_type: ControlType, expected: str
) -> VerifiedValue:
    """Make sure that a control holds a value.

    Args:
        expected: "true" or "false" for a checkbox or radio button. Of a list, the value or the
            label of the selected option.

    Raises:
        VerificationError: It holds another value, which the message states; or it holds none.
        ElementError: The control is gone.
    """
    is_checkable = control_type in ("checkbox", "radio")
    answer = await page.call_inpage(element.frame, "heldValue", element.ref.element, is_checkable)
    await element.check_inpage_answer(answer)
    kind = answer["kind"]
    if kind == "none":
        raise VerificationError(f"{element.label} is no {control_type}, so it holds no value.")
    if kind == "checked":
        held = ["true" if answer["checked"] else "false"]
        is_equal = answer["checked"] == (expected == "true")
    else:
        held = [str(each) for each in answer["values"]]
        is_equal = expected in held[:1] or (expected != "" and expected in held)
    if is_equal:
        return VerifiedValue(kind, held[0])
    shown = '"' + "•" * len(held[0]) + '"' if answer.get("isSecret") else _quote(held[0])
    label = f" ({_quote(held[1])})" if len(held) > 1 and held[1] not in ("", held[0]) else ""
    raise VerificationError(f"Expected value {_quote(expected)}, but got {shown}{label}.")


async def _find_visible(
    page: PageServices, steps: Sequence[Step]
) -> tuple[VisibleMatch | None, int]:
    """Return the visible matches in the first frame that has some, and the number of hidden ones.

    A frame that does not answer is skipped, except the main frame.
    """
    hidden = 0
    for frame in page.frames:
        timeout = None if frame is page.frames.main else _CHILD_FRAME_TIMEOUT
        found: dict[str, Any] = {"visible": 0, "hidden": 0}
        with suppress(*(() if frame is page.frames.main else (PageError,))):
            found = await page.call_inpage(frame, "visibleMatches", steps, None, timeout=timeout)
        if found["visible"]:
            described = await page.call_inpage(frame, "describe", found["first"])
            role, name = (described["role"], described["name"]) if described else ("generic", "")
            element = page.elements.register_ref(frame, found["first"], role, name)
            hidden += found["hidden"]
            return VisibleMatch(element, found["text"], found["visible"], hidden), hidden
        hidden += found["hidden"]
    return None, hidden


async def _describe_similar_texts(page: PageServices, text: str) -> list[str]:
    from viewpoint_mcp.accessibility.search.similar_lines import find_similar_lines
    from viewpoint_mcp.accessibility.search.snapshot_search import render_matches
    from viewpoint_mcp.page.snapshot.page_snapshot import take_snapshot

    hits = find_similar_lines((await take_snapshot(page, None)).nodes, text)
    return (
        ["Similar texts on the page now:", *render_matches(hits).text.splitlines()] if hits else []
    )


async def _describe_elements_with_role(page: PageServices, role: str) -> list[str]:
    listed = await page.elements.list_with_role(role)
    if not listed:
        return [f"No element of the page has the role {role}."]
    more = len(listed) - _MAX_LISTED
    lines = [f"- {each}" for each in listed[:_MAX_LISTED]]
    lines += [f"- and {more} more"] if more > 0 else []
    return ["Elements with this role on the page now:", *lines]


def _text_step(text: str) -> Step:
    return {"kind": "text", "text": {"text": text, "exact": False}}


def _quote(text: str) -> str:
    return quote_in_sentence(text, _MAX_SHOWN)


def _shorten(text: str) -> str:
    line = to_one_line(text)
    return line if len(line) <= _MAX_SHOWN else f"{line[:_MAX_SHOWN]}…"
