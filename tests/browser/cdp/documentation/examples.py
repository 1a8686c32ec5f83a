"""The worked examples in `scripts`, each as a separate program."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[4]


@dataclass(frozen=True, slots=True)
class Outcome:
    status: int
    lines: list[str]
    complaint: str


Play = Callable[..., Awaitable[Outcome]]


@asynccontextmanager
async def run_example(
    script: str, *arguments: object, directory: Path, **environment: str
) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(ROOT / "scripts" / "examples" / f"{script}.py"),
        *map(str, arguments),
        stdout=PIPE,
        stderr=PIPE,
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
