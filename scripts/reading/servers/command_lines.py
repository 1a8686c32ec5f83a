"""Commands of a shell: what an agent writes, and the process that runs it.

An agent writes one line for each call of its shell, so a line is a call, and its output the reply.
Commands that the agent can plan together are one line, joined by `&&`, unless the program has
batches.
"""

from __future__ import annotations

import asyncio
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from scripts.reading.servers.adapter import Call

TIMEOUT = 120.0
PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
EXPANDED = re.compile(r'["$`\\!]')  # within double quotes


def quote(word: object) -> str:
    """Return a word in the shortest quotes that keep it as it is."""
    text = str(word)
    if PLAIN.fullmatch(text):
        return text
    if "'" not in text:
        return f"'{text}'"
    return shlex.quote(text) if EXPANDED.search(text) else f'"{text}"'


def join(*words: object) -> str:
    """Return the words as a command line."""
    return " ".join(map(quote, words))


def call_command(*words: object) -> Call:
    """Return the call that runs one command."""
    return ("shell", {"commands": [join(*words)]})


def find_commands(calls: Sequence[Call]) -> list[str]:
    """Return the commands of the calls, in their order."""
    return [command for _, arguments in calls for command in commands_of(arguments)]


def commands_of(arguments: Mapping[str, Any]) -> list[str]:
    """Return the commands of one call."""
    return list(arguments["commands"])


def chain(calls: Sequence[Call]) -> Call:
    """Return the call that runs the commands of others until one fails."""
    return ("shell", {"commands": find_commands(calls)})


def write_line(call: Call) -> str:
    """Return what the agent writes for a call."""
    return " && ".join(commands_of(call[1]))


class CommandLines:
    """A program that an agent runs from a shell, as a contestant.

    Args:
        name: Of the contestant.
        directory: The working directory.
        programs: The directory with the program.
        guide: The command that prints the guide for agents.
        first: Commands before the session, which count for the time only.
        last: The command after it, which closes the browser.
    """

    def __init__(
        self,
        name: str,
        directory: Path,
        programs: Path,
        environment: Mapping[str, str],
        *,
        guide: str,
        first: Sequence[str] = (),
        last: str,
    ) -> None:
        self.name = name
        self._directory = directory
        self._guide = guide
        self._first = first
        self._last = last
        path = os.pathsep.join([str(programs), environment.get("PATH", os.defpath)])
        self._environment = {**environment, "PATH": path}

    async def start(self) -> None:
        """Run the first commands."""
        for command in self._first:
            await self._run(command)

    async def stop(self) -> None:
        """Close the browser."""
        with suppress(TimeoutError):
            await self._run(self._last)

    async def call_tool(self, _tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Run the commands of a call until one fails.

        Returns:
            The output like a result of MCP, and with `done` the number of commands that succeeded.
        """
        done, status, replies = 0, 0, []
        for command in commands_of(arguments):
            status, reply = await self._run(command)
            replies.append(reply)
            if status:
                break
            done += 1
        text = "".join(replies)
        return {"content": [{"type": "text", "text": text}], "isError": status != 0, "done": done}

    async def measure_guide(self) -> int | None:
        """Return the characters of the guide; None if the command fails."""
        status, text = await self._run(self._guide)
        return None if status else len(text)

    async def _run(self, command: str) -> tuple[int, str]:
        process = await asyncio.create_subprocess_exec(
            "bash",
            "-c",
            command,
            cwd=self._directory,
            env=self._environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        async with asyncio.timeout(TIMEOUT):
            output, _ = await process.communicate()
        return process.returncode or 0, output.decode(errors="replace")
