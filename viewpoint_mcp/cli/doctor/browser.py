"""Check of the browser that the server would start."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from cdp_protocol.launching.executable import find_installed_browsers
from viewpoint_mcp.browser.connect.executable import find_executable
from viewpoint_mcp.browser.install import libraries
from viewpoint_mcp.cli.doctor.finding import Finding, failed, ok, skipped
from viewpoint_mcp.cli.doctor.small_command import CommandHangs, run
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import BrowserError

_LAST_WORDS = 8
_TRY = "Try it by hand, or name another with --executable-path."


async def executable(settings: Settings) -> Finding:
    """Check that the browser is found and prints its version, and list the other browsers."""
    if settings.attaches:
        return skipped("none is started: the server attaches to one")
    try:
        found = await asyncio.to_thread(
            find_executable, settings.executable, settings.channel, os.environ
        )
    except BrowserError as error:
        return failed(error.message, fix=error.hint or "")
    others = await asyncio.to_thread(_others, found)
    if sys.platform == "win32":
        return ok(str(found), *others)  # On Windows, --version opens a window.
    try:
        status, stdout, stderr = await run(str(found), "--version")
    except CommandHangs:
        return failed(f"{found} hangs when it is asked for its version", *others, fix=_TRY)
    except OSError as error:
        return failed(f"{found} cannot be run: {error.strerror or error}", *others, fix=_TRY)
    if status or not stdout.strip():
        words = stderr.strip().splitlines()[-_LAST_WORDS:]
        told = f"{found} does not tell its version, and ends with status {status}"
        absent = await asyncio.to_thread(libraries.missing, found, stderr)
        return failed(told, *words, *others, fix=libraries.advice(absent) if absent else _TRY)
    return ok(f"{stdout.strip().splitlines()[0]}", str(found), *others)


def _others(chosen: Path) -> tuple[str, ...]:
    found = [path for path in find_installed_browsers(os.environ) if not path.samefile(chosen)]
    return (f"also there: {', '.join(map(str, found))}",) if found else ()
