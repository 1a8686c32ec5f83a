"""The contestants: operations that each of them has, and the servers called over MCP."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import orjson

from scripts.benchmark.client import McpClient
from scripts.benchmark.processes import ContestantFailed, resident_mib

VIEWPORT = "1280x720"
REPOSITORY = Path(__file__).resolve().parents[2]
OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"


class Contestant(Protocol):
    """The operations that the scenarios call on a server and on the floor."""

    @property
    def name(self) -> str: ...
    @property
    def tools_characters(self) -> int | None: ...
    def resident_mib(self) -> float: ...
    async def start(self) -> None: ...
    async def stop(self) -> None: ...
    async def navigate(self, url: str) -> object: ...
    async def snapshot(self) -> str: ...
    async def ax_tree(self) -> None: ...
    async def find(self, role: str, name: str) -> str: ...
    async def click(self, ref: str) -> object: ...
    async def follow(self, ref: str) -> None: ...
    async def type(self, ref: str, text: str) -> object: ...
    async def fill(self, values: Mapping[str, str]) -> object: ...
    async def evaluate(self, function: str) -> str: ...
    async def screenshot(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The names one server has for the tools and arguments the scenarios use."""

    navigate: str = "browser_navigate"
    snapshot: str = "browser_snapshot"
    click: str = "browser_click"
    type: str = "browser_type"
    fill: str = "browser_fill_form"
    evaluate: str = "browser_evaluate"
    screenshot: str = "browser_take_screenshot"
    ref_argument: str = "ref"
    text_argument: str = "text"
    fields_argument: str = "fields"
    one_field: tuple[tuple[str, str], ...] = (("name", "x"), ("type", "textbox"))
    page: Mapping[str, object] = field(default_factory=dict)  # names the page, where one must
    ref_pattern: str = r'{role} "{name}"[^\n]*?\[ref=(\w+)\]'


OURS = "viewpoint-mcp"
UNLIMITED = ("--snapshot-budget", "10000000")

VIEWPOINT = Dialect()
PLAYWRIGHT = Dialect(ref_argument="target")
DEVTOOLS = Dialect(
    navigate="navigate_page",
    snapshot="take_snapshot",
    click="click",
    type="fill",
    fill="fill_form",
    evaluate="evaluate_script",
    screenshot="take_screenshot",
    ref_argument="uid",
    text_argument="value",
    fields_argument="elements",
    one_field=(),
    page={"pageId": 1},
    ref_pattern=r'uid=(\S+) {role} "{name}"',
)


