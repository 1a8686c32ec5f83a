"""Checks that an executable is a browser that runs here: its version, and a trial start."""

from __future__ import annotations

import asyncio
import re
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from cdp_protocol.launching.arguments import LaunchOptions
from cdp_protocol.launching.machine_capabilities import is_sandbox_usable
from viewpoint_mcp.browser.connect.arguments import make_launch_options
from viewpoint_mcp.browser.connect.launch import launch_browser
from viewpoint_mcp.browser.install import shared_libraries
from viewpoint_mcp.errors import BrowserError

_VERSION = re.compile(r"\d+(?:\.\d+){1,3}")
_LIMIT = 30.0  # seconds for `--version`
_NO_SANDBOX = re.compile(r"--no-sandbox")


async def read_version(executable: Path) -> str:
    """Return the version of a browser executable. No browser is started.

    Raises:
        MissingLibrariesError: Shared libraries are missing; the error names them.
        BrowserError: The executable cannot be run, or prints no version.
    """
    if sys.platform == "win32":
        return _read_version_from_directory(executable)  # on Windows, --version opens a window
    try:
        process = await asyncio.create_subprocess_exec(
            executable,
            "--version",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
    except OSError as error:
        raise BrowserError(f"{executable} cannot be run: {error.strerror}.") from error
    try:
        async with asyncio.timeout(_LIMIT):
            stdout, stderr = await process.communicate()
    except TimeoutError:
        raise BrowserError(f"{executable} did not print its version within {_LIMIT:g} s.") from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    found = _VERSION.search(stdout.decode(errors="replace"))
    if process.returncode == 0 and found is not None:
        return found[0]
    words = (stderr or stdout).decode(errors="replace").strip()
    absent = await asyncio.to_thread(shared_libraries.find_missing_libraries, executable, words)
    if absent:
        raise MissingLibrariesError(
            f"{executable} does not start.", shared_libraries.advise_library_installation(absent)
        )
    raise BrowserError(
        f"{executable} does not print its version: {words[-400:] or 'it prints nothing'}"
    )


class MissingLibrariesError(BrowserError):
    """Missing shared libraries that the browser is linked to."""


async def try_start_for_sandbox_note(executable: Path, sandbox: bool | None) -> str:
    """Start a headless browser and end it again.

    If it fails because of the sandbox, try once more without.

    Args:
        sandbox: Whether to use the sandbox; None to use it if the system supports it.

    Returns:
        A note that --no-sandbox is needed, or "".

    Raises:
        BrowserError: The browser does not start.
    """
    options = make_launch_options(
        executable, sandbox=is_sandbox_usable() if sandbox is None else sandbox
    )
    try:
        await _start_and_close(options)
    except BrowserError as error:
        if not options.sandbox or not _NO_SANDBOX.search(str(error)):
            raise
        await _start_and_close(replace(options, sandbox=False))
        return "Its sandbox cannot be used here: give --no-sandbox, or allow user namespaces."
    return ""


async def _start_and_close(options: LaunchOptions) -> None:
    async with await launch_browser(options):
        pass


def _read_version_from_directory(executable: Path) -> str:
    """Return the version from a directory or manifest name beside the executable (Windows)."""
    for entry in executable.parent.iterdir():
        if found := re.fullmatch(r"(\d+(?:\.\d+){3})(?:\.manifest)?", entry.name):
            return found[1]
    raise BrowserError(f"There is no version of Chrome beside {executable}.")
