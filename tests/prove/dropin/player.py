"""One of the two servers, with the official client of MCP."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import httpx2
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from scripts.npm import modules, node
from tests.e2e.support.processes import wait_until
from tests.prove.dropin.configurations import Configuration

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
ServerName = Literal["playwright-mcp", "viewpoint-mcp"]
SERVERS: tuple[ServerName, ...] = ("playwright-mcp", "viewpoint-mcp")
# From the environment of the test. The rest could change what the servers do.
_KEPT_VARIABLES = ("PATH", "LANG", "TMPDIR", "PYTHONPYCACHEPREFIX")
_KEY = re.compile(r"Bearer [\w-]+")
_LISTENING = re.compile(r"Listening on \S+")
_ALL = re.compile(r".*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of a tool call."""

    text: str
    is_error: bool
    image_count: int

    @property
    def value(self) -> Any:
        """The JSON in the section Result."""
        text = self.text.partition("### Result\n")[2]
        return json.JSONDecoder().raw_decode(text)[0]


@dataclass(frozen=True, slots=True)
class Player:
    """A connected server.

    Args:
        name: Which of the two it is.
        workspace: The directory where it was started.
        needs_key: Whether it refuses clients without its key.
    """

    client: Client
    name: ServerName
    workspace: Path
    needs_key: bool = False

    async def tools(self) -> set[str]:
        """Return the names in tools/list."""
        return {tool.name for tool in (await self.client.list_tools()).tools}

    async def call(self, tool: str, /, **arguments: Any) -> Reply:
        """Call a tool."""
        result = await self.client.call_tool(tool, arguments)
        texts = [getattr(block, "text", "") for block in result.content]
        images = sum(block.type == "image" for block in result.content)
        return Reply("\n".join(texts), bool(result.is_error), images)

    async def evaluate(self, script: str) -> Any:
        """Return the value of a function in the page, which must be an object or a list."""
        reply = await self.call("browser_evaluate", function=script)
        assert not reply.is_error, f"{self.name}: {reply.text}"
        return reply.value

    async def find(self, role: str, name: str) -> str:
        """Return the ref of the only element with this role and name."""
        reply = await self.call("browser_snapshot")
        element = rf"\b{role} {re.escape(json.dumps(name))}(?P<marks>(?: \[[^\]]*\])*)"
        marks = [found["marks"] for found in re.finditer(element, reply.text)]
        refs = re.findall(r"\[ref=(\w+)\]", " ".join(marks))
        assert len(refs) == 1, f"{self.name}: {role} {name} occurs {len(refs)} times: {reply.text}"
        return str(refs[0])


@asynccontextmanager
async def connect(
    name: ServerName, configuration: Configuration, chromium: str, home: Path
) -> AsyncIterator[Player]:
    """Start a server with a configuration, and connect to it as its client does.

    Args:
        chromium: The executable of the browser.
        home: The home directory of the server, which keeps profiles there. It exists.
    """
    command = _command(name)
    variables = {
        **{key: os.environ[key] for key in _KEPT_VARIABLES if key in os.environ},
        "PYTHONPATH": str(ROOT),
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "PLAYWRIGHT_MCP_EXECUTABLE_PATH": chromium,
        "PLAYWRIGHT_MCP_HEADLESS": "true",
        "PLAYWRIGHT_MCP_SANDBOX": "false",
        **configuration.variables,
    }
    log = home / "stderr.txt"
    if configuration.url:
        async with _listening(command, configuration, variables, log) as key:
            headers = {"Authorization": key} if key else {}
            async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
                transport = streamable_http_client(configuration.url, http_client=http)
                async with Client(transport, mode="legacy") as client:
                    yield Player(client, name, configuration.workspace, needs_key=bool(key))
        return
    parameters = StdioServerParameters(
        command=command[0],
        args=[*command[1:], *configuration.arguments],
        env=variables,
        cwd=configuration.workspace,
    )
    with log.open("w") as errors:
        async with Client(stdio_client(parameters, errlog=errors), mode="legacy") as client:
            yield Player(client, name, configuration.workspace)


def _command(name: ServerName) -> list[str]:
    if name == "viewpoint-mcp":
        return [sys.executable, "-m", "viewpoint_mcp"]
    packages = modules(HERE)
    if not packages.is_dir():
        raise FileNotFoundError(f"{packages} is missing; `make suite` fetches it.")
    return [str(node(HERE.parent / "conformance")), str(packages / "@playwright/mcp/cli.js")]


@asynccontextmanager
async def _listening(
    command: list[str], configuration: Configuration, variables: Mapping[str, str], log: Path
) -> AsyncIterator[str]:
    """Run a server that listens; yield the key that its clients need, or ""."""
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            *command,
            *configuration.arguments,
            cwd=configuration.workspace,
            env=variables,
            stdin=asyncio.subprocess.DEVNULL,
            stderr=errors,
        )
    try:
        await wait_until(lambda: process.returncode is not None or _find(_LISTENING, log) != "")
        assert process.returncode is None, _find(_ALL, log)
        yield _find(_KEY, log)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


def _find(pattern: re.Pattern[str], log: Path) -> str:
    """Return the first match in a log, or ""."""
    found = pattern.search(log.read_text(encoding="utf-8"))
    return found[0] if found else ""
