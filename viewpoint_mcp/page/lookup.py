"""Turns what the agent wrote, a ref or a CSS selector, into the element it names, or says why it
names none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from viewpoint_mcp.accessibility.refs import AGAIN, Ref, no_longer, prefix
from viewpoint_mcp.errors import CallError, OtherPage, StaleRef
from viewpoint_mcp.page.actions.element import Element
from viewpoint_mcp.page.frames import Frame

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page

_REF_INSIDE = re.compile(r"(?<![\w.#-])(?:c[0-9]+)?(?:p[0-9]+)?(?:f[0-9]+)?e[0-9]+(?![\w-])")
_RANGES_SHOWN = 5


async def element(page: Page, text: str) -> Element:
    """Return the element that a ref, or a CSS selector matching exactly one, names.

    Raises:
        OtherPage: The ref is of another page.
        StaleRef: It is unknown, or its document is gone.
        CallError: The selector is malformed or matches none or several.
    """
    ref = Ref.read(text)
    return await _by_selector(page, text) if ref is None else _by_ref(page, ref)


def registered(page: Page, frame: Frame, found: Mapping[str, Any]) -> Element:
    """Return the element that a function of `inpage` found and registered.

    Args:
        found: Its `number`.
    """
    ref = Ref(page.context, page.number, frame.number, found["number"])
    return Element(page, frame, ref, None)


def _by_ref(page: Page, ref: Ref) -> Element:
    if (ref.context, ref.page) != (page.context, page.number):
        message = f"Ref {ref} belongs to another page than the one this call is for."
        raise OtherPage(message, AGAIN, context=ref.context, page=ref.page)
    frame = page.frames.by_number(ref.frame)
    named = page.refs.look_up(ref)
    if frame is not None and named is not None and frame.document == named.document:
        return Element(page, frame, ref, named)
    if ref.frame >= page.frames.next_number or (frame and ref.element >= frame.numbers.next):
        raise _unknown(page, ref)
    where = "a frame that is no longer on the page" if frame is None else _former_document(page)
    if named is None:
        raise StaleRef(f"Ref {ref} belongs to {where}.", AGAIN)
    raise no_longer(ref, named, f"belongs to {where}")


def _former_document(page: Page) -> str:
    return f"a document that is no longer shown; the page is at {page.url} now"


def _unknown(page: Page, ref: Ref) -> StaleRef:
    """The error for a ref that nobody was ever given; it says which there are."""
    ranges = [
        str(Ref(page.context, page.number, frame, first))
        + (f" to {prefix(page.context, page.number, frame)}e{last}" if last > first else "")
        for frame, (first, last) in page.refs.ranges().items()
    ]
    more = ", ..." if len(ranges) > _RANGES_SHOWN else ""
    there_are = f" There are {', '.join(ranges[:_RANGES_SHOWN])}{more}." if ranges else ""
    return StaleRef(f"Ref {ref} was never given on this page.{there_are}", AGAIN)


async def _by_selector(page: Page, selector: str) -> Element:
    frame = page.frames.main
    found = await page.call(frame, "find", selector)
    if "number" in found:
        return registered(page, frame, found)
    matches = "it is no CSS selector" if found.get("invalid") else f"it matches {found['matches']}"
    inside = _REF_INSIDE.findall(selector)
    raise CallError(
        f'"{selector}" is neither a ref nor a selector of exactly one element: {matches}.',
        f"Write the ref alone: {inside[0]}."
        if len(inside) == 1
        else "Use a ref from a snapshot, such as e12.",
    )
