"""Runners that are there before what they run on: pages and browsers take far longer to import than
all that introduces the server, and a client that starts it waits for the introduction alone.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.tools.core.tool import Tool

if TYPE_CHECKING:
    from viewpoint_mcp.browser.supervisor import BrowserSupervisor
    from viewpoint_mcp.tools.core.result import Reply
    from viewpoint_mcp.tools.core.runner import Runner, Runners


class LateRunners:
    """Opens a runner for each client of one server, and has the rest of the program imported when a
    client lists the tools, or calls one without.

    Args:
        tools: What is offered, in the order of the listing.
    """

    def __init__(self, tools: Iterable[Tool[Any]], settings: Settings) -> None:
        self._tools = tuple(tools)
        self._settings = settings
        self._for_many = settings.listening is not None
        self._importing: asyncio.Task[None] | None = None
        self._host: BrowserSupervisor | None = None
        self._runners: Runners | None = None
        self.listing = [tool.listing for tool in self._tools]

    def serve_many(self) -> None:
        """Have clients come and go from now on that must not see each other.

        Raises:
            RuntimeError: There was a call already, of the one client that there would be.
        """
        if self._host is not None and self._host.is_for_one and not self._settings.shared_context:
            raise RuntimeError(
                "Calls were made in this server as if all were one client's, and its HTTP clients "
                "would act in the same contexts. Begin serve_http first, or give listening to "
                "Server as well."
            )
        self._for_many = True

    def for_session(self) -> LateRunner:
        """Return one for a client that stays: what it opens is its own."""
        return LateRunner(self, lambda runners: runners.for_session())

    def for_request(self) -> LateRunner:
        """Return one for a request that belongs to no session, and names what it acts in."""
        return LateRunner(self, lambda runners: runners.for_request())

    def prepare(self) -> asyncio.Task[None]:
        """Begin to import what calls need, in a thread: the server answers meanwhile. Where that
        failed it begins anew.
        """
        if self._importing is None or _has_failed(self._importing):
            self._importing = asyncio.create_task(asyncio.to_thread(_import_the_rest))
        return self._importing

    async def runners(self) -> Runners:
        """Return the runners themselves, as soon as they can be had."""
        await asyncio.shield(self.prepare())
        if self._runners is None:
            from viewpoint_mcp.browser.supervisor import BrowserSupervisor
            from viewpoint_mcp.tools.core.runner import Runners

            self._host = BrowserSupervisor(self._settings, for_many=self._for_many)
            self._runners = Runners(self._tools, self._host, self._settings)
        return self._runners

    async def close(self) -> None:
        """End the browser, if there is one. Idempotent."""
        if self._importing is not None:
            await asyncio.wait([self._importing])
        if self._host is not None and self._runners is not None:
            await self._host.close()
            await self._runners.close()


class LateRunner:
    """Runs the tools for one client.

    Args:
        opened: Opens the runner that does.
    """

    def __init__(self, late: LateRunners, opened: Callable[[Runners], Runner]) -> None:
        self._late = late
        self._opened = opened
        self._runner: Runner | None = None
        self._is_closed = False

    @property
    def listing(self) -> list[dict[str, Any]]:
        """Every tool offered, in a fixed order. Who asks for it is about to call."""
        self._late.prepare()
        return self._late.listing

    async def call(self, name: str, arguments: object) -> Reply:
        """Run one tool and compose the answer; see `Runner.call`."""
        runners = await self._late.runners()
        if self._runner is None:
            self._runner = self._opened(runners)
            if self._is_closed:  # during the import; the call is told so
                await self._runner.close()
        return await self._runner.call(name, arguments)

    async def close(self) -> None:
        """Let go of what was opened by these calls. Idempotent."""
        self._is_closed = True
        if self._runner is not None:
            await self._runner.close()


def _has_failed(task: asyncio.Task[None]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)


def _import_the_rest() -> None:
    import_module("viewpoint_mcp.tools.core.runner")
    gc.freeze()  # what was imported stays: looking for cycles need not look there
