"""The one way to a tool: find, parse, take turns, limit, run, compose, translate errors."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any

from viewpoint_mcp.browser.host import BrowserHost
from viewpoint_mcp.errors import ModalOpen, ViewpointError
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.settings import Settings
from viewpoint_mcp.tools.registry import Tool, UnknownTool
from viewpoint_mcp.tools.reply import Composer
from viewpoint_mcp.tools.result import Reply, ToolResult
from viewpoint_mcp.tools.session_log import SessionLog
from viewpoint_mcp.tools.stale import explain

log = logging.getLogger(__name__)

_MARGIN = (
    60.0  # seconds beyond the longest wait that a tool may have; a last resort against hanging
)


class Runner:
    """Runs tools against the browser of one server.

    Args:
        tools: What is offered, in the order of the listing.
        host: Has the browser.
    """

    def __init__(self, tools: Iterable[Tool[Any]], host: BrowserHost, settings: Settings) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._host = host
        self._composer = Composer(host, settings)
        self._secrets = settings.secrets
        self._session = (
            SessionLog(settings.output_dir, settings.secrets) if settings.save_session else None
        )
        timeouts = settings.timeouts
        self._limit = max(timeouts.launch, timeouts.attach) + timeouts.navigation + _MARGIN
        self.listing = [tool.listing for tool in self._tools.values()]

    async def call(self, name: str, arguments: object) -> Reply:
        """Run one tool and compose the answer. Failures that are not ours to mend are answers too.

        Raises:
            UnknownTool: No tool of that name is offered.
        """
        tool = self._tools.get(name)
        if tool is None:
            raise UnknownTool(name)
        reply = (await self._answer(tool, arguments)).masked(self._secrets.mask)
        if self._session is not None:
            await self._session.note(name, arguments, reply)
        return reply

    async def _answer(self, tool: Tool[Any], arguments: object) -> Reply:
        limit = tool.limit or self._limit
        try:
            with self._host.call():
                async with asyncio.timeout(limit):
                    args = tool.parse(arguments, self._secrets)
                    return await (
                        self._on_browser(tool, args)
                        if tool.scope == "browser"
                        else self._on_page(tool, args)
                    )
        except ViewpointError as error:
            self._host.explain(error)
            return self._composer.failure(str(error))
        except TimeoutError:
            log.exception("%s took longer than %g s", tool.name, limit)
            return self._composer.failure(f"{tool.name} was given up after {limit:g} s.")
        except Exception:
            log.exception("%s failed", tool.name)
            return self._composer.failure(
                f"{tool.name} failed by a fault of this server; its log tells more."
            )

    async def _on_browser(self, tool: Tool[Any], args: Any) -> Reply:
        before = self._tabs()
        result = await tool(self._host, args)
        context = result.context or self._host.active
        return await self._composer.compose(result, context, result.page, before)

    async def _on_page(self, tool: Tool[Any], args: Any) -> Reply:
        context = await self._host.context(tool.context_of(args))
        page = await context.page()
        before = self._tabs()
        async with self._turn(tool, page):
            try:
                _refuse(tool, page)
                result = await tool(page, args)
                return await self._composer.compose(result, context, page, before)
            except ViewpointError as error:
                if context.is_closed or page.interruptions.lost is not None:
                    raise  # and there is nothing to show
                # What went wrong is told with the state of the page.
                await explain(error, page, context, self._host, getattr(args, "element", None))
                result = ToolResult(str(error), is_error=True)
                return await self._composer.compose(result, context, page, before)

    @staticmethod
    def _turn(tool: Tool[Any], page: Page) -> AbstractAsyncContextManager[Any]:
        return page.lock if tool.waits else nullcontext()

    def _tabs(self) -> frozenset[str]:
        browser = self._host.running
        return frozenset(tab.target_id for tab in browser.contexts.tabs) if browser else frozenset()


def _refuse(tool: Tool[Any], page: Page) -> None:
    """A page that went while the call waited for its turn takes none. A dialog stops all but its
    answer; a chooser lets a dialog's answer be prepared as well.
    """
    reason = page.interruptions.reason()
    if reason is not None and page.interruptions.closed:
        raise reason
    answers = ("dialog",) if page.interruptions.dialog is not None else ("dialog", "chooser")
    if isinstance(reason, ModalOpen) and tool.answers not in answers:
        raise reason
