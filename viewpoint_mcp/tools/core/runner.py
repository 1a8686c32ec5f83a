"""The one way to a tool: find, parse, run where the client's calls belong, mask, note."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from viewpoint_mcp.browser.supervisor import BrowserSupervisor
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.browserless import run_plainly
from viewpoint_mcp.tools.core.executor import Executor
from viewpoint_mcp.tools.core.result import Reply
from viewpoint_mcp.tools.core.session_log import SessionLog
from viewpoint_mcp.tools.core.sessionless import SessionlessCalls
from viewpoint_mcp.tools.core.tool import Tool, UnknownTool
from viewpoint_mcp.tools.reply.composer import failure


class Place(Protocol):
    """Where calls act."""

    async def run(self, tool: Tool[Any], args: Any) -> Reply:
        """Run a tool there and compose the answer, be it a failure."""

    async def close(self) -> None:
        """End what the calls opened. Idempotent."""


class Runners:
    """Opens a runner for each client of one server.

    Args:
        tools: What is offered.
        host: Has the browser.
    """

    def __init__(
        self, tools: Iterable[Tool[Any]], host: BrowserSupervisor, settings: Settings
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._host = host
        self._settings = settings
        self._shared: Place = (
            Executor(host.workspace(), settings)
            if host.is_for_one
            else SessionlessCalls(host, settings)
        )
        self._for_all = self._runner(self._shared, is_shared=True)

    def for_session(self) -> Runner:
        """Return one for a client that stays: what it opens is its own."""
        if self._host.is_for_one:
            return self._for_all
        return self._runner(Executor(self._host.workspace(), self._settings), is_shared=False)

    def for_request(self) -> Runner:
        """Return one for a request that belongs to no session, and names what it acts in."""
        return self._for_all

    async def close(self) -> None:
        """End what was opened by calls that no session ends. Idempotent."""
        await self._shared.close()

    def _runner(self, place: Place, *, is_shared: bool) -> Runner:
        return Runner(self._tools, place, self._settings, is_shared=is_shared)


class Runner:
    """Runs the tools for one client.

    Args:
        tools: What is offered, by name.
        place: Where the client's calls act.
        is_shared: Whether others act there too, so that it outlives this client.
    """

    def __init__(
        self,
        tools: Mapping[str, Tool[Any]],
        place: Place,
        settings: Settings,
        *,
        is_shared: bool,
    ) -> None:
        self._tools = tools
        self._place = place
        self._is_shared = is_shared
        self._secrets = settings.secrets
        self._session = (
            SessionLog(settings.output_dir, settings.secrets) if settings.save_session else None
        )

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

    async def close(self) -> None:
        """Let go of what was opened by these calls. Idempotent."""
        if not self._is_shared:
            await self._place.close()

    async def _answer(self, tool: Tool[Any], arguments: object) -> Reply:
        try:
            args = tool.parse(arguments, self._secrets)
        except CallError as error:
            return failure(str(error))
        if tool.scope == "plain":
            return await run_plainly(tool, args)
        return await self._place.run(tool, args)
