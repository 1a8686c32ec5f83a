"""The endpoint /shell: commands of the shell in the sessions of clients.

A request is a JSON object with the command, and the response has what the command prints. The
function that runs the command is given, because this package does not know commands.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

from viewpoint_mcp.transports.http.exchange import Exchange, RequestRefused

SHELL_PATH: Final = "/shell"

RunCommand = Callable[[bytes], Coroutine[Any, Any, bytes]]
"""Runs the command in the body of a request, and returns the body of the response.

Raises ValueError if the body is not valid.
"""


class ShellEndpoint:
    """Serves the commands of a shell.

    Args:
        run_command: Runs a command; None if the server does not offer its sessions.
    """

    def __init__(self, run_command: RunCommand | None) -> None:
        self._run_command = run_command
        self._running: set[asyncio.Task[bytes]] = set()

    async def serve_command(self, exchange: Exchange, body: bytes) -> None:
        """Run a command and send the response. The command is cancelled if the client disconnects.

        Raises:
            RequestRefused: The server does not offer its sessions, the body is not valid, or the
                server stopped while the command ran.
        """
        if self._run_command is None:
            raise RequestRefused(
                404, "The server does not offer its sessions. Start it with --shell."
            )
        running = asyncio.create_task(self._run_command(body))
        self._running.add(running)
        try:
            async with exchange.watch_disconnect() as disconnected:
                either: set[asyncio.Future[Any]] = {running, disconnected}
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not running.done():
                return
            response = running.result()
        except ValueError as error:
            raise RequestRefused(400, f"The body is no command: {error}.") from None
        except asyncio.CancelledError:
            if not running.cancelled():
                raise  # the request itself is cancelled
            reason = "The server stopped while it ran the command, which may have taken effect."
            raise RequestRefused(503, reason) from None
        finally:
            self._running.discard(running)
            running.cancel()
        await exchange.send_response(200, response)

    async def close(self, *, grace: float) -> None:
        """End all commands in progress.

        Args:
            grace: Seconds that they get to finish before they are cancelled.
        """
        if self._running:
            _, pending = await asyncio.wait(self._running, timeout=grace)
            for each in pending:
                each.cancel()
