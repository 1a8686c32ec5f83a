"""The client of one call: its capabilities, answers to questions, log and progress messages."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from viewpoint_mcp import status
from viewpoint_mcp.caller import (
    Caller,
    InputRequired,
    LogLevel,
    MissingCapability,
    Question,
)
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.rpc.dispatcher import Call
from viewpoint_mcp.rpc.errors import INVALID_REQUEST, RpcError
from viewpoint_mcp.rpc.messages import JsonObject
from viewpoint_mcp.server import modern, revisions
from viewpoint_mcp.server.rounds import Rounds
from viewpoint_mcp.server.sealing import Seal

LEVELS: Final[tuple[str, ...]] = typing.get_args(LogLevel)
"""The log levels of RFC 5424, least severe first."""


class Agreed(Struct):
    """State that one client and the server negotiated for their session.

    Args:
        protocol_version: The version that `initialize` negotiated; None before.
        capabilities: The client capabilities from `initialize`.
        log_level: Minimum level of the log messages that the client receives.
    """

    protocol_version: str | None = None
    capabilities: Mapping[str, Any] = msgspec.field(default_factory=dict)
    log_level: str = "info"


class Client(Caller):
    """The client that made a call; tools and prompts see it as a `Caller`.

    Args:
        call: The JSON-RPC call; carries notifications and requests to the client.
        method: The method of the request.
        params: The params of the request.
        version: The protocol version of the request.
        agreed: The negotiated state of the session. Requests since 2026-07-28 use the capabilities
            and the log level in their `_meta` instead.
        seal: Signs the state that the client keeps between two rounds of a call.

    Raises:
        RpcError: The answers in the request are malformed, or its `requestState` is not valid for
            this call.
    """

    def __init__(
        self,
        call: Call,
        method: str,
        params: JsonObject,
        version: str,
        agreed: Agreed,
        seal: Seal,
    ) -> None:
        self.agreed = agreed
        self.conversation = call.conversation
        self.version = version
        self._call = call
        meta = params.get("_meta")
        self._meta = meta if isinstance(meta, dict) else {}
        self._rounds = Rounds(method, params, seal) if version in modern.VERSIONS else None
        self.capabilities = (
            agreed.capabilities if self._rounds is None else modern.capabilities_of(self._meta)
        )

    @property
    def progress_token(self) -> str | int | None:
        """The progress token of the request; None if the client requested no progress."""
        token = self._meta.get("progressToken")
        return token if isinstance(token, str | int) and not isinstance(token, bool) else None

    def log(self, level: LogLevel, text: str) -> None:
        is_old = self._rounds is None
        wanted = self.agreed.log_level if is_old else modern.log_level_of(self._meta)
        if wanted in LEVELS and LEVELS.index(level) >= LEVELS.index(wanted):
            self._call.notify("notifications/message", {"level": level, "data": text})

    def progress(self, done: float, total: float | None = None, words: str = "") -> None:
        if (doing := status.current_status.get()) is not None:
            doing.is_reported_by_tool = True
        if (token := self.progress_token) is None:
            return
        told: JsonObject = {"progressToken": token, "progress": done}
        if total is not None:
            told["total"] = total
        if words:
            told["message"] = words
        fitted = revisions.fit("progress", told, self.version)
        self._call.notify("notifications/progress", fitted)

    async def ask(self, **questions: Question) -> JsonObject:
        self.require(*(question.capability for question in questions.values()))
        if self._rounds is not None:
            return self._rounds.answers(questions)
        return {name: await self._ask(question) for name, question in questions.items()}

    async def _ask(self, question: Question) -> Any:
        try:
            answer = await self._call.request(question.method, dict(question.params))
        except RpcError as error:
            sentence = f"The client refused {question.method}: {error.message}"
            raise CallError(sentence) from None
        if not question.is_answered_by(answer):
            raise CallError(f"What the client sent is no answer to {question.method}.")
        return answer

    def needs(self, needed: InputRequired) -> JsonObject:
        """Return the result that asks the client to repeat the call with answers."""
        assert self._rounds is not None
        return self._rounds.result(needed)

    def missing(self, error: MissingCapability) -> RpcError:
        """Return the error for a client that lacks a capability which the call needs."""
        if self._rounds is None:
            return RpcError(INVALID_REQUEST, str(error))
        needed: JsonObject = {"requiredCapabilities": {name: {} for name in error.capabilities}}
        return RpcError(modern.MISSING_CAPABILITY, str(error), needed)
