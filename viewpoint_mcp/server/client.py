"""The client of one call: its capabilities, answers to questions, log and progress messages."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from viewpoint_mcp import call_status
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
from viewpoint_mcp.rpc.messages import JsonObject, Notification, RequestId
from viewpoint_mcp.server import fields_by_protocol_version, sessionless_protocol
from viewpoint_mcp.server.input_rounds import InputRounds
from viewpoint_mcp.server.request_state_signer import RequestStateSigner

LOG_LEVELS: Final[tuple[str, ...]] = typing.get_args(LogLevel)
"""The log levels of RFC 5424, least severe first."""


class SessionState(Struct):
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
        session_state: The negotiated state of the session. Requests since 2026-07-28 use the
            capabilities and the log level in their `_meta` instead.
        signer: Signs the state that the client keeps between two rounds of a call.

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
        session_state: SessionState,
        signer: RequestStateSigner,
    ) -> None:
        self.session_state = session_state
        self.conversation = call.conversation
        self.version = version
        self._call = call
        meta = params.get("_meta")
        self._meta = meta if isinstance(meta, dict) else {}
        self._input_rounds = (
            InputRounds(method, params, signer)
            if version in sessionless_protocol.SESSIONLESS_VERSIONS
            else None
        )
        self.capabilities = (
            session_state.capabilities
            if self._input_rounds is None
            else sessionless_protocol.read_client_capabilities(self._meta)
        )

    @property
    def progress_token(self) -> str | int | None:
        """The progress token of the request; None if the client requested no progress."""
        token = self._meta.get("progressToken")
        return token if isinstance(token, str | int) and not isinstance(token, bool) else None

    def log(self, level: LogLevel, text: str) -> None:
        has_session = self._input_rounds is None
        minimum = (
            self.session_state.log_level
            if has_session
            else sessionless_protocol.read_log_level(self._meta)
        )
        if minimum in LOG_LEVELS and LOG_LEVELS.index(level) >= LOG_LEVELS.index(minimum):
            self._call.send_notification("notifications/message", {"level": level, "data": text})

    def progress(self, done: float, total: float | None = None, words: str = "") -> None:
        if (current_status := call_status.current_call_status.get()) is not None:
            current_status.is_reported_by_tool = True
        if (token := self.progress_token) is None:
            return
        params: JsonObject = {"progressToken": token, "progress": done}
        if total is not None:
            params["total"] = total
        if words:
            params["message"] = words
        params = fields_by_protocol_version.remove_newer_fields("progress", params, self.version)
        self._call.send_notification("notifications/progress", params)

    async def ask(self, **questions: Question) -> JsonObject:
        self.require(*(question.capability for question in questions.values()))
        if self._input_rounds is not None:
            return self._input_rounds.collect_answers(questions)
        return {name: await self._send_question(question) for name, question in questions.items()}

    async def _send_question(self, question: Question) -> Any:
        try:
            answer = await self._call.send_request(
                question.method, dict(question.params), make_cancellation=_make_cancellation
            )
        except RpcError as error:
            sentence = f"The client refused {question.method}: {error.message}"
            raise CallError(sentence) from None
        if not question.is_answered_by(answer):
            raise CallError(f"The client sent an invalid answer to {question.method}.")
        return answer

    def make_input_required_result(self, error: InputRequired) -> JsonObject:
        """Return the result that asks the client to repeat the call with answers."""
        assert self._input_rounds is not None
        return self._input_rounds.make_input_required_result(error)

    def make_missing_capability_error(self, error: MissingCapability) -> RpcError:
        """Return the error for a client that lacks a capability which the call needs."""
        if self._input_rounds is None:
            return RpcError(INVALID_REQUEST, str(error))
        data: JsonObject = {"requiredCapabilities": {name: {} for name in error.capabilities}}
        return RpcError(sessionless_protocol.MISSING_CAPABILITY, str(error), data)


def _make_cancellation(request_id: RequestId) -> Notification:
    params: JsonObject = {"requestId": request_id, "reason": "The answer is no longer needed."}
    return Notification("notifications/cancelled", params)
