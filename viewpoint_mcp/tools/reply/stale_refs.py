"""Suggestions for errors about refs that do not name an element of the page."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from viewpoint_mcp.accessibility.printing.sentence_quotes import quote_in_sentence
from viewpoint_mcp.accessibility.search.candidate_list import list_candidates
from viewpoint_mcp.accessibility.search.found_elements import find_elements_with_ref
from viewpoint_mcp.accessibility.similar_elements import find_similar_elements
from viewpoint_mcp.browser.context import Context, ContextIdentities
from viewpoint_mcp.errors import TAKE_NEW_SNAPSHOT, OtherPageRefError, StaleRefError, ViewpointError
from viewpoint_mcp.page.page import Page

_TIME_LIMIT: Final = 5.0  # seconds for taking and searching the snapshot


async def add_suggestions(
    error: ViewpointError,
    page: Page,
    context: Context,
    identities: ContextIdentities,
    description: str | None = None,
) -> None:
    """Add similar elements to the error of a stale ref, or the tab that the ref belongs to.

    Other errors stay unchanged.

    Args:
        description: The `element` argument of the call, the agent's description of the element.
    """
    if isinstance(error, OtherPageRefError):
        error.hint = _explain_other_page(error, context, identities)
    elif isinstance(error, StaleRefError):
        printed_element = error.printed_element or ("", description or "")
        if printed_element[1] and page.blockers.blocking_error() is None:
            # If the page does not respond, the error is reported without suggestions.
            with suppress(ViewpointError, TimeoutError):
                async with asyncio.timeout(_TIME_LIMIT):
                    error.similar_elements = await _find_similar_elements(
                        page, *printed_element, error.group_texts
                    )
            if error.similar_elements and error.hint == TAKE_NEW_SNAPSHOT:
                error.hint = "If one of them is meant, use its ref."


async def _find_similar_elements(
    page: Page, role: str, name: str, group_texts: Sequence[str]
) -> list[str]:
    capture = await page.snapshot()
    elements = find_elements_with_ref(capture.nodes)
    return list_candidates(find_similar_elements(elements, role, name, group_texts), elements)


def _explain_other_page(
    error: OtherPageRefError, context: Context, identities: ContextIdentities
) -> str:
    if error.context_number != context.number:
        identity = identities.find_by_number(error.context_number)
        if identity is None:
            return "No context ever had this number. Take a new snapshot."
        return f'It belongs to the browser context "{identity.name}". Pass context to act there.'
    for index, tab in enumerate(context.tabs):
        if tab.attached_page is not None and tab.attached_page.number == error.page_number:
            title = quote_in_sentence(tab.title or tab.url)
            return f"It belongs to tab {index}, {title}. Select that tab with browser_tabs first."
    if error.page_number < context.identity.page_count:
        return "Its tab was closed. Take a new snapshot and use a ref from it."
    return "No page ever had this number. Take a new snapshot and use a ref from it."
