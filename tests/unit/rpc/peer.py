"""A peer that sends bytes to a conversation and waits for the messages that it receives."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import orjson

from viewpoint_mcp.rpc.dispatcher import Call, Conversation, Dispatcher
from viewpoint_mcp.rpc.errors import METHOD_NOT_FOUND, RpcError
from viewpoint_mcp.rpc.messages import Params


class Peer:
    """Opens one conversation with a small server and records the messages that it receives."""

    def __init__(self) -> None:
        self.sent: asyncio.Queue[bytes] = asyncio.Queue()
        self.service = Service()
        self.conversation = Dispatcher(self.service.open).open(self.sent.put_nowait)

    def send(self, message: Any) -> None:
        raw = message if isinstance(message, bytes) else orjson.dumps(message)
        self.conversation.receive(raw)

    def ask(self, method: str, request_id: Any, params: Any = None) -> None:
        self.send({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    async def receive(self) -> Any:
        async with asyncio.timeout(5):
            return orjson.loads(await self.sent.get())


class Service:
    """Methods that a test can hold open (`wait`) and release (`open_gate`)."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.begun = asyncio.Event()
        self.ended: list[str] = []
        self.late_call: Call | None = None

    def open(self, conversation: Conversation) -> Served:
        return Served(self, conversation)

    async def serve(
        self, conversation: Conversation, method: str, params: Params, call: Call
    ) -> Any:
        match method:
            case "echo":
                return params
            case "wait":
                return await self._wait(call)
            case "stubborn":
                return await self._refuse_to_stop()
            case "progress":
                call.send_notification("progress", {"done": 1})
                self.late_call = call
            case "cancel" if isinstance(params, dict):
                conversation.cancel(params["id"])
            case "bug":
                raise ZeroDivisionError("a bug of ours")
            case "stray":
                raise asyncio.CancelledError
            case "unwritable":
                return object()
            case _:
                raise RpcError(METHOD_NOT_FOUND, f"No {method}.", {"tried": method})
        return None

    async def _wait(self, call: Call) -> str:
        self.begun.set()
        try:
            await self.gate.wait()
        finally:
            self.ended.append("wait")
            self.late_call = call
        return "waited"

    async def _refuse_to_stop(self) -> str:
        self.begun.set()
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.ended.append("stubborn")
        return "an answer that nobody wants"


@dataclass
class Served:
    """Passes the messages of one peer to the service."""

    service: Service
    conversation: Conversation

    async def handle(self, method: str, params: Params, call: Call) -> Any:
        return await self.service.serve(self.conversation, method, params, call)

    async def close(self) -> None:
        self.service.ended.append("conversation")
