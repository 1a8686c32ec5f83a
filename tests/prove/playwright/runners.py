"""Runs exported tests with real Playwright: Playwright Test on Node, and pytest-playwright."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scripts.npm import modules, node

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
MODULES = modules(HERE)
CHECKER = HERE / "check_locators.mjs"
REQUIREMENTS = HERE / "requirements.txt"
ENVIRONMENT = ROOT / "build" / "playwright-venv"
STAMP = ENVIRONMENT / ".installed"
BROWSER_FLAGS = ("--no-sandbox",)

_CONFIG = """export default {
  testDir: '.', workers: 1, retries: 0, timeout: 30_000, reporter: 'line', outputDir: 'results',
  use: { launchOptions: { executablePath: process.env.CHROMIUM, args: %s } },
};
"""
_CONFTEST = """import os
import pytest

@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    executable = os.environ["CHROMIUM"]
    return {**browser_type_launch_args, "executable_path": executable, "args": %s}
"""


async def run_typescript(script: Path, chromium: str) -> str:
    """Run a test with Playwright Test; return its output, which ends with "1 passed".

    If the test fails, the last page follows.
    """
    directory = script.parent
    (directory / "node_modules").symlink_to(MODULES)
    config = _CONFIG % json.dumps(BROWSER_FLAGS)
    (directory / "playwright.config.mjs").write_text(config)
    command = [node_path(), str(MODULES / "@playwright/test/cli.js"), "test", script.name]
    output = await run(command, directory, {"CHROMIUM": chromium})
    pages = sorted((directory / "results").rglob("error-context.md"))
    return "\n".join([output, *(each.read_text() for each in pages)])


async def run_python(script: Path, chromium: str) -> str:
    """Run a test with pytest-playwright; return its output, which ends with "1 passed"."""
    await asyncio.to_thread(install_python_packages)
    (script.parent / "conftest.py").write_text(_CONFTEST % json.dumps(BROWSER_FLAGS))
    python = str(ENVIRONMENT / "bin" / "python")
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", script.name]
    return await run(command, script.parent, {"CHROMIUM": chromium, "PYTHONPATH": ""})


async def check_locators(cases: Sequence[Mapping[str, Any]], chromium: str) -> list[Any]:
    """Return the locators that do not find their element with Playwright.

    Args:
        cases: Each has the `url` of a page, and `items` with `locator` and `path`.
    """
    command = [node_path(), str(CHECKER), chromium]
    variables = {"NODE_MODULES": str(MODULES)}
    output = await run(command, HERE, variables, json.dumps(cases).encode())
    failures: list[Any] = json.loads(output)
    return failures


def node_path() -> str:
    """Return the Node of the conformance suite."""
    if not MODULES.is_dir():
        raise FileNotFoundError(f"{MODULES} is missing; `make suite` fetches it.")
    return str(node(HERE.parent / "conformance"))


def install_python_packages() -> None:
    """Make the environment of pytest-playwright, unless it has the pinned packages."""
    pinned = REQUIREMENTS.read_text()
    if STAMP.is_file() and STAMP.read_text() == pinned:
        return
    venv.create(ENVIRONMENT, clear=True, with_pip=True)
    python = str(ENVIRONMENT / "bin" / "python")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    status = os.spawnv(os.P_WAIT, python, [*pip, "-r", str(REQUIREMENTS)])
    if status:
        raise RuntimeError(f"pip ended with status {status}; see its output on stderr.")
    STAMP.write_text(pinned)


async def run(
    command: Sequence[str], cwd: Path, variables: Mapping[str, str], data: bytes = b""
) -> str:
    """Run a command; return its output on stdout, with that on stderr if it failed."""
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=cwd,
        env={**os.environ, **variables},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate(data)
    text = output.decode()
    if process.returncode:
        sys.stderr.write(errors.decode())
        text += errors.decode()
    return text
