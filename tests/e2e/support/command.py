"""Runs the command until it exits."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path


async def run(*flags: str, cwd: Path, **env: str) -> tuple[int | None, str, str]:
    """Run the command without input; return its exit status, stdout and stderr."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "viewpoint_mcp", *flags),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=cwd,
        env=os.environ | env,
    )
    stdout, stderr = await process.communicate()
    return process.returncode, stdout.decode(), stderr.decode()
