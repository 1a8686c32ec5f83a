"""A session of tool calls with what was replied, to be had again from a recording."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from tests.e2e.support.client import Reply

# What no two runs have in common.
_TIMES = re.compile(
    r"\d{4}-\d\d-\d\dT[\d:.-]+Z|\b\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT|\b\d+(\.\d+)? ?(ms|s)\b"
)


Call = Callable[..., Awaitable[Reply]]
"""Calls a tool by its name, with arguments by theirs."""


@dataclass
class Told:
    """Calls, in order, each with its reply.

    Attributes:
        calling: Makes them.
        calls: Name, arguments, lines of the reply.
    """

    calling: Call | None = None
    calls: list[tuple[str, dict[str, Any], list[str]]] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read what was written by `write`."""
        return cls(calls=[tuple(each) for each in json.loads(path.read_text(encoding="utf-8"))])

    def write(self, path: Path) -> None:
        """Write a file whose changes can be reviewed line by line."""
        text = json.dumps(self.calls, indent=1, ensure_ascii=False)
        path.write_text(f"{text}\n", encoding="utf-8")

    async def call(self, tool: str, **arguments: Any) -> Reply:
        """Call a tool, and keep what it replied."""
        assert self.calling is not None
        reply = await self.calling(tool, **arguments)
        self.calls.append((tool, arguments, lasting(reply.text)))
        return reply

    async def again(self, call: Call) -> None:
        """Make the same calls to another server, which has to reply the same."""
        for number, (tool, arguments, told) in enumerate(self.calls):
            now = lasting((await call(tool, **arguments)).text)
            if now != told:
                which = f"call {number}, {tool} {arguments}"
                was, is_now = "\n".join(told), "\n".join(now)
                raise AssertionError(f"Of {which} the reply was\n{was}\n\nand is now\n{is_now}")


def lasting(text: str) -> list[str]:
    """The lines of a reply without what differs from run to run."""
    return _TIMES.sub("<time>", text).splitlines()
