"""Check of the browser that the server would start."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from cdp_protocol.launching.executable import find_installed_browsers
from viewpoint_mcp.browser.connect.executable import find_executable
from viewpoint_mcp.browser.install import shared_libraries
from viewpoint_mcp.cli.doctor.finding import Finding, failed_finding, ok_finding, skipped_finding
from viewpoint_mcp.cli.doctor.subprocesses import CommandTimeout, run_command
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import BrowserError

_MAX_STDERR_LINES = 8
_FIX = "Run it by hand, or choose another with --executable-path."


async def check_executable(settings: Settings) -> Finding:
    """Check that the browser is found and prints its version, and list the other browsers."""
    if settings.should_attach:
        return skipped_finding("the server attaches to a running browser")
    try:
        path = await asyncio.to_thread(
            find_executable, settings.executable, settings.channel, os.environ
        )
    except BrowserError as error:
        return failed_finding(error.message, fix=error.hint or "")
    others = await asyncio.to_thread(_describe_other_browsers, path)
    if sys.platform == "win32":
        return ok_finding(str(path), *others)  # On Windows, --version opens a window.
    try:
        status, stdout, stderr = await run_command(str(path), "--version")
    except CommandTimeout:
        return failed_finding(f"{path} --version does not exit", *others, fix=_FIX)
    except OSError as error:
        return failed_finding(f"cannot run {path}: {error.strerror or error}", *others, fix=_FIX)
    if status or not stdout.strip():
        last_lines = stderr.strip().splitlines()[-_MAX_STDERR_LINES:]
        summary = f"{path} --version prints no version, and exits with status {status}"
        missing_libraries = await asyncio.to_thread(
            shared_libraries.find_missing_libraries, path, stderr
        )
        return failed_finding(
            summary,
            *last_lines,
            *others,
            fix=shared_libraries.advise_library_installation(missing_libraries)
            if missing_libraries
            else _FIX,
        )
    return ok_finding(f"{stdout.strip().splitlines()[0]}", str(path), *others)


def _describe_other_browsers(chosen: Path) -> tuple[str, ...]:
    others = [path for path in find_installed_browsers(os.environ) if not path.samefile(chosen)]
    return (f"also installed: {', '.join(map(str, others))}",) if others else ()
