"""The connections of clients to a server on this machine: one command each.

A request is one line of JSON. The server answers with an empty line when it accepts the request,
and with one line of JSON when the command is done. A client that disconnects cancels its command.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable

from viewpoint_mcp.background_tasks import cancel_and_wait
from viewpoint_mcp.shell.commands.command_runner import CommandRunner, Request
from viewpoint_mcp.shell.commands.output import FAILED
from viewpoint_mcp.shell.response import Response

log = logging.getLogger(__name__)

_LAST_RESPONSES_LIMIT = 5.0  # seconds


class CommandConnections:
    """Serves the connections of clients.

    Args:
        commands: Runs the commands.
        log_name: Where a person finds the log of the server.
        on_change: Called when a command begins or ends.

    Attributes:
        running_commands: Number of commands that run.
        accepts_commands: Whether commands are accepted. A client whose command is not accepted may
            send it to another server.
    """

    def __init__(
        self,
        commands: CommandRunner,
        *,
        log_name: str,
        on_change: Callable[[], object] = lambda: None,
    ) -> None:
        self.running_commands = 0
        self.accepts_commands = True
        self._commands = commands
        self._log_name = log_name
        self._on_change = on_change
        self._connections: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Run the command of one connection, send the response, and close the connection."""
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

    async def finish(self) -> None:
        """Accept no more commands, and wait until the last responses are sent."""
        self.accepts_commands = False
        if self._connections:
            await asyncio.wait(self._connections, timeout=_LAST_RESPONSES_LIMIT)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = await reader.readline()
        if not line.endswith(b"\n") or not self.accepts_commands:
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
        self.running_commands += 1
        self._on_change()
        try:
            await asyncio.wait({running, disconnect}, return_when=asyncio.FIRST_COMPLETED)
            return running.result() if running.done() else None
        except Exception:
            log.exception("A command failed")
            return Response("", f"A server error. See {self._log_name}.\n", FAILED)
        finally:
            await cancel_and_wait(running)
            await cancel_and_wait(disconnect)
            self.running_commands -= 1
            self._on_change()
