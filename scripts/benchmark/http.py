"""One server over HTTP: the cost of a call compared with stdio, and fifty sessions at once."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from http.client import HTTPConnection, HTTPException
from time import perf_counter
from typing import Any

import orjson

from scripts.benchmark.client import CALL_TIMEOUT, PROTOCOL_VERSION
from scripts.benchmark.contestants import OURS, UNLIMITED, Workshop, viewpoint, viewpoint_command
from scripts.benchmark.processes import ContestantFailed, end_process, resident_mib
from scripts.benchmark.results import Results
from scripts.benchmark.site import Site

SESSIONS = 50
KEY = "of-the-benchmark"
CHEAP = "browser_context_list"  # sends nothing to the browser, so only the transport is measured
START_TIMEOUT = 20.0
POLL = 0.02

log = logging.getLogger("bench")


class HttpClient:
    """A minimal client with a session on one persistent connection."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=CALL_TIMEOUT)
        self._headers = {
            "Authorization": f"Bearer {KEY}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        self._last_id = 0

    async def initialize(self) -> None:
        """Begin the session."""
        client = {"name": "bench", "version": "1"}
        params = {"protocolVersion": PROTOCOL_VERSION, "capabilities": {}, "clientInfo": client}
        await self._request("initialize", params)
        self._headers["MCP-Protocol-Version"] = PROTOCOL_VERSION

    async def call(self, tool: str, arguments: Mapping[str, object]) -> str:
        """Call a tool and return the text of its answer.

        Raises:
            ContestantFailed: The result is marked as an error, or there is none.
        """
        result = await self._request("tools/call", {"name": tool, "arguments": arguments})
        text = "\n".join(part["text"] for part in result["content"] if part["type"] == "text")
        if result.get("isError"):
            raise ContestantFailed(f"{tool}: {text}")
        return text

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    async def _request(self, method: str, params: Mapping[str, object]) -> Any:
        self._last_id += 1
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        return await asyncio.to_thread(self._exchange, method, orjson.dumps(message))

    def _exchange(self, method: str, body: bytes) -> Any:
        try:
            self._connection.request("POST", "/mcp", body, self._headers)
            response = self._connection.getresponse()
            data = response.read()
        except (OSError, HTTPException) as error:
            raise ContestantFailed(f"{method} over HTTP: {error!r}") from error
        if session := response.headers.get("Mcp-Session-Id"):
            self._headers["Mcp-Session-Id"] = session
        if response.headers.get_content_type() == "text/event-stream":
            data = re.findall(rb"^data: (\{.*)$", data, re.MULTILINE)[-1]
        answer = orjson.loads(data)
        if "error" in answer:
            raise ContestantFailed(f"{method} over HTTP: {answer['error'].get('message')}")
        return answer["result"]


async def measure_http(workshop: Workshop, site: Site, results: Results, calls: int) -> None:
    """Time one cheap call over both transports, in turns, and then play many sessions at once."""
    async with serving(workshop) as (port, pid):
        await _compare(workshop, port, results, calls)
        await _crowd(port, pid, site, results)


@asynccontextmanager
async def serving(workshop: Workshop, name: str = "http") -> AsyncIterator[tuple[int, int]]:
    """Start the server; gives the port that it listens on, and its process id.

    Args:
        name: The name of its working directory, which must be new.
    """
    directory = workshop.scratch / name
    directory.mkdir()
    stderr = directory / "stderr.log"
    with stderr.open("wb") as sink:
        process = await asyncio.create_subprocess_exec(
            *viewpoint_command(workshop, *UNLIMITED, "--port", "0"),
            cwd=directory,
            env=workshop.environment() | {"VIEWPOINT_MCP_API_KEY": KEY},
            stderr=sink,
            start_new_session=True,
        )
    try:
        async with asyncio.timeout(START_TIMEOUT):
            while (port := _port(stderr.read_text())) is None:  # noqa: ASYNC110 - no event
                await asyncio.sleep(POLL)
        yield port, process.pid
    finally:
        process.terminate()
        await end_process(process)


def _port(told: str) -> int | None:
    found = re.search(r"^Listening on \S+:(\d+)$", told, re.MULTILINE)
    return int(found[1]) if found else None


async def _compare(workshop: Workshop, port: int, results: Results, calls: int) -> None:
    log.info("%s over stdio and over HTTP, %d times", CHEAP, calls)
    stdio, http = viewpoint(workshop, "beside-http"), HttpClient(port)
    await stdio.start()
    try:
        await http.initialize()
        for turn in range(calls + 1):
            began = perf_counter()
            await stdio.list_contexts()
            between = perf_counter()
            await http.call(CHEAP, {})
            ended = perf_counter()
            if turn:  # imports of the first call are not a cost of the transport
                results.add("call-stdio", OURS, (between - began) * 1000)
                results.add("call-http", OURS, (ended - between) * 1000)
                results.add("http-adds", OURS, (ended - between - (between - began)) * 1000)
    finally:
        http.close()
        await stdio.stop()


async def _crowd(port: int, pid: int, site: Site, results: Results) -> None:
    """Load another page in each session, and check that each sees its own."""
    log.info("%d sessions at once", SESSIONS)
    clients = [HttpClient(port) for _ in range(SESSIONS)]
    # Its own executor has room for a few more threads than the machine has cores.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(SESSIONS))
    try:
        began = perf_counter()
        await asyncio.gather(*(_visit(client, site, n + 1) for n, client in enumerate(clients)))
        results.add("sessions", OURS, (perf_counter() - began) * 1000)
        results.add("memory-sessions", OURS, resident_mib(pid))
    except ContestantFailed as reason:
        results.fail("sessions", OURS, reason)
        results.fail("memory-sessions", OURS, reason)
    finally:
        for client in clients:
            client.close()


async def _visit(client: HttpClient, site: Site, number: int) -> None:
    await client.initialize()
    await client.call("browser_navigate", {"url": site.url(f"rows?count={number}")})
    seen = await client.call("browser_snapshot", {})
    if f"Page Title: {number} rows\n" not in seen or f"Cancel order {number + 1}" in seen:
        raise ContestantFailed(f"session {number} sees another's page")
