"""The status of a tool call: a text about its current step.

A slow step sets the text with `say`. `server.progress` sends it to the client.
"""

from __future__ import annotations

from contextvars import ContextVar


class Status:
    """The status of one call.

    Attributes:
        words: The current text; "" until `say` is called.
        is_told: Whether the tool reports its progress itself, with `Caller.progress`.
    """

    def __init__(self) -> None:
        self.words = ""
        self.is_told = False


current: ContextVar[Status | None] = ContextVar("status", default=None)


def say(words: str) -> None:
    """Set the status of the current call. Does nothing if the client requested no progress.

    Safe to call from any thread.

    Args:
        words: A sentence without its final period.
    """
    if (status := current.get()) is not None:
        status.words = words
