"""Calls that are made again with answers, since 2026-07-28: "multi round-trip requests".

The server keeps nothing between two rounds. The client gives back what it was given, sealed.
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
    """The answers that a call brings: its own, and sealed those of the rounds before.

    Args:
        method: Of the request.
        params: Of the request.

    Raises:
        RpcError: The answers are no object, or the state is not ours.
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
        """Return the answers to these questions.

        Raises:
            InputRequired: Some have none, or none that has the form of one.
        """
        for name, question in questions.items():
            if name not in self._known and question.is_answered_by(self._given.get(name)):
                self._known[name] = self._given[name]
        if unanswered := {name: q for name, q in questions.items() if name not in self._known}:
            raise InputRequired(unanswered)
        return {name: self._known[name] for name in questions}

    def result(self, needed: InputRequired) -> JsonObject:
        """Return the result that asks the client for these."""
        return {
            "resultType": INPUT_REQUIRED,
            "inputRequests": {
                name: {"method": question.method, "params": dict(question.params)}
                for name, question in needed.questions.items()
            },
            "requestState": self._seal.close(self._known, self._about()),
        }

    def _about(self) -> bytes:
        """Which call this is: answers that were given for one are not used for another."""
        which = [self._method, self._params.get("name"), self._params.get("arguments") or {}]
        return orjson.dumps(which, option=orjson.OPT_SORT_KEYS)
