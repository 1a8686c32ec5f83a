"""A Chromium with windows on a platform that draws nothing, and a person at it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from cdp_protocol import Connection
from tests.e2e.handoff.client import PersonsClient
from viewpoint_mcp.browser.connect.arguments import make_launch_options
from viewpoint_mcp.browser.connect.launch import launch_browser

OpenClient = Callable[..., AbstractAsyncContextManager[PersonsClient]]


@pytest.fixture(scope="session")
async def windowed_chromium(executable: str) -> AsyncIterator[str]:
    """Return the address of a Chromium that is not headless."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    options = make_launch_options(
        Path(executable),
        headless=False,
        sandbox=not is_root,
        extra_args=("--ozone-platform=headless", "--window-size=1200,800"),
    )
    async with await launch_browser(options) as process:
        yield process.websocket_url


@pytest.fixture
async def desk(windowed_chromium: str) -> AsyncIterator[Connection]:
    """Return a connection for the actions of the person."""
    async with Connection.open(windowed_chromium, timeout=20) as connection:
        yield connection


@pytest.fixture
def open_client(windowed_chromium: str, tmp_path: Path) -> OpenClient:
    """Return `open_client(*flags)`: a client of a server that is attached to that Chromium."""

    def open_client(*flags: str) -> AbstractAsyncContextManager[PersonsClient]:
        given = ("--caps=handoff,devtools,network,testing", *flags)
        return PersonsClient.open(*given, endpoint=windowed_chromium, cwd=tmp_path)

    return open_client
