"""The status of a tool call: a text about its current step.

A slow step sets the text with `set_call_status`. `server.progress` sends it to the client.
"""

from __future__ import annotations

from contextvars import ContextVar


class CallStatus:
    """The status of one call.

    Attributes:
        text: The current text; "" until `set_call_status` is called.
        is_reported_by_tool: Whether the tool reports its progress itself, with `Caller.progress`.
    """

    def __init__(self) -> None:
        self.text = ""
        self.is_reported_by_tool = False


current_call_status: ContextVar[CallStatus | None] = ContextVar("status", default=None)


def set_call_status(text: str) -> None:
    """Set the status of the current call. Does nothing if the client requested no progress.

    Safe to call from any thread.

    Args:
        text: A sentence without its final period.
    """
    if (status := current_call_status.get()) is not None:
        status.text = text
