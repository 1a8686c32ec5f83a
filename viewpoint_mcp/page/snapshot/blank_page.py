"""Explanation of a page that shows nothing: it is still loading, or it has no content."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.page.shorten import shorten_url

if TYPE_CHECKING:
    from viewpoint_mcp.page.network.request import Request
    from viewpoint_mcp.page.services import PageServices

_KINDS: Final = frozenset({"document", "script", "stylesheet", "fetch", "xhr"})
_WAIT: Final = "Wait with browser_wait_for, then take a new snapshot."

NOTHING: Final = "The page has no accessible content."
"""Sentence for a page that shows nothing and loads nothing."""


async def explain_blank(page: PageServices, requests: Iterable[Request], *, is_empty: bool) -> str:
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
    reasons = [f'it shows "{state["text"]}"'] if state["text"] else []
    waits = [each.url for each in requests if each.ended is None and each.kind in _KINDS]
    if waits:
        more = f" and {len(waits) - 1} more" if len(waits) > 1 else ""
        reasons.append(f"it waits for {shorten_url(waits[0])}{more}")
    if reasons:
        return f"The page is still loading: {' and '.join(reasons)}. {_WAIT}"
    if state["isLoading"]:
        return f"The page is still loading. {_WAIT}"
    if state["isTurning"]:
        return f"The page shows nothing but an animation and may still be loading. {_WAIT}"
    return NOTHING
