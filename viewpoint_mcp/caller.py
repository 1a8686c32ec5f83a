"""The caller of a tool: its capabilities, questions to it, log messages and progress.

Tools use this interface only. The server implements it for MCP clients in `server.client`.

A question has two forms on the wire. In protocol versions before 2026-07-28, the server sends a
request and waits for the response. Since 2026-07-28, the server returns the questions as the
result, and the client repeats the call with the answers. `Caller.ask` hides the difference. A tool
must ask before it changes anything, because the repeated call runs it from its beginning.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from viewpoint_mcp import call_status

log = logging.getLogger(__name__)

LogLevel = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]

_CAPABILITY_OF_METHOD: Mapping[str, str] = MappingProxyType(
    {
        "elicitation/create": "elicitation",
        "sampling/createMessage": "sampling",
        "roots/list": "roots",
    }
)
# The required field of each answer and its type.
_REQUIRED_ANSWER_FIELDS: Mapping[str, tuple[str, type]] = MappingProxyType(
    {
        "elicitation/create": ("action", str),
        "sampling/createMessage": ("content", object),
        "roots/list": ("roots", list),
    }
)


class Question(Struct, frozen=True):
    """A question to the client. Create it with `elicit`, `sample` or `list_roots`.

    Args:
        method: The MCP method of the request.
        params: The parameters of the request.
    """

    method: str
    params: Mapping[str, Any] = msgspec.field(default_factory=dict)

    @property
    def capability(self) -> str:
        """The client capability that the question requires."""
        return _CAPABILITY_OF_METHOD[self.method]

    def is_answered_by(self, answer: object) -> bool:
        """Return whether `answer` has the form of an answer to this question."""
        name, kind = _REQUIRED_ANSWER_FIELDS[self.method]
        return isinstance(answer, dict) and isinstance(answer.get(name), kind) and name in answer


def elicit(message: str, schema: Mapping[str, Any]) -> Question:
    """Return a question to the user.

    Args:
        message: The text for the user.
        schema: JSON Schema of the answer: an object of primitive values.

    Returns:
        The question. Its answer has `action` ("accept", "decline" or "cancel") and, if accepted,
        `content`.
    """
    return Question("elicitation/create", {"message": message, "requestedSchema": dict(schema)})


def sample(prompt: str, *, max_tokens: int) -> Question:
    """Return a question to the client's model. Its answer has `role`, `content` and `model`."""
    message = {"role": "user", "content": {"type": "text", "text": prompt}}
    return Question("sampling/createMessage", {"messages": [message], "maxTokens": max_tokens})


def list_roots() -> Question:
    """Return a question about the directories that the client works in. Its answer has `roots`."""
    return Question("roots/list")


MAIN_READER: Final = "MCP client"
"""The reader of all replies to the client of a session."""


class ClientInputError(Exception):
    """The call cannot continue without input from the client.

    The server translates this exception for the client. Tools must not catch it.
    """


class InputRequired(ClientInputError):
    """The client must answer the questions and repeat the call.

    Args:
        questions: The open questions by name.
    """

    def __init__(self, questions: Mapping[str, Question]) -> None:
        super().__init__(f"The client must answer: {', '.join(questions)}.")
        self.questions = questions


class MissingCapability(ClientInputError):
    """The client does not declare capabilities that the call requires.

    Args:
        capabilities: The missing capabilities.
    """

    def __init__(self, *capabilities: str) -> None:
        super().__init__(f"The client does not declare the capability {', '.join(capabilities)}.")
        self.capabilities = capabilities


class Caller:
    """The caller of a tool. This base class represents a caller within this process.

    It has no capabilities, so `ask` always fails. Log messages go to the server's log.

    Attributes:
        capabilities: The capabilities that the client declares: "elicitation", "sampling", "roots".
        reader: The reader of the reply. A reply shows what has changed since its reader last saw
            the page, and readers of one session see different replies.
    """

    reader = MAIN_READER

    capabilities: Mapping[str, Any] = MappingProxyType({})

    @property
    def shows_forms(self) -> bool:
        """Whether the client shows the questions of `elicit` to the person."""
        declared = self.capabilities.get("elicitation")
        # A client that declares no mode shows forms.
        return isinstance(declared, dict) and ("form" in declared or "url" not in declared)

    def require(self, *capabilities: str) -> None:
        """Check that the client declares all these capabilities.

        Raises:
            MissingCapability: The client does not declare all of them.
        """
        if missing := [each for each in capabilities if each not in self.capabilities]:
            raise MissingCapability(*missing)

    async def ask(self, **questions: Question) -> dict[str, Any]:
        """Ask the client, and return its answers by the names of the questions.

        The call may end here and start again with the answers. The code before an `ask` then runs
        again. Each question of a tool needs a unique name.

        Raises:
            MissingCapability: The client does not support such questions.
            CallError: The client responded with an error, or not with an answer to the question.
            InputRequired: The client must repeat the call with the answers.
        """
        self.require(*(question.capability for question in questions.values()))
        raise InputRequired(questions)

    def log(self, level: LogLevel, text: str) -> None:
        """Send a log message to the client, if the client requested this level."""
        log.info("Message from a tool: %s", text)

    def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        """Report the progress of the tool call, if the client requested it.

        Args:
            done: The progress so far. It must increase with each report.
            total: The value of `done` at the end; None if unknown.
            message: A phrase about the current step.
        """
        call_status.set_call_status(message)


_current: ContextVar[Caller | None] = ContextVar("caller", default=None)


def caller() -> Caller:
    """Return the caller of the current tool call; a plain `Caller` outside of a call."""
    return _current.get() or Caller()


def set_caller(new_caller: Caller) -> None:
    """Make `caller` return `new_caller` in the current task and in the tasks that it starts."""
    _current.set(new_caller)
