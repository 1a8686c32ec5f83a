"""The limit on the tabs that pages keep open, because a page can open tabs without end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from viewpoint_mcp.browser.tabs.tab import Tab

MAX_POPUPS: Final = 50
"""Tabs of one context that pages opened and that are still open."""

_EVENT: Final = (
    f"The page opened more than {MAX_POPUPS} tabs, so further ones were closed at once. Close "
    "tabs with browser_tabs to permit new ones"
)


def is_one_too_many(tab: Tab) -> bool:
    """Return whether a page opened this tab beyond the limit. The user's own tabs do not count."""
    if tab.opener_id is None or not tab.is_owned:
        return False
    popups = [each for each in tab.context.tabs if each.opener_id is not None and each.is_owned]
    return len(popups) > MAX_POPUPS


def report_closed_popup(tab: Tab) -> None:
    """Report to the page that opened the tab, and to the active one, that it was closed."""
    opener = tab.context.find_tab(tab.opener_id or "")
    for each in (opener, tab.context.active_tab):
        page = each.attached_page if each is not None else None
        if page is not None and each is not tab:
            page.add_event(_EVENT)
