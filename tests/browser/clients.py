"""Clients of one server that share its browser. Their calls get the same replies as over the
wire.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from tests.e2e.support.client import Reply, split_sections
from tests.e2e.support.processes import POLL
from viewpoint_mcp.browser.browser import Browser
from viewpoint_mcp.browser.supervisor import BrowserSupervisor
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.tools.catalog import list_all_tools
from viewpoint_mcp.tools.core.runner import Runner, RunnerFactory


class Client:
    """A client that calls tools."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner

    async def call(self, tool: str, /, **arguments: Any) -> Reply:
        """Return the reply to a call, whether it succeeded or not."""
        answer = await self.runner.call(tool, arguments)
        raw = (
            {}
            if answer.structured_content is None
            else {"structuredContent": answer.structured_content}
        )
        return Reply(answer.text, answer.is_error, split_sections(answer.text), [], raw)

    async def go(self, url: str, **arguments: Any) -> Reply:
        """Load a URL, which is expected to succeed."""
        reply = await self.call("browser_navigate", url=url, **arguments)
        assert not reply.is_error, reply.text
        return reply


class Server:
    """The part of a server that all its clients share.

    Args:
        settings: Of the server.
    """

    def __init__(self, settings: Settings) -> None:
        self.runners = RunnerFactory(list_all_tools(), settings)
        self.runners.separate_client_contexts()

    def session(self) -> Client:
        """Return a client with a session."""
        return Client(self.runners.open_session_runner())

    def request(self) -> Client:
        """Return a client of one request, which belongs to no session."""
        return Client(self.runners.open_sessionless_runner())

    async def close(self) -> None:
        """Close everything, as a server does at its end."""
        await self.runners.close()

    @property
    def supervisor(self) -> BrowserSupervisor:
        """The supervisor of the browser, which exists from the first call on."""
        assert self.runners.supervisor is not None
        return self.runners.supervisor

    @property
    def browser(self) -> Browser:
        """The running browser."""
        assert self.supervisor.running_browser is not None
        return self.supervisor.running_browser

    async def context_ids(self) -> list[str]:
        """Return CDP's `Browser.BrowserContextID` of all contexts except the browser's default
        context."""
        known = await self.browser._connection.root.Target.getBrowserContexts()
        return list(known["browserContextIds"])

    async def page_ids(self) -> set[str]:
        """Return CDP's `Target.TargetID` of all pages of all clients."""
        return {info["targetId"] for info in await self.browser._browser_tabs._fetch_target_infos()}

    async def wait_for_pages(self, expected: set[str]) -> None:
        """Wait until the browser has exactly these pages; the time limit of the test applies."""
        while await self.page_ids() != expected:  # noqa: ASYNC110 - no event
            await asyncio.sleep(POLL)

    async def cancel_during(self, call: Coroutine[Any, Any, Any], method: str) -> None:
        """Cancel a call while the browser executes a command of it, and wait for the call's end.

        Args:
            method: The command.
        """
        waiting = self.browser._connection._calls._calls
        task = asyncio.create_task(call)
        while all(each.method != method for each in waiting.values()):
            assert not task.done(), task
            await asyncio.sleep(0)  # no answer arrives in between
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
