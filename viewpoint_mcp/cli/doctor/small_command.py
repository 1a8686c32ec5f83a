"""Runs a short command with a time limit and returns its output."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress

_LIMIT = 10.0


class CommandHangs(Exception):
    """The command did not exit within its time limit."""


async def run(*command: str, limit: float = _LIMIT) -> tuple[int, str, str]:
    """Run a command and return its exit status, stdout and stderr.

    Args:
        command: The program and its arguments.
        limit: Time limit in seconds.

    Raises:
        OSError: The command cannot be started.
        CommandHangs: The command exceeded the limit. It was killed, with its child processes
            except on Windows.
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
    """Return the stdout of a command; None if it cannot be started, fails or hangs."""
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
