"""The background server: it runs the commands of clients in sessions that share one browser.

This module has its socket and its end. The server ends when its last session is closed, when it is
idle, when the file of its address vanishes, or with its owner.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Awaitable, Callable

from viewpoint_mcp import __version__
from viewpoint_mcp.background_tasks import cancel_and_wait
from viewpoint_mcp.cli.start_flags import StartFlags
from viewpoint_mcp.embedding.live_view import make_live_views
from viewpoint_mcp.shell.background.listener import Listener
from viewpoint_mcp.shell.background.owner_process import end_with_process
from viewpoint_mcp.shell.background.sessions import BackgroundSessions
from viewpoint_mcp.shell.commands.catalog import Catalog
from viewpoint_mcp.shell.commands.command_runner import CommandRunner, Request
from viewpoint_mcp.shell.commands.output import FAILED
from viewpoint_mcp.shell.endpoint import Endpoint
from viewpoint_mcp.shell.response import Response
from viewpoint_mcp.tools.catalog import offered_tools
from viewpoint_mcp.tools.core.runner import RunnerFactory

log = logging.getLogger(__name__)

_LAST_RESPONSES_LIMIT = 5.0  # seconds
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
        self._commands = CommandRunner(
            Catalog(tools), settings, self._sessions, version=__version__
        )
        self._connections: set[asyncio.Task[None]] = set()
        self._running_commands = 0
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
        await self._listener.listen(os.environ, self._serve_connection)
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
            if self._connections:  # They send their last responses.
                await asyncio.wait(self._connections, timeout=_LAST_RESPONSES_LIMIT)

    def end(self) -> None:
        """Make `serve` close the browser and return."""
        self._should_end.set()

    async def _watch(self) -> None:
        """End the server when the file of its address vanishes."""
        while self._listener.has_file():  # noqa: ASYNC110 - no event
            await asyncio.sleep(_CHECK_INTERVAL)
        self.end()

    async def _close(self) -> None:
        """Stop listening, and close the sessions and the browser. Idempotent."""
        if self._closing is None:
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

    # ---- connections

    async def _serve_connection(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            await self._answer(reader, writer)
        except (ConnectionError, ValueError) as error:
            log.info("A client ended or sent no request: %s", error)
        finally:
            self._connections.discard(task)
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = await reader.readline()
        if not line.endswith(b"\n") or self._should_end.is_set() or self._closing is not None:
            return  # The client ended, or starts another server.
        request: Request = json.loads(line)
        writer.write(b"\n")
        response = await self._run_while_connected(self._commands.run(request), reader)
        if response is not None:
            writer.write(json.dumps(response._asdict()).encode() + b"\n")
            await writer.drain()

    async def _run_while_connected(
        self, command: Awaitable[Response], reader: asyncio.StreamReader
    ) -> Response | None:
        """Run a command; cancel it when its client ends, and return None."""
        running = asyncio.ensure_future(command)
        disconnect = asyncio.ensure_future(reader.read(1))
        self._running_commands += 1
        self._restart_idle_timer()
        try:
            await asyncio.wait({running, disconnect}, return_when=asyncio.FIRST_COMPLETED)
            return running.result() if running.done() else None
        except Exception:
            log.exception("A command failed")
            return Response("", f"A server error. See {self._endpoint.log}.\n", FAILED)
        finally:
            await cancel_and_wait(running)
            await cancel_and_wait(disconnect)
            self._running_commands -= 1
            self._restart_idle_timer()

    def _restart_idle_timer(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        limit = self._flags.idle_limit
        if limit is not None and not self._running_commands:
            self._idle_timer = asyncio.get_running_loop().call_later(limit, self.end)
