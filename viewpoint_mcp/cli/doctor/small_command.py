"""Runs a small command for what it prints, and ends it when it does not end by itself."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress

_LIMIT = 10.0


class CommandHangs(Exception):
    """The command printed nothing to the end in time."""


async def run(*command: str, limit: float = _LIMIT) -> tuple[int, str, str]:
    """Run a command; returns its exit status, stdout and stderr.

    Raises:
        OSError: It cannot be run.
        CommandHangs: It takes longer than `limit` seconds; it was killed, with what it started.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(limit):
            stdout, stderr = await process.communicate()
    except TimeoutError:
        raise CommandHangs from None
    finally:
        if process.returncode is None:
            _kill(process)
            await process.wait()
    return process.returncode or 0, stdout.decode(errors="replace"), stderr.decode(errors="replace")


async def output_of(*command: str) -> str | None:
    """Return what a command prints; None when it cannot be run, fails or hangs."""
    try:
        status, stdout, _ = await run(*command)
    except (OSError, CommandHangs):
        return None
    return None if status else stdout


def _kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
