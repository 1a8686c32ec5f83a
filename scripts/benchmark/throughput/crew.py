"""The workers of one round: started together, called one at a time, and always ended."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from scripts.benchmark.contestants import REPOSITORY
from scripts.benchmark.processes import ContestantFailed, end_process

PATIENCE = 120.0  # seconds for one order
PACKAGE = "scripts.benchmark.throughput"
Process = asyncio.subprocess.Process


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The endpoint of the clients: a browser, one of its pages, and another page."""

    browser: str
    page: str
    other: str


@dataclass(frozen=True, slots=True)
class Worker:
    """A client in a separate process."""

    name: str
    process: Process

    async def ask(self, **order: object) -> dict[str, Any]:
        """Give an order and wait for the figures.

        Raises:
            ContestantFailed: The client failed, or took too long.
        """
        assert self.process.stdin is not None
        self.process.stdin.write(orjson.dumps(order) + b"\n")
        return await self.answer()

    async def answer(self) -> dict[str, Any]:
        """Wait for the next line that it prints."""
        assert self.process.stdout is not None and self.process.stderr is not None
        try:
            async with asyncio.timeout(PATIENCE):
                line = await self.process.stdout.readline()
                if line:
                    told: dict[str, Any] = orjson.loads(line)
                    return told
                words = (await self.process.stderr.read()).decode(errors="replace").strip()
        except TimeoutError:
            raise ContestantFailed(f"no answer in {PATIENCE:g} s") from None
        raise ContestantFailed(words.splitlines()[-1] if words else "it ended without a word")


@asynccontextmanager
async def costless() -> AsyncIterator[Endpoint]:
    """Run the peer that costs nothing."""
    process = await _spawn(Path(sys.executable), "costless")
    try:
        assert process.stdout is not None
        port = int(await process.stdout.readline())
        yield Endpoint(f"ws://127.0.0.1:{port}/devtools/browser/0", "T", "T")
    finally:
        await end_process(process)


@asynccontextmanager
async def crew(
    clients: Mapping[str, Path], endpoint: Endpoint
) -> AsyncIterator[tuple[Sequence[Worker], dict[str, str]]]:
    """Start a worker for each client; yield the working ones, and the errors of the others.

    Args:
        clients: The interpreter that has the library, by the client's name.
        endpoint: The endpoint of the clients.
    """
    failures: dict[str, str] = {}
    able = []
    async with AsyncExitStack() as stack:
        for name, python in clients.items():
            arguments = (name, endpoint.browser, endpoint.page, endpoint.other)
            worker = Worker(name, await _spawn(python, "worker", *arguments))
            stack.push_async_callback(end_process, worker.process)
            try:
                await worker.answer()
                able.append(worker)
            except ContestantFailed as error:
                failures[name] = str(error)
        yield able, failures


async def _spawn(python: Path, module: str, *arguments: str) -> Process:
    path = os.pathsep.join(filter(None, [str(REPOSITORY), os.environ.get("PYTHONPATH")]))
    return await asyncio.create_subprocess_exec(
        *(str(python), "-m", f"{PACKAGE}.{module}", *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
        limit=1 << 24,
        start_new_session=True,
    )
