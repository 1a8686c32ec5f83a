"""Tells the agent whose ref names nothing what it may have meant, and where that is."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from viewpoint_mcp.accessibility.near_matches import near_matches
from viewpoint_mcp.accessibility.render import label
from viewpoint_mcp.browser.context import Context, Identities
from viewpoint_mcp.errors import OtherPage, StaleRef, ViewpointError
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.tools.reply.sanitize import one_line

_LIMIT: Final = 5.0  # seconds for a look at the page that nobody asked for


async def add_suggestions(
    error: ViewpointError,
    page: Page,
    context: Context,
    identities: Identities,
    description: str | None = None,
) -> None:
    """Add to the error of a ref what can be done instead: near matches, or the tab it belongs to.

    Args:
        description: The agent's own words for the element.
    """
    if isinstance(error, OtherPage):
        error.hint = _whereabouts(error, context, identities)
    elif isinstance(error, StaleRef):
        sought = error.sought or ("", description or "")
        if sought[1] and page.blockers.reason() is None:
            # The page may well be what is wrong; then the error stands as it is.
            with suppress(ViewpointError, TimeoutError):
                async with asyncio.timeout(_LIMIT):
                    error.near = await _near(page, *sought, error.beside)


async def _near(page: Page, role: str, name: str, beside: Sequence[str]) -> list[str]:
    taken = await page.snapshot()
    return [label(node) for node in near_matches(taken.nodes, role, name, beside)]


def _whereabouts(error: OtherPage, context: Context, identities: Identities) -> str:
    if error.context != context.number:
        identity = identities.numbered(error.context)
        if identity is None:
            return "There never was a context of that number. Take a new snapshot."
        return f'It is of the browser context "{identity.name}": pass context to act there.'
    for index, tab in enumerate(context.tabs):
        if tab.page_now is not None and tab.page_now.number == error.page:
            title = one_line(tab.title or tab.url)
            return f'It is of tab {index}, "{title}": select that with browser_tabs first.'
    if error.page < context.identity.pages:
        return "Its tab was closed. Take a new snapshot and use a ref from it."
    return "There never was a page of that number. Take a new snapshot and use a ref from it."
