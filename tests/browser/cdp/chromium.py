"""A Chromium that a test starts, and may kill."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)


@dataclass(frozen=True, slots=True)
class Chromium:
    process: Process
    profile: Path
    url: str


@asynccontextmanager
async def launch_chromium(chromium: str, profile: Path) -> AsyncIterator[Chromium]:
    flags = (*FLAGS, f"--user-data-dir={profile}", "about:blank")
    process = await asyncio.create_subprocess_exec(chromium, *flags, stdout=DEVNULL, stderr=PIPE)
    assert process.stderr is not None
    try:
        async for line in process.stderr:
            if line.startswith(b"DevTools listening on "):
                yield Chromium(process, profile, line.split()[-1].decode())
                break
        else:
            pytest.fail("Chromium ended without opening a debugging port.")
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
