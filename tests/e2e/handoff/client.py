"""A client that may have a person: it declares elicitation, or does not."""

from __future__ import annotations

from typing import Any

from tests.e2e.support.client import PROTOCOL_VERSION, Message, Reply
from tests.e2e.support.in_process import InProcessClient

SESSIONLESS_VERSION = "2026-07-28"


class PersonsClient(InProcessClient):
    """A client in this process that answers the questions of its server."""

    async def start(self, capabilities: Message, version: str = PROTOCOL_VERSION) -> None:
        """Initialize the session with these capabilities of the client."""
        info = {"name": "tests", "version": "0"}
        params = {"protocolVersion": version, "capabilities": capabilities, "clientInfo": info}
        await self.request("initialize", params)
        await self.notify("notifications/initialized")

    async def receive_question(self) -> Message:
        """Return the next request of the server."""
        question = await self.receive()
        assert question["method"] == "elicitation/create", question
        return question

    async def answer(self, question: Message, action: str, **content: Any) -> None:
        """Answer a request of the server, as the person does in the client."""
        result = {"action": action, **({"content": content} if content else {})}
        await self.send({"jsonrpc": "2.0", "id": question["id"], "result": result})

    async def call_without_session(self, tool: str, *, more: Message, **arguments: Any) -> Message:
        """Call a tool as a client of 2026-07-28 does, and return the result.

        Args:
            more: Further parameters of the request.
        """
        meta = {
            "io.modelcontextprotocol/protocolVersion": SESSIONLESS_VERSION,
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
        }
        params = {"name": tool, "arguments": arguments, "_meta": meta, **more}
        return await self.request("tools/call", params)


def read(result: Message) -> Reply:
    """Return the reply in the result of a call."""
    return Reply.of(result)
