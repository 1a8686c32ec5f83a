"""Malformed proxies are refused before a browser starts. The error does not repeat a possible
secret.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import StdioClient
from tests.e2e.support.processes import find_descendants


@pytest.fixture(scope="module")
async def idle_server(
    open_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[StdioClient]:
    async with open_server("--log-level=debug", cwd=tmp_path_factory.mktemp("idle")) as client:
        await client.initialize()
        yield client
        assert "hunter" not in client.stderr


@pytest.mark.parametrize(
    ("proxy", "words"),
    [
        ({"server": "gopher://joe:hunter2@proxy:70"}, 'unknown scheme "gopher"'),
        ({"server": "http://joe:hunter2@proxy:port"}, "host or port is malformed"),
        ({"server": "proxy:1", "password": "hunter2"}, "no user name"),
        ({"server": "proxy:1", "username": "joe", "password": ["hunter2"]}, "'proxy.password'"),
        ({"username": "joe", "password": "hunter2"}, "'proxy.server'"),
        ("http://joe:hunter2@proxy:1", "'proxy' of browser_context_create must be an object"),
        ({"server": "proxy:1", "bypass": "a=b"}, '"a=b"'),
    ],
)
async def test_a_malformed_proxy_is_refused_before_anything_starts(
    idle_server: StdioClient, proxy: Any, words: str
) -> None:
    reply = await idle_server.call("browser_context_create", name="x", proxy=proxy)
    assert reply.is_error
    assert words in reply.text
    assert "hunter" not in reply.text
    assert find_descendants(idle_server.process.pid) == {}
