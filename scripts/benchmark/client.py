"""A minimal Model Context Protocol client: one JSON message per line over stdio.

It waits for one answer at a time, so the server is measured and not the client.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from scripts.benchmark.processes import ContestantFailed, end_process

CALL_TIMEOUT = 60.0
LINE_LIMIT = 1 << 28
PROTOCOL_VERSION = "2025-06-18"


class McpClient:
    """One spawned server and its session."""

    def __init__(self, process: asyncio.subprocess.Process, stderr: Path) -> None:
        self._process = process
        self._stderr = stderr
        self._last_id = 0

    @classmethod
    async def spawn(
        cls, command: Sequence[str], *, directory: Path, environment: Mapping[str, str]
    ) -> McpClient:
        """Start a server; its stderr is written to a file in `directory`.

        Raises:
            ContestantFailed: The command cannot be run.
        """
        stderr = directory / "stderr.log"
        try:
            with stderr.open("wb") as log:
                process = await asyncio.create_subprocess_exec(
                    *command,
                    cwd=directory,
                    env=dict(environment),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=log,
                    limit=LINE_LIMIT,
                    start_new_session=True,
                )
        except OSError as error:
            raise ContestantFailed(f"{command[0]} cannot be started: {error}") from error
        return cls(process, stderr)

    @property
    def pid(self) -> int:
        """The server's process id."""
        return self._process.pid

    async def initialize(self) -> None:
        """Shake hands."""
        client = {"name": "bench", "version": "1"}
        await self.request(
            "initialize",
            {"protocolVersion": PROTOCOL_VERSION, "capabilities": {}, "clientInfo": client},
        )
        await self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    async def list_tools(self) -> list[Any]:
        """The server's tools as it lists them."""
        tools: list[Any] = (await self.request("tools/list", {}))["tools"]
        return tools

    async def call(self, tool: str, arguments: Mapping[str, object]) -> str:
        """Call a tool and return the text of its answer, image data left out.

        Raises:
            ContestantFailed: The result is marked as an error, or no result came.
        """
        result = await self.request("tools/call", {"name": tool, "arguments": arguments})
        text = "\n".join(part["text"] for part in result["content"] if part["type"] == "text")
        if result.get("isError"):
            raise ContestantFailed(f"{tool}: {text}")
        return text

    async def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and wait for its answer, passing over everything else.

        Raises:
            ContestantFailed: The answer is an error, did not come in time, or the server ended.
        """
        self._last_id += 1
        wanted = self._last_id
        try:
            async with asyncio.timeout(CALL_TIMEOUT):
                await self._write(
                    {"jsonrpc": "2.0", "id": wanted, "method": method, "params": params}
                )
                while (answer := await self._read()).get("id") != wanted or "method" in answer:
                    await self._refuse(answer)
        except TimeoutError as error:
            raise ContestantFailed(f"{method}: no answer in {CALL_TIMEOUT:.0f} s") from error
        if "error" in answer:
            raise ContestantFailed(f"{method}: {answer['error'].get('message')}")
        result: dict[str, Any] = answer["result"]
        return result

    async def close(self) -> None:
        """End the server as a client does: by closing its stdin."""
        await end_process(self._process)

    async def _refuse(self, message: dict[str, Any]) -> None:
        """Answer a request of the server with an error."""
        if "method" in message and "id" in message:
            error = {"code": -32601, "message": "Method not found"}
            await self._write({"jsonrpc": "2.0", "id": message["id"], "error": error})

    async def _write(self, message: dict[str, Any]) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        try:
            pipe.write(orjson.dumps(message) + b"\n")
            await pipe.drain()
        except (BrokenPipeError, ConnectionResetError) as error:
            raise ContestantFailed(self._obituary()) from error

    async def _read(self) -> dict[str, Any]:
        pipe = self._process.stdout
        assert pipe is not None
        line = await pipe.readline()
        if not line:
            raise ContestantFailed(self._obituary())
        try:
            message: dict[str, Any] = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise ContestantFailed(f"not a JSON line: {line[:80]!r}") from error
        return message

    def _obituary(self) -> str:
        """Return why the server ended: the error that it reported, else the end of its log."""
        lines = self._stderr.read_text(errors="replace").strip().splitlines()
        errors = [line for line in lines if "Error" in line]
        words = (errors or lines or ["it wrote nothing to stderr"])[-1]
        return f"the server ended: {words.strip()}"
