"""Runs the official conformance suite of MCP against a server, and reads its results."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from scripts.npm import modules, node

HERE = Path(__file__).parent
PACKAGE = modules(HERE) / "@modelcontextprotocol" / "conformance"
REVISIONS = ("2025-11-25", "2026-07-28")
FIXTURE = ("-m", "tests.prove.conformance.fixture", "0")
PRODUCT = ("-m", "viewpoint_mcp", "--headless", "--port", "0", "--no-auth")
# Those that need no fixture: every server must pass them.
GENERAL: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "2025-11-25": (
            "server-initialize",
            "ping",
            "tools-list",
            "server-sse-multiple-streams",
            "resources-list",
            "dns-rebinding-protection",
            "server-session-lifecycle",
        ),
        "2026-07-28": (
            "tools-list",
            "server-sse-multiple-streams",
            "resources-list",
            "sep-2164-resource-not-found",
            "dns-rebinding-protection",
            "input-required-result-unsupported-methods",
            "http-header-validation",
        ),
    }
)
WIRE = "wire-schema-valid"  # found in each scenario: were all messages as the schema has them?

_LISTENING = re.compile(rb"Listening on (\S+)")
_FOLDER = re.compile(r"^server-(.+)-\d{4}-\d\d-\d\dT.*Z$")


@dataclass(slots=True)
class Outcome:
    """The outcome of one scenario."""

    passed: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        return not self.faults and self.passed > 0


def scored(revision: str) -> list[str]:
    """The scenarios that count for a revision, as the suite itself has them."""
    required = yaml.safe_load((PACKAGE / "requirements" / f"{revision}.yaml").read_text())
    found: list[str] = required["server"]
    return found


async def run(url: str, revision: str, directory: Path) -> dict[str, Outcome]:
    """Run all scenarios of a revision; return their outcomes by name.

    Args:
        url: Of the server; loopback, and without a key.
        directory: For the files of the suite.
    """
    process = await asyncio.create_subprocess_exec(
        node(HERE),
        PACKAGE / "dist" / "index.js",
        *("server", "--url", url, "--requirements", revision, "-o", str(directory)),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        result, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    outcomes = _read_all(directory)
    if missing := [name for name in scored(revision) if name not in outcomes]:
        raise RuntimeError(f"The suite did not run {missing}:\n{result.decode()[-4000:]}")
    return outcomes


def _read_all(directory: Path) -> dict[str, Outcome]:
    return {
        found[1]: _read(folder / "checks.json")
        for folder in directory.iterdir()
        if (found := _FOLDER.match(folder.name))
    }


def _read(path: Path) -> Outcome:
    outcome = Outcome()
    checks: list[dict[str, Any]] = json.loads(path.read_text())
    for check in checks:
        if check["status"] in {"FAILURE", "WARNING"}:
            outcome.faults.append(f"{check['id']}: {check.get('errorMessage')}")
        elif check["status"] == "SUCCESS":
            outcome.passed += 1
    return outcome


@asynccontextmanager
async def serving(arguments: Sequence[str], directory: Path) -> AsyncIterator[str]:
    """Start a server with Python, and yield the URL that it serves MCP at."""
    root = HERE.parents[2]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *arguments),
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(root)},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    assert process.stdout is not None
    result = b""
    try:
        while not (found := _LISTENING.search(result)):
            line = await process.stdout.readline()
            if not line:
                raise RuntimeError(f"The server did not start:\n{result.decode()}")
            result += line
        draining = asyncio.create_task(process.stdout.read())
        yield f"{found[1].decode()}/mcp"
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.wait()
    await draining
