"""Runs a short command with a time limit and returns its output."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress

_TIMEOUT = 10.0


class CommandTimeout(Exception):
    """The command did not exit within its time limit."""


async def run_command(*command: str, timeout: float = _TIMEOUT) -> tuple[int, str, str]:
    """Run a command and return its exit status, stdout and stderr.

    Args:
        command: The program and its arguments.
        timeout: Time limit in seconds.

    Raises:
        OSError: The command cannot be started.
        CommandTimeout: The command exceeded the limit. It was killed, with its child processes
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
        async with asyncio.timeout(timeout):
            stdout, stderr = await process.communicate()
    except TimeoutError:
        raise CommandTimeout from None
    finally:
        if process.returncode is None:
            _kill(process)
            await process.wait()
    return process.returncode or 0, stdout.decode(errors="replace"), stderr.decode(errors="replace")


async def read_command_output(*command: str) -> str | None:
    """Return the stdout of a command; None if it cannot be started, fails or hangs."""
    try:
        status, stdout, _ = await run_command(*command)
    except (OSError, CommandTimeout):
        return None
    return None if status else stdout


def _kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
