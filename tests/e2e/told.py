"""A session of tool calls with what was replied, to be had again from a recording."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from tests.e2e.client import McpClient, Reply

# What no two runs have in common.
_TIMES = re.compile(r"\d{4}-\d\d-\d\dT[\d:.-]+Z|\b\d+(\.\d+)? ?(ms|s)\b")


@dataclass
class Told:
    """Calls, in order, each with its reply.

    Attributes:
        calls: Name, arguments, reply.
    """

    client: McpClient
    calls: list[tuple[str, dict[str, Any], str]] = field(default_factory=list)

    async def call(self, tool: str, **arguments: Any) -> Reply:
        """Call a tool, and keep what it replied."""
        reply = await self.client.call(tool, **arguments)
        self.calls.append((tool, arguments, lasting(reply.text)))
        return reply

    async def again(self, client: McpClient) -> None:
        """Make the same calls to another server, which has to reply the same."""
        for number, (tool, arguments, told) in enumerate(self.calls):
            reply = await client.call(tool, **arguments)
            now = lasting(reply.text)
            if now != told:
                call = f"call {number}, {tool} {arguments}"
                raise AssertionError(f"Of {call} the reply was\n{told}\nand is now\n{now}")


def lasting(text: str) -> str:
    """A reply without what differs from run to run."""
    return _TIMES.sub("<time>", text)
