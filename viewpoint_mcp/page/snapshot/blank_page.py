"""Explanation of a page that shows nothing: it is still loading, or it has no content."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.accessibility.printing.sentence_quotes import quote_in_sentence
from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.page.shorten import shorten_url

if TYPE_CHECKING:
    from viewpoint_mcp.page.network.request import Request
    from viewpoint_mcp.page.services import PageServices

_CONTENT_KINDS: Final = frozenset({"document", "script", "stylesheet", "fetch", "xhr"})
_WAIT_HINT: Final = "Wait with browser_wait_for, then take a new snapshot."

NO_CONTENT: Final = "The page has no accessible content."
"""Sentence for a page that shows nothing and loads nothing."""


async def explain_blank_page(
    page: PageServices, requests: Iterable[Request], *, is_empty: bool
) -> str:
    """Return a sentence about a page that shows nothing, or only a loading sign.

    Args:
        is_empty: Whether the snapshot is empty. If False, and the page shows more than a loading
            sign, the result is "".
    """
    try:
        state = await page.call_inpage(page.frames.main, "loadingNow")
    except ViewpointError:
        state = None
    if state is None:
        if not is_empty:
            return ""
        state = {"text": "", "isLoading": False, "isTurning": False}
    reasons = [f"it shows {quote_in_sentence(state['text'])}"] if state["text"] else []
    open_urls = [
        each.url for each in requests if each.ended_at is None and each.kind in _CONTENT_KINDS
    ]
    if open_urls:
        more = f" and {len(open_urls) - 1} more" if len(open_urls) > 1 else ""
        reasons.append(f"it waits for {shorten_url(open_urls[0])}{more}")
    if reasons:
        return f"The page is still loading: {' and '.join(reasons)}. {_WAIT_HINT}"
    if state["isLoading"]:
        return f"The page is still loading. {_WAIT_HINT}"
    if state["isTurning"]:
        return f"The page shows nothing but an animation and may still be loading. {_WAIT_HINT}"
    return NO_CONTENT
