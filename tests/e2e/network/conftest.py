"""Servers with --caps network."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import StdioClient

SECRET = "hunter2-hunter2"


@pytest.fixture(scope="module")
async def networked(
    open_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[StdioClient]:
    """Return a server with the capability, a browser and a secret, for all tests of the module."""
    cwd = tmp_path_factory.mktemp("networked")
    (cwd / "secrets.env").write_text(f"PASSWORD={SECRET}\n")
    async with open_server("--caps=network", "--secrets=secrets.env", cwd=cwd) as client:
        await client.initialize()
        yield client


async def close_tabs(server: StdioClient) -> None:
    """Close all tabs of the active context."""
    while "No page is open" not in (await server.call("browser_close")).text:
        pass