class McpServer:
    """An MCP server on stdio as a contestant, with its own working directory."""

    def __init__(
        self,
        name: str,
        dialect: Dialect,
        command: Sequence[str],
        *,
        directory: Path,
        environment: Mapping[str, str],
    ) -> None:
        self.name = name
        self.tools_characters: int | None = None
        self._dialect = dialect
        self._command = command
        self._directory = directory
        self._environment = environment
        self._client: McpClient | None = None

    async def start(self) -> None:
        """Spawn the server and wait until it has listed its tools."""
        self._client = await McpClient.spawn(
            self._command, directory=self._directory, environment=self._environment
        )
        await self._client.initialize()
        tools = await self._client.list_tools()
        self.tools_characters = len(orjson.dumps(tools).decode())

    async def measure_guide(self) -> int | None:
        """Return the characters of the tools, which a client reads before its first call."""
        return self.tools_characters

    async def stop(self) -> None:
        """End the server, if it runs."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def resident_mib(self) -> float:
        """Resident memory of the server process, without its browser."""
        return resident_mib(self._running().pid)

    async def navigate(self, url: str) -> str:
        return await self._call(self._dialect.navigate, {"url": url})

    async def snapshot(self) -> str:
        return await self._call(self._dialect.snapshot, {})

    async def ax_tree(self) -> None:
        raise ContestantFailed("no MCP server offers the bare accessibility tree")

    async def find(self, role: str, name: str) -> str:
        """The ref a fresh snapshot prints for the element of this role and name."""
        found = re.search(self.ref_pattern(role, name), await self.snapshot())
        if found is None:
            raise ContestantFailed(f'the snapshot shows no {role} "{name}" with a ref')
        return found[1]

    def ref_pattern(self, role: str, name: str) -> str:
        """The regular expression for the ref of an element; its first group is the ref."""
        return self._dialect.ref_pattern.format(role=role, name=re.escape(name))

    async def click(self, ref: str) -> str:
        return await self._call(self._dialect.click, {self._dialect.ref_argument: ref})

    async def follow(self, ref: str) -> None:
        await self.click(ref)

    async def type(self, ref: str, text: str) -> str:
        target = {self._dialect.ref_argument: ref, self._dialect.text_argument: text}
        return await self._call(self._dialect.type, target)

    async def fill(self, values: Mapping[str, str]) -> str:
        """Fill in a form in one call; `values` are by ref."""
        fields = [
            {**dict(self._dialect.one_field), self._dialect.ref_argument: ref, "value": value}
            for ref, value in values.items()
        ]
        return await self._call(self._dialect.fill, {self._dialect.fields_argument: fields})

    async def evaluate(self, function: str) -> str:
        return await self._call(self._dialect.evaluate, {"function": function})

    async def screenshot(self, *, full_page: bool = False) -> None:
        await self._call(self._dialect.screenshot, {"fullPage": True} if full_page else {})

    async def create_context(self, name: str) -> None:
        """Make a browser context; no peer has the tool."""
        await self._call("browser_context_create", {"name": name})

    async def list_contexts(self) -> None:
        """A call that asks the browser nothing."""
        await self._call("browser_context_list", {})

    async def navigate_in(self, context: str, url: str) -> None:
        """Navigate in that context."""
        await self._call(self._dialect.navigate, {"url": url, "context": context})

    async def call_tool(self, tool: str, arguments: Mapping[str, object]) -> dict[str, Any]:
        """Call any tool and return its whole result, also that of a failure."""
        params = {"name": tool, "arguments": {**self._dialect.page, **arguments}}
        return await self._running().request("tools/call", params)

    async def _call(self, tool: str, arguments: Mapping[str, object]) -> str:
        return await self._running().call(tool, {**self._dialect.page, **arguments})

    def _running(self) -> McpClient:
        if self._client is None:
            raise ContestantFailed("the server does not run")
        return self._client


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """Settings shared by the contestants: the browser, and the directory for files."""

    executable: str
    scratch: Path

    @property
    def needs_no_sandbox(self) -> bool:
        """Root cannot use Chromium's sandbox."""
        return hasattr(os, "geteuid") and os.geteuid() == 0

    def build(self, name: str, dialect: Dialect, command: Sequence[str]) -> McpServer:
        """Return a server with its own working directory; its temporary files are in `scratch`."""
        directory = self.scratch / name
        directory.mkdir()
        return McpServer(
            name, dialect, command, directory=directory, environment=self.environment()
        )

    def environment(self) -> dict[str, str]:
        """This process's environment, with temporary files and kept profiles in `scratch` and the
        source tree importable.
        """
        path = os.pathsep.join(filter(None, [str(REPOSITORY), os.environ.get("PYTHONPATH")]))
        environment = {
            **os.environ,
            "TMPDIR": str(self.scratch),
            "VIEWPOINT_MCP_CACHE_DIR": str(self.scratch / "cache"),
            "PYTHONPATH": path,
        }
        # A user's Python keeps compiled bytecode, so an environment that forbids it must not count.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        return environment


def viewpoint(workshop: Workshop, name: str = OURS, *flags: str) -> McpServer:
    """This product, with the snapshot budget lifted so that it prints as much as its peers.

    Args:
        name: Of its working directory.
        flags: Further ones.
    """
    command = viewpoint_command(workshop, *UNLIMITED, *flags)
    return workshop.build(name, VIEWPOINT, command)


def viewpoint_command(workshop: Workshop, *flags: str) -> list[str]:
    """The command that starts this product."""
    sandbox = ["--no-sandbox"] if workshop.needs_no_sandbox else []
    command = [sys.executable, "-m", "viewpoint_mcp", "--headless", *sandbox]
    command += ["--executable-path", workshop.executable, "--viewport-size", VIEWPORT]
    return [*command, *flags]
