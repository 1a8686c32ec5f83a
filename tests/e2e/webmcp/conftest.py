"""A Chromium with WebMCP, and clients of servers that are attached to it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from tests.e2e.handoff.client import PersonsClient
from viewpoint_mcp.browser.connect.arguments import make_launch_options
from viewpoint_mcp.browser.connect.launch import launch_browser

OpenClient = Callable[..., AbstractAsyncContextManager[PersonsClient]]


@pytest.fixture(scope="session")
async def webmcp_chromium(executable: str) -> AsyncIterator[str]:
    """Return the address of a Chromium whose pages can offer tools."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    options = make_launch_options(Path(executable), sandbox=not is_root, has_webmcp=True)
    async with await launch_browser(options) as process:
        yield process.websocket_url


@pytest.fixture
def open_client(webmcp_chromium: str, tmp_path: Path) -> OpenClient:
    """Return `open_client(*flags)`: a client of a server that is attached to that Chromium."""

    def open_client(*flags: str) -> AbstractAsyncContextManager[PersonsClient]:
        return PersonsClient.open(*flags, endpoint=webmcp_chromium, cwd=tmp_path)

    return open_client


@pytest.fixture
async def client(open_client: OpenClient) -> AsyncIterator[PersonsClient]:
    """Return a client without elicitation."""
    async with open_client("--caps=webmcp") as client:
        await client.start({})
        yield client


@pytest.fixture
async def asking_client(open_client: OpenClient) -> AsyncIterator[PersonsClient]:
    """Return a client that shows questions to its person."""
    async with open_client("--caps=webmcp") as client:
        await client.start({"elicitation": {}})
        yield client
