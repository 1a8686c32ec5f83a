"""A server in this process and its client, for tests that need neither a process nor a browser of
their own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, chdir
from pathlib import Path
from typing import Any, Self

from tests.e2e.support.client import ServerClient
from viewpoint_mcp.cli.options import make_settings
from viewpoint_mcp.cli.root_command import root_command
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.embedding.server import Server

VIEWPORT = "1280x720"  # the viewport of a headless browser that the server starts itself


class InProcessClient(ServerClient):
    """A server in this process and its client; use
    `async with InProcessClient.open(...)`.

    Args:
        server: Its messages are JSON, as over stdio.
        cwd: Its working directory.
    """

    def __init__(self, server: Server, cwd: Path) -> None:
        super().__init__()
        self._cwd = cwd
        self._server = server.dispatcher.open(self._receive)

    @classmethod
    @asynccontextmanager
    async def open(cls, *flags: str, endpoint: str, cwd: Path) -> AsyncIterator[Self]:
        """Open a client of a server that has its own context in a running browser.

        Args:
            flags: As on the command line.
            endpoint: Address of the browser.
            cwd: The server's working directory.
        """
        attached = ["--cdp-endpoint", endpoint, "--isolated"]
        if not any(flag.startswith("--device") for flag in flags):
            attached += ["--viewport-size", VIEWPORT]
        async with Server(settings_in(cwd, *attached, *flags)) as server:
            # Attach now: the tasks of the connection outlive the first test of a module.
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
        await asyncio.sleep(
            0
        )  # as over a pipe, messages that other tasks sent earlier arrive first
        self._server.receive(json.dumps(message).encode())

    def _receive(self, message: bytes) -> None:
        self._route(json.loads(message))


def settings_in(cwd: Path, *flags: str) -> Settings:
    """Return the settings that the command line makes of these flags in this directory."""
    with chdir(cwd), root_command.make_context("viewpoint-mcp", list(flags)) as context:
        return make_settings(context.params)
