"""Repeated matching with one untrusted regular expression, within a time limit.

`regex_search` starts a process for each search. Requests come in quick succession, so this process
stays; it ends with the matcher or with the server, whose end closes its stdin.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from asyncio.subprocess import Process
from typing import Final

import orjson

from viewpoint_mcp.accessibility.search.regex_search import (
    NO_WINDOW,
    REGEX_SCRIPT,
    Pattern,
    malformed_regex_error,
)
from viewpoint_mcp.errors import CallError

TIME_LIMIT: Final = 1.0
"""Time limit for one text, in seconds."""

_START_LIMIT: Final = 10.0  # seconds until the process has compiled the expression


class RegexMatcher:
    """Matches texts with one regular expression in a process of its own.

    Args:
        pattern: The regular expression.
    """

    def __init__(self, pattern: Pattern) -> None:
        self._pattern = pattern
        self._process: Process | None = None
        self._lock = asyncio.Lock()

    async def start(self) -> None:
        """Start the process and check the syntax.

        Raises:
            CallError: The expression is malformed, or takes too long to compile.
        """
        async with self._lock:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", str(REGEX_SCRIPT), "--repeat"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                creationflags=NO_WINDOW,
            )
            try:
                await self._search("", _START_LIMIT)
            except BaseException:
                await self._end_process()
                raise

    async def matches(self, text: str) -> bool:
        """Return whether the expression matches some part of the text.

        Raises:
            CallError: It took too long, or the process has ended. The matcher is then useless.
        """
        async with self._lock:
            return await self._search(text, TIME_LIMIT)

    async def close(self) -> None:
        """End the process, and with it a search in progress. Idempotent."""
        await self._end_process()

    async def _search(self, text: str, time_limit: float) -> bool:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise CallError(f"regex {self._pattern.source} is no longer evaluated.")
        request = {"pattern": self._pattern.source, "flags": self._pattern.flags, "texts": [text]}
        try:
            async with asyncio.timeout(time_limit):
                process.stdin.write(orjson.dumps(request) + b"\n")
                await process.stdin.drain()
                line = await process.stdout.readline()
        except (TimeoutError, OSError):
            await self._end_process()
            raise CallError(
                f"regex {self._pattern.source} was stopped after {time_limit:g} s.",
                "Use a simpler pattern without nested repetitions, or a glob pattern.",
            ) from None
        except asyncio.CancelledError:
            await self._end_process()  # its answer would be read as that of the next text
            raise
        if not line:
            await self._end_process()
            raise CallError(f"regex {self._pattern.source}: its process has ended.")
        result = orjson.loads(line)
        if "error" in result:
            raise malformed_regex_error(self._pattern, result["error"])
        return bool(result["found"])

    async def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            if process.returncode is None:
                process.kill()
            await process.wait()
