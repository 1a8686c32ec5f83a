"""Executor of tool calls for one client.

It serialises calls per page, applies time limits, composes replies, and translates errors.
"""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any

from viewpoint_mcp.browser.client_workspace import Workspace
from viewpoint_mcp.caller import ClientInputError, caller
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import ModalOpenError, ViewpointError
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.tools.core.result import Reply, ToolResult
from viewpoint_mcp.tools.core.tool import Tool
from viewpoint_mcp.tools.reply.composer import Composer, compose_plain_reply
from viewpoint_mcp.tools.reply.error_reply import translate_exception
from viewpoint_mcp.tools.reply.stale_refs import add_suggestions

# Seconds beyond the longest wait of a tool. Only a call that hangs reaches this limit.
_TIME_LIMIT_MARGIN = 60.0


class Executor:
    """Runs tool calls in the workspace of one client.

    Args:
        workspace: The contexts and tabs of the client.
    """

    def __init__(self, workspace: Workspace, settings: Settings) -> None:
        self.workspace = workspace
        self._composer = Composer(workspace, settings)
        timeouts = settings.timeouts
        self._time_limit = (
            max(timeouts.launch, timeouts.attach) + timeouts.navigation + _TIME_LIMIT_MARGIN
        )

    async def run(self, tool: Tool[Any], args: Any) -> Reply:
        """Run a tool and compose the reply. Failures become replies.

        Raises:
            ClientInputError: The tool needs input or a capability of the client.
        """
        is_plain = tool.scope == "plain"
        time_limit = tool.time_limit or (None if is_plain else self._time_limit)
        try:
            with nullcontext() if is_plain else self.workspace.pause_idle_timer():
                async with asyncio.timeout(time_limit):
                    match tool.scope:
                        case "plain":
                            return compose_plain_reply(await tool(caller(), args))
                        case "browser":
                            return await self._run_on_browser(tool, args)
                        case "page":
                            return await self._run_on_page(tool, args)
        except ClientInputError:
            raise
        except Exception as error:  # noqa: BLE001 - `translate_exception` logs it
            if isinstance(error, ViewpointError) and not is_plain:
                self.workspace.explain_loss(error)
            return translate_exception(tool.name, error, time_limit)

    async def close(self) -> None:
        """Close the contexts of the client. Idempotent."""
        await self.workspace.close()

    async def _run_on_browser(self, tool: Tool[Any], args: Any) -> Reply:
        tabs_before = self._open_tab_ids()
        result = await tool(self.workspace, args)
        context = result.context or self.workspace.active_context
        return await self._composer.compose(result, context, result.page, tabs_before)

    async def _run_on_page(self, tool: Tool[Any], args: Any) -> Reply:
        context = await self.workspace.get_context(tool.context_name(args))
        page = await context.get_active_page()
        tabs_before = self._open_tab_ids()
        async with self._page_lock(tool, page), self._page_load_slot(tool):
            try:
                _raise_if_page_closed_or_modal_open(tool, page)
                result = await tool(page, args)
                return await self._composer.compose(result, context, page, tabs_before)
            except ViewpointError as error:
                if context.is_closed or page.blockers.connection_lost is not None:
                    raise  # the page has no state that the reply could show
                description = getattr(args, "element", None)
                await add_suggestions(error, page, context, self.workspace.identities, description)
                result = ToolResult(str(error), is_error=True)
                return await self._composer.compose(result, context, page, tabs_before)

    @staticmethod
    def _page_lock(tool: Tool[Any], page: Page) -> AbstractAsyncContextManager[Any]:
        return page.lock if tool.waits_for_page else nullcontext()

    def _page_load_slot(self, tool: Tool[Any]) -> AbstractAsyncContextManager[Any]:
        return (
            self.workspace.wait_for_page_load_slot() if tool.kind == "navigate" else nullcontext()
        )

    def _open_tab_ids(self) -> frozenset[str]:
        return frozenset(tab.target_id for tab in self.workspace.tabs)


def _raise_if_page_closed_or_modal_open(tool: Tool[Any], page: Page) -> None:
    """Raise an error if the page is closed, or if a dialog or file chooser blocks the tool.

    A page may close while a call waits for its turn. An open dialog blocks all tools except those
    that answer dialogs. An open file chooser blocks all tools except those that answer choosers or
    dialogs, because an answer to the next dialog can be prepared.
    """
    reason = page.blockers.blocking_error()
    if reason is not None and page.blockers.is_closed:
        raise reason
    answers = ("dialog",) if page.blockers.dialog is not None else ("dialog", "chooser")
    if isinstance(reason, ModalOpenError) and tool.answers_modal not in answers:
        raise reason
