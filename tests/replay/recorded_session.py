"""A session of tool calls and their replies, which can be recorded and replayed."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from tests.e2e.support.client import Reply

# The parts that differ in each run.
_TIMES = re.compile(
    r"\d{4}-\d\d-\d\dT[\d:.-]+Z|\b\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT|\b\d+(\.\d+)? ?(ms|s)\b"
)


Call = Callable[..., Awaitable[Reply]]
"""Calls a tool by its name, with arguments by theirs."""


@dataclass
class RecordedSession:
    """Tool calls in order, each with its reply.

    Attributes:
        calling: The client that makes the calls.
        calls: Name, arguments and lines of the reply.
    """

    calling: Call | None = None
    calls: list[tuple[str, dict[str, Any], list[str]]] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file that `write` wrote."""
        return cls(calls=[tuple(each) for each in json.loads(path.read_text(encoding="utf-8"))])

    def write(self, path: Path) -> None:
        """Write a file whose changes can be reviewed line by line."""
        text = json.dumps(self.calls, indent=1, ensure_ascii=False)
        path.write_text(f"{text}\n", encoding="utf-8")

    async def call(self, tool: str, **arguments: Any) -> Reply:
        """Call a tool, and record the reply."""
        assert self.calling is not None
        reply = await self.calling(tool, **arguments)
        self.calls.append((tool, arguments, without_variable_parts(reply.text)))
        return reply

    async def replay(self, call: Call) -> None:
        """Make the same calls to another server, and check that the replies are the same."""
        for number, (tool, arguments, expected) in enumerate(self.calls):
            now = without_variable_parts((await call(tool, **arguments)).text)
            if now != expected:
                which = f"call {number}, {tool} {arguments}"
                was, is_now = "\n".join(expected), "\n".join(now)
                raise AssertionError(f"Of {which} the reply was\n{was}\n\nand is now\n{is_now}")


def without_variable_parts(text: str) -> list[str]:
    """Return the lines of a reply without the parts that differ in each run."""
    return _TIMES.sub("<time>", text).splitlines()
