"""Multi round-trip requests of the versions since 2026-07-28.

The result of a call that needs input contains questions. The client repeats the call with the
answers. The server keeps no state between two rounds: earlier answers travel in the signed
`requestState`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from viewpoint_mcp.caller import InputRequired, Question
from viewpoint_mcp.rpc.errors import INVALID_PARAMS, RpcError
from viewpoint_mcp.rpc.messages import JsonObject
from viewpoint_mcp.server.sealing import Seal

INPUT_REQUIRED = "input_required"


class Rounds:
    """The answers that a request contains, from this round and from earlier rounds.

    Args:
        method: The method of the request.
        params: The params of the request, with `inputResponses` and `requestState` if present.
        seal: Signs and verifies the state.

    Raises:
        RpcError: The answers are not an object, or the state is not valid for this call.
    """

    def __init__(self, method: str, params: Mapping[str, Any], seal: Seal) -> None:
        self._method = method
        self._params = params
        self._seal = seal
        self._given = params.get("inputResponses", {})
        if not isinstance(self._given, dict):
            raise RpcError(INVALID_PARAMS, "inputResponses must be an object of answers.")
        state = params.get("requestState")
        self._known: JsonObject = {} if state is None else seal.open(state, self._about())

    def answers(self, questions: Mapping[str, Question]) -> JsonObject:
        """Return the answers to the questions, by the names of the questions.

        Raises:
            InputRequired: Answers are missing or malformed. It lists their questions.
        """
        for name, question in questions.items():
            if name not in self._known and question.is_answered_by(self._given.get(name)):
                self._known[name] = self._given[name]
        if unanswered := {name: q for name, q in questions.items() if name not in self._known}:
            raise InputRequired(unanswered)
        return {name: self._known[name] for name in questions}

    def result(self, needed: InputRequired) -> JsonObject:
        """Return the result that asks the client for answers, with the signed state."""
        return {
            "resultType": INPUT_REQUIRED,
            "inputRequests": {
                name: {"method": question.method, "params": dict(question.params)}
                for name, question in needed.questions.items()
            },
            "requestState": self._seal.close(self._known, self._about()),
        }

    def _about(self) -> bytes:
        """Return the identity of the call, so that its answers cannot be used for another call."""
        which = [self._method, self._params.get("name"), self._params.get("arguments") or {}]
        return orjson.dumps(which, option=orjson.OPT_SORT_KEYS)
