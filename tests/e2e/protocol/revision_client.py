"""Requests of each revision over one connection to a server, and the messages other than their
answers.
"""

from __future__ import annotations

import itertools
from typing import Any

from tests.e2e.protocol.answer_shapes import SESSIONLESS_VERSION
from tests.e2e.support.client import Message, ServerClient

_IDS = itertools.count(1)
_PREFIX = "io.modelcontextprotocol/"


def envelope(version: str = SESSIONLESS_VERSION) -> dict[str, Any]:
    """Return the `_meta` that a request must bring since 2026-07-28."""
    return {f"{_PREFIX}protocolVersion": version, f"{_PREFIX}clientCapabilities": {}}


class RevisionClient:
    """A client of one revision.

    Args:
        notifications: All notifications that arrived while it waited for answers.
    """

    def __init__(self, server: ServerClient, revision: str) -> None:
        self.server = server
        self.revision = revision
        self.notifications: list[Message] = []

    async def begin(self) -> Message:
        """Initialize or discover, as clients of the revision do; return the answer."""
        if self.revision == SESSIONLESS_VERSION:
            return await self.answer("server/discover")
        hello = {"protocolVersion": self.revision, "capabilities": {}}
        info = {"clientInfo": {"name": "tests", "version": "0"}}
        return await self.answer("initialize", {**hello, **info})

    async def send(self, method: str, params: Message | None = None, **meta: Any) -> str:
        """Send a request and return its id.

        Args:
            meta: More for `params._meta`.
        """
        request_id = f"spoken-{next(_IDS)}"
        whole = {**(envelope() if self.revision == SESSIONLESS_VERSION else {}), **meta}
        fields = {**(params or {}), **({"_meta": whole} if whole else {})}
        await self.server.send(
            {"jsonrpc": "2.0", "id": request_id, "method": method, "params": fields}
        )
        return request_id

    async def receive(self) -> Message:
        """Return the next message."""
        return await self.server.receive(within=20)

    async def answer(self, method: str, params: Message | None = None, **meta: Any) -> Message:
        """Send a request and return the message that answers it."""
        return await self.answer_to(await self.send(method, params, **meta))

    async def answer_to(self, request_id: str) -> Message:
        """Return the message that answers a request.

        Raises:
            AssertionError: Another request is answered instead.
        """
        while "id" not in (message := await self.receive()):
            self.notifications.append(message)
        assert message["id"] == request_id, message
        return message

    async def call(self, tool: str, arguments: Message | None = None, **meta: Any) -> Message:
        """Call a tool and return the message that answers."""
        return await self.answer("tools/call", {"name": tool, "arguments": arguments or {}}, **meta)
