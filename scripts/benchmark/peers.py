"""The two servers from npm that are measured beside viewpoint-mcp."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import orjson

from scripts.benchmark.contestants import (
    DEVTOOLS,
    OFFLINE,
    PLAYWRIGHT,
    VIEWPORT,
    McpServer,
    Workshop,
)
from scripts.benchmark.processes import ContestantFailed

PACKAGES = ("@playwright/mcp@0.0.83", "chrome-devtools-mcp@1.11.0")


def install(directory: Path) -> Path:
    """Install the peers with npm and return the directory that now has `node_modules`.

    Raises:
        ContestantFailed: There is no npm, or it could not install.
    """
    npm = shutil.which("npm")
    if npm is None:
        raise ContestantFailed("npm is not installed; name a directory with node_modules instead")
    directory.mkdir()
    command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", *PACKAGES]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ContestantFailed(f"npm install failed: {done.stderr.strip()[-300:]}")
    return directory


def version(directory: Path, package: str) -> str:
    """The version of an installed package, as its package.json has it."""
    file = directory / "node_modules" / package / "package.json"
    return str(orjson.loads(file.read_bytes())["version"]) if file.is_file() else "not installed"


def playwright(workshop: Workshop, directory: Path) -> McpServer:
    """playwright-mcp, its browser cut off from the network."""
    config = workshop.scratch / "playwright.json"
    config.write_bytes(orjson.dumps({"browser": {"launchOptions": {"args": [OFFLINE]}}}))
    script = directory / "node_modules" / "@playwright" / "mcp" / "cli.js"
    sandbox = ["--no-sandbox"] if workshop.needs_no_sandbox else []
    command = ["node", str(script), "--headless", "--isolated", "--browser", "chromium", *sandbox]
    command += ["--executable-path", workshop.executable, "--viewport-size", VIEWPORT]
    command += ["--config", str(config)]
    return workshop.build("playwright-mcp", PLAYWRIGHT, command)


def devtools(workshop: Workshop, directory: Path) -> McpServer:
    """chrome-devtools-mcp, its telemetry off and its browser cut off from the network."""
    package = directory / "node_modules" / "chrome-devtools-mcp"
    script = package / "build" / "src" / "bin" / "chrome-devtools-mcp.js"
    sandbox = ["--chromeArg=--no-sandbox"] if workshop.needs_no_sandbox else []
    command = ["node", str(script), "--headless", "--isolated", *sandbox, f"--chromeArg={OFFLINE}"]
    command += [f"--executablePath={workshop.executable}", f"--viewport={VIEWPORT}"]
    command += ["--no-usage-statistics", "--no-performance-crux"]
    return workshop.build("chrome-devtools-mcp", DEVTOOLS, command)
