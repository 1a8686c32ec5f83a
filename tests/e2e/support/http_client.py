"""A spawned HTTP server, and a client of Streamable HTTP for it. Both can also send invalid
messages."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import httpx2

from tests.e2e.support.client import (
    EXIT_TIME_LIMIT,
    TIME_LIMIT,
    ClientError,
    McpClient,
    Message,
    RpcFailure,
    spawn,
)
from tests.e2e.support.processes import wait_until

ACCEPT = "application/json, text/event-stream"
SESSION_VERSION = "2025-11-25"
SESSIONLESS_VERSION = "2026-07-28"
META = "io.modelcontextprotocol/"
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


def request(method: str, params: Message | None = None, id: object = 1) -> Message:
    """Return a request of a revision with sessions."""
    message: Message = {"jsonrpc": "2.0", "id": id, "method": method}
    return message if params is None else {**message, "params": params}


def sessionless_request(
    method: str,
    params: Message | None = None,
    *,
    version: str = SESSIONLESS_VERSION,
    **meta: object,
) -> Message:
    """Return a request of a revision without sessions."""
    envelope = {f"{META}protocolVersion": version, f"{META}clientCapabilities": {}, **meta}
    return request(method, {**(params or {}), "_meta": envelope})


def sessionless_headers(message: Message) -> dict[str, str]:
    """Return the headers that this request requires."""
    params = message["params"]
    headers = {"mcp-protocol-version": params["_meta"][f"{META}protocolVersion"]}
    headers["mcp-method"] = message["method"]
    if (name := _NAMED.get(message["method"])) in params:
        headers["mcp-name"] = params[name]
    return headers


@dataclass
class HttpServer:
    """A server process that serves HTTP; use `async with HttpServer.open(...)`."""

    process: asyncio.subprocess.Process
    stderr_path: Path
    url: str
    key: str | None

    @classmethod
    @asynccontextmanager
    async def open(
        cls, *flags: str, cwd: Path, key: str | None = None, env: Mapping[str, str] | None = None
    ) -> AsyncIterator[Self]:
        """Spawn a server with a free port. It is terminated at the end, and must exit.

        Args:
            key: The server's API key, if it has one.
        """
        process, stderr = await spawn("--port=0", *flags, cwd=cwd, env=env)
        try:
            output = await _read_listening_line(process, stderr)
            address = re.search(r"^Listening on (\S+)$", output, re.MULTILINE)
            assert address, output
            made = re.search(r"Bearer ([\w-]{43})\"", output)
            server = cls(process, stderr, address[1], made[1] if made else key)
            yield server
            await server.stop()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    @property
    def stderr(self) -> str:
        return self.stderr_path.read_text(errors="replace")

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def key_header(self) -> dict[str, str]:
        """The header with the API key."""
        return {"authorization": f"Bearer {self.key}"} if self.key else {}

    def http(self, **headers: str) -> httpx2.AsyncClient:
        """Return an HTTP client that sends the key and accepts both forms of a response."""
        return self.http_without_key(accept=ACCEPT, **self.key_header, **headers)

    def http_without_key(self, **headers: str) -> httpx2.AsyncClient:
        """Return an HTTP client that sends no key."""
        return httpx2.AsyncClient(
            base_url=self.url,
            headers=headers,
            timeout=TIME_LIMIT,
            trust_env=False,
            verify=False,  # reading all certificates of the machine takes longer than a test
        )

    @asynccontextmanager
    async def client(self) -> AsyncIterator[HttpClient]:
        """Return a client with a session."""
        async with self.http() as http:
            client = HttpClient(http)
            await client.initialize()
            yield client

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End the server, unless it has ended; return its exit status."""
        if self.process.returncode is None:
            self.process.send_signal(number)
        async with asyncio.timeout(EXIT_TIME_LIMIT):
            return await self.process.wait()


async def _read_listening_line(process: asyncio.subprocess.Process, stderr: Path) -> str:
    """Wait for the line that the server logs when it listens."""
    ended = asyncio.create_task(process.wait())
    try:
        await wait_until(lambda: ended.done() or "/sse" in stderr.read_text())
    finally:
        ended.cancel()
    return stderr.read_text()  # noqa: ASYNC240 - a few lines


class HttpClient(McpClient):
    """A client of Streamable HTTP with a session.

    Args:
        http: The HTTP client, which sends the key.
    """

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self.http = http
        self.session: str | None = None
        self.told: asyncio.Queue[Message] = asyncio.Queue()
        self._ids = itertools.count(1)

    @property
    def headers(self) -> dict[str, str]:
        """The headers of each message of the session."""
        if self.session is None:
            return {}
        return {"mcp-session-id": self.session, "mcp-protocol-version": SESSION_VERSION}

    async def request(
        self, method: str, params: Message | None = None, *, within: float = TIME_LIMIT
    ) -> Message:
        message = request(method, params, next(self._ids))
        async with asyncio.timeout(within):
            answer = await self._answer(message)
        if "error" in answer:
            raise RpcFailure(answer["error"])
        result: Message = answer["result"]
        return result

    async def notify(self, method: str, params: Message | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params or {}}
        response = await self.http.post("/mcp", json=message, headers=self.headers)
        assert (response.status_code, response.content) == (202, b"")

    async def _answer(self, message: Message) -> Message:
        async with self.http.stream("POST", "/mcp", json=message, headers=self.headers) as response:
            self.session = response.headers.get("mcp-session-id", self.session)
            if response.headers["content-type"] == "application/json":
                answer: Message = json.loads(await response.aread())
                return answer
            async for event in events(response):
                if event.get("id") == message["id"]:
                    return event
                self.told.put_nowait(event)
        raise ClientError(f"The stream ended without an answer to {message}")


async def events(response: httpx2.Response) -> AsyncIterator[Message]:
    """Yield the messages of a stream as they arrive."""
    assert response.headers["content-type"] == "text/event-stream"
    async for line in response.aiter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def error_of(response: httpx2.Response) -> Message:
    """Return the JSON-RPC error in a response."""
    error: Message = response.json()["error"]
    return error
