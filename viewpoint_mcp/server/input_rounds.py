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
from viewpoint_mcp.server.request_state_signer import RequestStateSigner

INPUT_REQUIRED = "input_required"


class InputRounds:
    """The answers that a request contains, from this round and from earlier rounds.

    Args:
        method: The method of the request.
        params: The params of the request, with `inputResponses` and `requestState` if present.
        signer: Signs and verifies the state.

    Raises:
        RpcError: The answers are not an object, or the state is not valid for this call.
    """

    def __init__(self, method: str, params: Mapping[str, Any], signer: RequestStateSigner) -> None:
        self._method = method
        self._params = params
        self._signer = signer
        self._new_answers = params.get("inputResponses", {})
        if not isinstance(self._new_answers, dict):
            raise RpcError(INVALID_PARAMS, "inputResponses must be an object of answers.")
        state = params.get("requestState")
        self._answers: JsonObject = (
            {} if state is None else signer.verify(state, self._identify_call())
        )

    def collect_answers(self, questions: Mapping[str, Question]) -> JsonObject:
        """Return the answers to the questions, by the names of the questions.

        Raises:
            InputRequired: Answers are missing or malformed. It lists their questions.
        """
        for name, question in questions.items():
            if name not in self._answers and question.is_answered_by(self._new_answers.get(name)):
                self._answers[name] = self._new_answers[name]
        if unanswered := {name: q for name, q in questions.items() if name not in self._answers}:
            raise InputRequired(unanswered)
        return {name: self._answers[name] for name in questions}

    def make_input_required_result(self, error: InputRequired) -> JsonObject:
        """Return the result that asks the client for answers, with the signed state."""
        return {
            "resultType": INPUT_REQUIRED,
            "inputRequests": {
                name: {"method": question.method, "params": dict(question.params)}
                for name, question in error.questions.items()
            },
            "requestState": self._signer.sign(self._answers, self._identify_call()),
        }

    def _identify_call(self) -> bytes:
        """Return the identity of the call, so that its answers cannot be used for another call."""
        identity = [self._method, self._params.get("name"), self._params.get("arguments") or {}]
        return orjson.dumps(identity, option=orjson.OPT_SORT_KEYS)
