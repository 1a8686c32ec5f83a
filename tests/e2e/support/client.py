"""An MCP client for a spawned server. It can also send invalid lines."""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import os
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TypeVar

Message = dict[str, Any]
T = TypeVar("T")

TIME_LIMIT = 30.0
EXIT_TIME_LIMIT = 10.0
LINE_LIMIT = 256 * 1024 * 1024
PROTOCOL_VERSION = "2025-11-25"
SECTIONS = (
    *("Context", "Error", "Result", "Ran Playwright code", "Open tabs", "Page", "Modal state"),
    *("Snapshot", "Events"),
)


class ClientError(AssertionError):
    """The server broke the protocol, or did not answer in time."""


class RpcFailure(Exception):
    """The server answered a request with a JSON-RPC error."""

    def __init__(self, error: Message) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.code: int = error["code"]
        self.message: str = error["message"]
        self.data: Any = error.get("data")


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of a tool call; `sections` maps a heading to the text under it."""

    text: str
    is_error: bool
    sections: dict[str, str]
    images: list[bytes]
    raw: Message = field(repr=False)

    @classmethod
    def of(cls, result: Message) -> Self:
        """Read the result of `tools/call`."""
        blocks = result["content"]
        text = "\n".join(block["text"] for block in blocks if block["type"] == "text")
        return cls(
            text=text,
            is_error=result.get("isError", False),
            sections=split_sections(text),
            images=[base64.b64decode(b["data"]) for b in blocks if b["type"] == "image"],
            raw=result,
        )

    def ref(self, role: str, name: str | None = None) -> str:
        """Return the ref of the only element with this role (and name) in the snapshot, or in the
        changes if the reply has no snapshot.

        Raises:
            ClientError: No element matches, or several do.
        """
        named = "" if name is None else " " + re.escape(json.dumps(name, ensure_ascii=False))
        mark = r"(?:<(?:added|changed|moved)> )?"
        part = re.compile(
            rf"(?:^\s*- '?{mark}|: '?| \| | ; ){role}{named}(?=[ :']|$)[^|\n]*?\[ref=(\w+)\]",
            re.MULTILINE,
        )
        found = part.findall(self.sections.get("Snapshot", ""))
        if len(found) != 1:
            raise ClientError(f"{len(found)} elements are {role} {name!r} in:\n{self.text}")
        return str(found[0])


def split_sections(text: str) -> dict[str, str]:
    """Return the text under each of the reply's headings."""
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        title = line.removeprefix("### ")
        if title != line and title in SECTIONS:
            lines = sections.setdefault(title, [])
        else:
            lines.append(line)
    return {title: "\n".join(body).strip("\n") for title, body in sections.items()}


async def spawn(
    *flags: str,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    log_dir: Path | None = None,
    prefix: Sequence[str] = (),
    program: Sequence[str] = (sys.executable, "-m", "viewpoint_mcp"),
) -> tuple[asyncio.subprocess.Process, Path]:
    """Start a server with piped stdin and stdout; return it and its log file.

    Args:
        log_dir: The directory of the log file; None for `cwd`.
        prefix: A command that runs the server, such as one that changes the user.
        program: The command of the server.
    """
    stderr = (log_dir or cwd) / "server-stderr.txt"
    with stderr.open("wb") as sink:
        process = await asyncio.create_subprocess_exec(
            *(*prefix, *program, *flags),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=sink,
            cwd=cwd,
            env={**os.environ, **(env or {})},
            limit=LINE_LIMIT,
        )
    return process, stderr


class McpClient(ABC):
    """An MCP client over any transport."""

    @abstractmethod
    async def request(
        self, method: str, params: Message | None = None, *, within: float = TIME_LIMIT
    ) -> Message:
        """Send a request and return its result.

        Raises:
            RpcFailure: The server answered with an error.
            ClientError: No answer came within `within` seconds, or the server has ended.
        """

    @abstractmethod
    async def notify(self, method: str, params: Message | None = None) -> None:
        """Send a notification."""

    async def initialize(self, version: str = PROTOCOL_VERSION) -> Message:
        """Initialize the session and return the server's answer."""
        answer = await self.request(
            "initialize",
            {
                "protocolVersion": version,
                "capabilities": {},
                "clientInfo": {"name": "viewpoint-mcp tests", "version": "0"},
            },
        )
        await self.notify("notifications/initialized")
        return answer

    async def tools(self) -> dict[str, Message]:
        """Return the tools that the server lists, by name."""
        return {tool["name"]: tool for tool in (await self.request("tools/list"))["tools"]}

    async def call(self, tool: str, *, within: float = TIME_LIMIT, **arguments: Any) -> Reply:
        """Call a tool with `arguments`, named as on the wire. Stop waiting after `within`
        seconds.
        """
        params = {"name": tool, "arguments": arguments}
        return Reply.of(await self.request("tools/call", params, within=within))


