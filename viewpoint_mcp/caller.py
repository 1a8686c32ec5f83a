"""Who calls a tool, and what the tool may ask and tell it. The server knows the client; a tool only
this.

What a client is asked has two forms on the wire. Before 2026-07-28 the server sends a request and
waits; since then it answers that it needs something, and the client calls again with the answers.
`Caller.ask` hides which it is, so a tool that asks must be one that may begin again: it asks before
it acts.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, Literal

import msgspec
from msgspec import Struct

from viewpoint_mcp import status

log = logging.getLogger(__name__)

LogLevel = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]

_CAPABILITIES: Mapping[str, str] = MappingProxyType(
    {
        "elicitation/create": "elicitation",
        "sampling/createMessage": "sampling",
        "roots/list": "roots",
    }
)
# What each answer has at least.
_ANSWERS: Mapping[str, tuple[str, type]] = MappingProxyType(
    {
        "elicitation/create": ("action", str),
        "sampling/createMessage": ("content", object),
        "roots/list": ("roots", list),
    }
)


class Question(Struct, frozen=True):
    """Something to ask a client. Made by `elicit`, `sample` and `list_roots`."""

    method: str
    params: Mapping[str, Any] = msgspec.field(default_factory=dict)

    @property
    def capability(self) -> str:
        """What a client must be able to do for this."""
        return _CAPABILITIES[self.method]

    def is_answered_by(self, answer: object) -> bool:
        """Whether this has the form of an answer to it."""
        name, kind = _ANSWERS[self.method]
        return isinstance(answer, dict) and isinstance(answer.get(name), kind) and name in answer


def elicit(message: str, schema: Mapping[str, Any]) -> Question:
    """Ask the user.

    Args:
        schema: JSON Schema of the answer: an object of primitive values.

    Returns:
        A question; its answer has `action` ("accept", "decline" or "cancel") and, when accepted,
        `content`.
    """
    return Question("elicitation/create", {"message": message, "requestedSchema": dict(schema)})


def sample(prompt: str, *, max_tokens: int) -> Question:
    """Ask the client's model; its answer has `role`, `content` and `model`."""
    message = {"role": "user", "content": {"type": "text", "text": prompt}}
    return Question("sampling/createMessage", {"messages": [message], "maxTokens": max_tokens})


def list_roots() -> Question:
    """Ask which directories the client works in; its answer has `roots`."""
    return Question("roots/list")


class Unanswered(Exception):
    """A call cannot go on without its client. The server tells the client; no tool catches it."""


class InputRequired(Unanswered):
    """The client is to answer these and call again."""

    def __init__(self, questions: Mapping[str, Question]) -> None:
        super().__init__(f"Answers are needed: {', '.join(questions)}.")
        self.questions = questions


class MissingCapability(Unanswered):
    """The client cannot do what the call needs of it."""

    def __init__(self, *capabilities: str) -> None:
        super().__init__(f"The client of this call declares no {', '.join(capabilities)}.")
        self.capabilities = capabilities


class Caller:
    """Whoever calls in this process: hears nothing and can be asked nothing.

    Attributes:
        capabilities: What the client says that it can do: "elicitation", "sampling", "roots".
    """

    capabilities: Mapping[str, Any] = MappingProxyType({})

    def require(self, *capabilities: str) -> None:
        """Go on only with a client that can do this.

        Raises:
            MissingCapability: It cannot.
        """
        if missing := [each for each in capabilities if each not in self.capabilities]:
            raise MissingCapability(*missing)

    async def ask(self, **questions: Question) -> dict[str, Any]:
        """Ask the client, and return its answers by the names of the questions.

        The call may end here and begin anew with the answers: what is done before an `ask` is done
        again. Each question of a tool needs a name of its own.

        Raises:
            MissingCapability: The client cannot be asked this.
            CallError: It answered with an error.
        """
        self.require(*(question.capability for question in questions.values()))
        raise InputRequired(questions)

    def log(self, level: LogLevel, text: str) -> None:
        """Tell the client something, if it wants to hear of this level."""
        log.info("A tool says: %s", text)

    def progress(self, done: float, total: float | None = None, words: str = "") -> None:
        """Tell the client how far the call is, if it wants to know.

        Args:
            done: Grows from call to call.
            total: What it will be in the end; None if nobody knows.
        """
        status.say(words)


_current: ContextVar[Caller | None] = ContextVar("caller", default=None)


def caller() -> Caller:
    """Return who makes the call that runs here."""
    return _current.get() or Caller()


def set_caller(by: Caller) -> None:
    """Have `caller` return this in the task that runs here and those it starts."""
    _current.set(by)
