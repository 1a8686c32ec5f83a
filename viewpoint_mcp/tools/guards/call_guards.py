"""The guards of one client's calls, as the executor calls them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.tools.core.tool import Tool
from viewpoint_mcp.tools.guards.writable_origins import raise_if_page_not_writable

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace
    from viewpoint_mcp.browser.context import Context
    from viewpoint_mcp.page.page import Page
    from viewpoint_mcp.tools.guards.outflow.outflow_guard import OutflowGuard

_REF_IN_FRAME = re.compile(r"(?:c\d+)?(?:p\d+)?f(\d+)e\d+")
_TIME_FOR_USER = 300.0  # seconds for the answer to a question


class CallGuards:
    """The guards that the settings need. Without any, the methods do nothing.

    Attributes:
        time_for_user: Seconds that a call may wait for an answer of the user, beside its own work.
    """

    def __init__(self, settings: Settings) -> None:
        self.time_for_user = _TIME_FOR_USER if settings.outflow == "ask" else 0.0
        self._rules = settings.origins
        self._outflow = _make_outflow_guard(settings)

    async def check_on_page(self, tool: Tool[Any], args: Any, page: Page) -> None:
        """Check a call before it runs on a page, and note there what the reply must report.

        Raises:
            BlockedError: The call is refused.
            InputRequired: The client must ask its user and repeat the call.
        """
        if self._rules.writable:
            raise_if_page_not_writable(self._rules, tool, args, page.url)
        if self._outflow is not None and tool.sinks:
            note = await self._outflow.check(tool, args, _find_receiving_url(page, args))
            if note:
                page.add_event(note)

    async def check_on_browser(self, tool: Tool[Any], args: Any, workspace: Workspace) -> str:
        """Check a call of a browser tool before it runs; return what the reply must report.

        Raises:
            BlockedError: The call is refused.
            InputRequired: The client must ask its user and repeat the call.
        """
        if self._outflow is None or not tool.sinks:
            return ""
        page = _find_active_page(workspace.active_context)
        return await self._outflow.check(tool, args, page.url if page is not None else "")

    def remember_shown(self, page: Page | None, context: Context | None, text: str) -> None:
        """Remember what a reply shows of a page; without one, of the active page of the context."""
        if self._outflow is not None:
            page = page or _find_active_page(context)
            if page is not None:
                self._outflow.remember_reply(page.url, text)


def _make_outflow_guard(settings: Settings) -> OutflowGuard | None:
    if settings.outflow == "off":
        return None
    from viewpoint_mcp.files.file_access import FileAccess
    from viewpoint_mcp.tools.guards.outflow.outflow_guard import OutflowGuard

    return OutflowGuard(settings.outflow, settings.secrets, FileAccess.from_settings(settings))


def _find_active_page(context: Context | None) -> Page | None:
    tab = context.active_tab if context is not None else None
    return tab.attached_page if tab is not None else None


def _find_receiving_url(page: Page, args: Any) -> str:
    """Return the URL of the frame that an action reaches, or of the page."""
    refs = [getattr(args, "ref", None), *(each.ref for each in getattr(args, "fields", ()))]
    for ref in filter(None, refs):
        found = _REF_IN_FRAME.fullmatch(ref)
        url = page.navigation.find_frame_url(int(found[1])) if found else None
        if url is not None:
            return url
    return page.url
