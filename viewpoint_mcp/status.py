"""What a call does just now, in words: told by what does it, read by who tells the client."""

from __future__ import annotations

from contextvars import ContextVar


class Status:
    """The words of one call; empty until there are some.

    Attributes:
        is_told: Whether what runs tells the client of its progress itself.
    """

    def __init__(self) -> None:
        self.words = ""
        self.is_told = False


current: ContextVar[Status | None] = ContextVar("status", default=None)


def say(words: str) -> None:
    """Have the client of this call told, if it wants to hear of its progress. From any thread.

    Args:
        words: A sentence without its end.
    """
    if (status := current.get()) is not None:
        status.words = words
