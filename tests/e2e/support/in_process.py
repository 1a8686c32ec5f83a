"""A server in this process, and a client of it: no process is spawned and no browser is started,
where neither is what a test is about.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, chdir
from pathlib import Path
from typing import Any, Self

from tests.e2e.support.client import ServerClient
from viewpoint_mcp.cli.command import command
from viewpoint_mcp.cli.options import make_settings
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.embedding.server import Server

VIEWPORT = "1280x720"  # that of a headless browser which the server starts itself


class InProcessClient(ServerClient):
    """One server in this process and the conversation with it; use
    `async with InProcessClient.open(...)`.

    Args:
        server: Speaks JSON as over stdio.
        cwd: Its working directory.
    """

    def __init__(self, server: Server, cwd: Path) -> None:
        super().__init__()
        self._cwd = cwd
        self._server = server.dispatcher.open(self._receive)

    @classmethod
    @asynccontextmanager
    async def open(cls, *flags: str, endpoint: str, cwd: Path) -> AsyncIterator[Self]:
        """Begin a conversation with a server that has a context of its own in a running browser.

        Args:
            flags: As on the command line.
            endpoint: Address of the browser.
            cwd: Working directory that the server takes for its own.
        """
        attached = ["--cdp-endpoint", endpoint, "--isolated"]
        if not any(flag.startswith("--device") for flag in flags):
            attached += ["--viewport-size", VIEWPORT]
        async with Server(settings_in(cwd, *attached, *flags)) as server:
            # Attached now: the tasks of the connection outlive the first test of a module.
            async with server.session() as session:
                await session.call("browser_tabs", {"action": "list"})
            client = cls(server, cwd)
            try:
                yield client
            finally:
                await client._server.close()

    @property
    def cwd(self) -> Path:
        return self._cwd

    async def send(self, message: Any) -> None:
        await asyncio.sleep(0)  # as over a pipe, what other tasks sent before comes first
        self._server.receive(json.dumps(message).encode())

    def _receive(self, message: bytes) -> None:
        self._route(json.loads(message))


def settings_in(cwd: Path, *flags: str) -> Settings:
    """Return what the command line makes of these flags in this directory."""
    with chdir(cwd), command.make_context("viewpoint-mcp", list(flags)) as context:
        return make_settings(context.params)
