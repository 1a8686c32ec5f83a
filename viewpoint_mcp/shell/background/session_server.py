"""The background server: it runs the commands of clients in sessions that share one browser.

This module has its socket and its end. The server ends when its last session is closed, when it is
idle, when the file of its address vanishes, or with its owner.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable

from viewpoint_mcp import __version__
from viewpoint_mcp.background_tasks import cancel_and_wait
from viewpoint_mcp.cli.start_flags import StartFlags
from viewpoint_mcp.embedding.live_view import make_live_views
from viewpoint_mcp.shell.background.owner_process import end_with_process
from viewpoint_mcp.shell.background.sessions import BackgroundSessions
from viewpoint_mcp.shell.commands.catalog import Catalog
from viewpoint_mcp.shell.commands.command_runner import CommandRunner
from viewpoint_mcp.shell.connections import CommandConnections
from viewpoint_mcp.shell.endpoint import Endpoint
from viewpoint_mcp.shell.listener import Listener
from viewpoint_mcp.tools.catalog import offered_tools
from viewpoint_mcp.tools.core.runner import RunnerFactory

log = logging.getLogger(__name__)

_CHECK_INTERVAL = 1.0  # seconds between checks of the file of the address


class SessionServer:
    """Serves the clients of one workspace.

    Args:
        endpoint: Where the server listens.
        workspace: The directory that the server belongs to.
        flags: The settings, and what ends the server.
    """

    def __init__(self, endpoint: Endpoint, workspace: str, flags: StartFlags) -> None:
        self._endpoint = endpoint
        self._flags = flags
        settings = flags.settings
        tools = offered_tools(settings.capabilities, settings.tools)
        self._factory = RunnerFactory(tools, settings)
        self._factory.separate_client_contexts()
        self._factory.live_views = make_live_views()
        self._sessions = BackgroundSessions(workspace, self._factory, self._close_and_end)
        self._connections = CommandConnections(
            CommandRunner(Catalog(tools), settings, self._sessions, version=__version__),
            log_name=endpoint.log,
            on_change=self._restart_idle_timer,
        )
        self._idle_timer: asyncio.TimerHandle | None = None
        self._should_end = asyncio.Event()
        self._closing: asyncio.Task[None] | None = None
        self._listener = Listener(endpoint)

    async def serve(self, on_ready: Callable[[], object]) -> None:
        """Listen until the server should end, then close the browser.

        Args:
            on_ready: Called when clients can connect.

        Raises:
            OSError: The server cannot listen.
        """
        await self._listener.listen(os.environ, self._connections.serve)
        self._factory.import_in_background()
        self._restart_idle_timer()
        on_ready()
        watch = asyncio.create_task(self._watch())
        try:
            with end_with_process(self._flags.owner_pid, self.end):
                await self._should_end.wait()
        finally:
            await cancel_and_wait(watch)
            await self._close()
            await self._connections.finish()

    def end(self) -> None:
        """Make `serve` close the browser and return."""
        self._connections.accepts_commands = False
        self._should_end.set()

    async def _watch(self) -> None:
        """End the server when the file of its address vanishes."""
        while self._listener.has_file():  # noqa: ASYNC110 - no event
            await asyncio.sleep(_CHECK_INTERVAL)
        self.end()

    async def _close(self) -> None:
        """Stop listening, and close the sessions and the browser. Idempotent."""
        if self._closing is None:
            self._connections.accepts_commands = False
            self._closing = asyncio.create_task(self._close_once())
        await asyncio.shield(self._closing)

    async def _close_and_end(self) -> None:
        await self._close()
        self.end()

    async def _close_once(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        self._listener.close()
        await self._sessions.close()

    def _restart_idle_timer(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        limit = self._flags.idle_limit
        if limit is not None and not self._connections.running_commands:
            self._idle_timer = asyncio.get_running_loop().call_later(limit, self.end)