class ServerClient(McpClient):
    """The only client of a server. Messages are one stream in each direction; ids match answers to
    requests."""

    def __init__(self) -> None:
        self._ids = itertools.count(1)
        self._pending: dict[int, asyncio.Future[Message]] = {}
        self._unclaimed: asyncio.Queue[Message | ClientError] = asyncio.Queue()
        self._broken: ClientError | None = None

    @property
    @abstractmethod
    def cwd(self) -> Path:
        """The server's working directory."""

    @abstractmethod
    async def send(self, message: Any) -> None:
        """Send one message unchanged."""

    def _last_words(self) -> str:
        """Return what the server logged, for the text of a failure."""
        return ""

    async def request(
        self, method: str, params: Message | None = None, *, within: float = TIME_LIMIT
    ) -> Message:
        if self._broken is not None:
            raise self._broken
        number = next(self._ids)
        waiting: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._pending[number] = waiting
        message: Message = {"jsonrpc": "2.0", "id": number, "method": method}
        try:
            await self.send(message if params is None else {**message, "params": params})
            answer = await self._within(waiting, within, f"an answer to {method} {params}")
        finally:
            del self._pending[number]
        if "error" in answer:
            raise RpcFailure(answer["error"])
        result: Message = answer["result"]
        return result

    async def notify(self, method: str, params: Message | None = None) -> None:
        message: Message = {"jsonrpc": "2.0", "method": method}
        await self.send(message if params is None else {**message, "params": params})

    async def receive(self, *, within: float = TIME_LIMIT) -> Message:
        """Return the next message that answers no request of this client."""
        message = await self._within(self._unclaimed.get(), within, "a message")
        if isinstance(message, ClientError):
            raise message
        return message

    async def _within(self, awaitable: Awaitable[T], seconds: float, what: str) -> T:
        try:
            return await asyncio.wait_for(awaitable, seconds)
        except TimeoutError:
            reason = f"waited {seconds:g} s for {what}"
            raise ClientError(f"{reason}; the server logged:\n{self._last_words()}") from None

    def _route(self, message: Any) -> None:
        waiting = None
        if isinstance(message, dict) and isinstance(message.get("id"), int):
            waiting = self._pending.get(message["id"])
        if waiting is None or waiting.done():
            self._unclaimed.put_nowait(message)
        else:
            waiting.set_result(message)

    def _break(self, reason: str) -> None:
        """Fail all requests that wait for an answer, and later ones."""
        self._broken = ClientError(reason)
        self._unclaimed.put_nowait(self._broken)
        for waiting in self._pending.values():
            if not waiting.done():
                waiting.set_exception(self._broken)


class StdioClient(ServerClient):
    """A server process and its client; use `async with StdioClient.open(...)`.

    Args:
        process: The server, with stdin and stdout piped.
        stderr: The file with its stderr.
    """

    def __init__(self, process: asyncio.subprocess.Process, stderr: Path) -> None:
        super().__init__()
        self.process = process
        self.stderr_path = stderr
        self._reader = asyncio.create_task(self._read(), name="e2e client reader")

    @classmethod
    @asynccontextmanager
    async def open(cls, *flags: str, cwd: Path, **how: Any) -> AsyncIterator[Self]:
        """Spawn a server in `cwd` with `flags`. It is closed at the end, and must exit.

        Args:
            cwd: Working directory of the server.
            how: As for `spawn`: `env` is added to this process's environment.
        """
        process, stderr = await spawn(*flags, cwd=cwd, **how)
        client = cls(process, stderr)
        try:
            yield client
        finally:
            await client.close()

    @property
    def cwd(self) -> Path:
        return self.stderr_path.parent

    @property
    def stderr(self) -> str:
        """The server's log so far."""
        return self.stderr_path.read_text(errors="replace")

    def _last_words(self) -> str:
        return self.stderr[-4000:]

    # ---- JSON-RPC

    async def send(self, message: Any) -> None:
        await self.send_line(json.dumps(message).encode())

    async def send_line(self, line: bytes) -> None:
        """Send one line with any content."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        try:
            await self.process.stdin.drain()
        except ConnectionError:
            raise ClientError(f"The server is gone; it logged:\n{self._last_words()}") from None

    # ---- the process

    async def wait_for_exit(self, *, within: float = EXIT_TIME_LIMIT) -> int:
        """Return the exit status of a server that is ending."""
        return await self._within(self.process.wait(), within, "the server's exit")

    async def close(self) -> int:
        """Close stdin, wait for the server to exit and return its exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            return await self.wait_for_exit()
        finally:
            if self.process.returncode is None:
                self.process.kill()
                await self.process.wait()
            await self._stop_reader()

    async def _stop_reader(self) -> None:
        # The stdout of an exited server is at its end, unless its browser still has the pipe open.
        await asyncio.wait([self._reader], timeout=1.0)
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)

    # ---- the reader

    async def _read(self) -> None:
        assert self.process.stdout is not None
        reason = "The server closed its stdout"
        async for line in self.process.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                reason = f"The server wrote something else than MCP to stdout: {line[:500]!r}"
                break
            self._route(message)
        self._break(f"{reason}; it logged:\n{self._last_words()}")
