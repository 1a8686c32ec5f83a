"""An MCP server with test tools, and its client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from viewpoint_mcp import logs
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.files.saved_file_lookup import SavedFiles
from viewpoint_mcp.rpc.dispatcher import Dispatcher
from viewpoint_mcp.server.initialize_handshake import Identity
from viewpoint_mcp.server.session import McpServer
from viewpoint_mcp.tools.core.result import Reply
from viewpoint_mcp.tools.core.tool import UnknownTool


class Tools:
    """A runner with one tool that returns its arguments, and one that hangs."""

    def __init__(self) -> None:
        self.listing: list[dict[str, Any]] = [{"name": "say", "inputSchema": {"type": "object"}}]
        self.call_ids: list[str] = []
        self.hanging = asyncio.Event()
        self.is_closed = False

    @property
    def tab_count(self) -> int:
        return 0

    def open_session_runner(self) -> Tools:
        return self

    def open_sessionless_runner(self) -> Tools:
        return self

    async def close(self) -> None:
        self.is_closed = True

    async def call(self, name: str, arguments: object) -> Reply:
        self.call_ids.append(logs.call_id.get())
        if name == "hang":
            self.hanging.set()
            await asyncio.Event().wait()
        if name != "say":
            raise UnknownTool(name)
        return Reply(f"got {arguments!r}", is_error=arguments is None)


class Client:
    """An MCP client of one server."""

    def __init__(self, directory: Path) -> None:
        self.tools = Tools()
        self.sent: asyncio.Queue[bytes] = asyncio.Queue()
        saved_files = SavedFiles(FileAccess(directory, directory / "shots", directory / "out"))
        server = McpServer(self.tools, saved_files, identity=Identity(version="1.2.3"))
        self.conversation = Dispatcher(server.open_session).open(self.sent.put_nowait)

    def send(self, method: str, params: Any = None, **rest: Any) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params, **rest}
        self.conversation.receive(orjson.dumps(message))

    async def receive(self) -> Any:
        async with asyncio.timeout(5):
            return orjson.loads(await self.sent.get())

    async def result(self, method: str, params: Any = None) -> Any:
        self.send(method, params, id=1)
        return (await self.receive())["result"]

    async def error(self, method: str, params: Any = None) -> Any:
        self.send(method, params, id=1)
        return (await self.receive())["error"]


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    client = Client(tmp_path)
    async with client.conversation:
        yield client
