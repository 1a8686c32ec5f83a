"""Runs calls in one client's workspace: takes turns, limits, composes, translates errors."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any

from viewpoint_mcp.browser.workspace import Workspace
from viewpoint_mcp.caller import Unanswered
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import ModalOpen, ViewpointError
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.tools.core.result import Reply, ToolResult
from viewpoint_mcp.tools.core.tool import Tool
from viewpoint_mcp.tools.reply.composer import Composer, failed
from viewpoint_mcp.tools.reply.stale_refs import explain

_MARGIN = 60.0  # seconds beyond the longest wait that a tool may have: a last resort


class Executor:
    """Runs calls in a workspace.

    Args:
        workspace: Whose contexts and tabs are acted on.
    """

    def __init__(self, workspace: Workspace, settings: Settings) -> None:
        self.workspace = workspace
        self._composer = Composer(workspace, settings)
        timeouts = settings.timeouts
        self._limit = max(timeouts.launch, timeouts.attach) + timeouts.navigation + _MARGIN

    async def run(self, tool: Tool[Any], args: Any) -> Reply:
        """Run a tool and compose the answer. Failures that are not ours to mend are answers too."""
        limit = tool.limit or self._limit
        try:
            with self.workspace.call():
                async with asyncio.timeout(limit):
                    return await (
                        self._on_browser(tool, args)
                        if tool.scope == "browser"
                        else self._on_page(tool, args)
                    )
        except Unanswered:
            raise
        except Exception as error:  # noqa: BLE001 - `failed` logs it
            if isinstance(error, ViewpointError):
                self.workspace.explain(error)
            return failed(tool.name, error, limit)

    async def close(self) -> None:
        """End what the calls opened. Idempotent."""
        await self.workspace.close()

    async def _on_browser(self, tool: Tool[Any], args: Any) -> Reply:
        before = self._tabs()
        result = await tool(self.workspace, args)
        context = result.context or self.workspace.active
        return await self._composer.compose(result, context, result.page, before)

    async def _on_page(self, tool: Tool[Any], args: Any) -> Reply:
        context = await self.workspace.context(tool.context_of(args))
        page = await context.page()
        before = self._tabs()
        async with self._turn(tool, page), self._loading(tool):
            try:
                _refuse(tool, page)
                result = await tool(page, args)
                return await self._composer.compose(result, context, page, before)
            except ViewpointError as error:
                if context.is_closed or page.blockers.lost is not None:
                    raise  # and there is nothing to show
                # What went wrong is told with the state of the page.
                identities = self.workspace.identities
                await explain(error, page, context, identities, getattr(args, "element", None))
                result = ToolResult(str(error), is_error=True)
                return await self._composer.compose(result, context, page, before)

    @staticmethod
    def _turn(tool: Tool[Any], page: Page) -> AbstractAsyncContextManager[Any]:
        return page.lock if tool.waits else nullcontext()

    def _loading(self, tool: Tool[Any]) -> AbstractAsyncContextManager[Any]:
        return self.workspace.loading() if tool.kind == "navigate" else nullcontext()

    def _tabs(self) -> frozenset[str]:
        return frozenset(tab.target_id for tab in self.workspace.tabs)


def _refuse(tool: Tool[Any], page: Page) -> None:
    """A page that went while the call waited for its turn takes none. A dialog stops all but its
    answer; a chooser lets a dialog's answer be prepared as well.
    """
    reason = page.blockers.reason()
    if reason is not None and page.blockers.closed:
        raise reason
    answers = ("dialog",) if page.blockers.dialog is not None else ("dialog", "chooser")
    if isinstance(reason, ModalOpen) and tool.answers not in answers:
        raise reason
