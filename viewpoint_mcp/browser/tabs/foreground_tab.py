"""The foreground tab of each browser window, which the user may change by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cdp_protocol import CdpError, Connection
from viewpoint_mcp.browser.context import BrowserContexts

if TYPE_CHECKING:
    from cdp_protocol.types.target import FilterEntry, TargetInfo

_FILTER: list[FilterEntry] = [{"type": "page"}, {"type": "tab"}]


class ForegroundTracker:
    """Tracker that activates the tab which the user brings to the front.

    Args:
        contexts: The contexts whose active tab is changed.
    """

    def __init__(self, connection: Connection, contexts: BrowserContexts) -> None:
        self._connection = connection
        self._contexts = contexts
        self._foreground_ids: set[str] = set()
        self._known_ids: set[str] = set()

    async def follow_user_tab_switch(self) -> None:
        """Activate a tab that the user brought to the front since the last call.

        No event reports this change, so two listings are compared. New tabs do not count, because
        they come to the front by themselves. After a tab has closed nothing counts, because its
        neighbour comes to the front.

        Source: CDP `Target.getTargets`, `Target.TargetInfo.embedderData` of targets of type "tab".
        """
        try:
            found = await self._connection.root.Target.getTargets(filter=_FILTER)
        except CdpError:
            return  # the next call reports the error
        infos = found["targetInfos"]
        before, self._foreground_ids = self._foreground_ids, find_foreground_pages(infos)
        known, self._known_ids = self._known_ids, {info["targetId"] for info in infos}
        if known and not known <= self._known_ids:
            return
        for target_id in self._foreground_ids - before:
            tab = self._contexts.find_tab(target_id)
            if tab is not None and (not known or target_id in known):
                tab.context.active_tab = tab


def find_foreground_pages(infos: Sequence[TargetInfo]) -> set[str]:
    """Return the target ids of the pages that are in front in their windows.

    A "tab" target does not name its page, so the two are matched by context, URL and title, in
    order.

    Args:
        infos: CDP `Target.TargetInfo` of all pages, and of all tabs in the same order. Several tabs
            may show the same document.
    """
    pages: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for info in infos:
        if info["type"] == "page" and not info.get("subtype"):
            pages[_make_tab_matching_key(info)].append(info["targetId"])
    front = set()
    for info in infos:
        if info["type"] == "tab" and (alike := pages[_make_tab_matching_key(info)]):
            target_id = alike.pop(0)
            if info.get("embedderData", {}).get("tabActive"):
                front.add(target_id)
    return front


def _make_tab_matching_key(info: TargetInfo) -> tuple[str, ...]:
    return info.get("browserContextId", ""), info["url"], info["title"]
