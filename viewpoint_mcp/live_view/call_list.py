"""The list of a client's latest tool calls, as a person sees it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final

from msgspec import Struct

_MAX_CALLS: Final = 50
_MAX_ARGUMENTS: Final = 200  # characters
_MAX_ERROR: Final = 300  # characters


class ListedCall(Struct):
    """One call.

    Args:
        number: Its number since the start of the session, from 1.
        name: The name of the tool.
        arguments: Its arguments, masked and shortened.
        started: Milliseconds since the epoch.
        seconds: The duration; None while the call runs.
        error: Why it failed, masked and shortened; "" if it did not.
    """

    number: int
    name: str
    arguments: str
    started: int
    seconds: float | None = None
    error: str = ""


class CallList:
    """The latest calls of one client.

    Attributes:
        on_change: Called after each change.
    """

    def __init__(self) -> None:
        self._calls: deque[ListedCall] = deque(maxlen=_MAX_CALLS)
        self._count = 0
        self.on_change: Callable[[], None] = lambda: None

    def begin(self, name: str, arguments: str) -> Callable[[str], None]:
        """Add a call that begins.

        Args:
            arguments: Its arguments, with secrets masked.

        Returns:
            A function that ends the call. Its argument is the masked error, or "".
        """
        self._count += 1
        call = ListedCall(
            self._count, name, _shorten(arguments, _MAX_ARGUMENTS), int(time.time() * 1000)
        )
        began = time.monotonic()
        self._calls.append(call)
        self.on_change()

        def end(error: str) -> None:
            call.seconds = round(time.monotonic() - began, 2)
            call.error = _shorten(error, _MAX_ERROR)
            self.on_change()

        return end

    def copy(self) -> list[ListedCall]:
        """Return the calls as they are now, the oldest first."""
        return [
            ListedCall(e.number, e.name, e.arguments, e.started, e.seconds, e.error)
            for e in self._calls
        ]


def _shorten(text: str, limit: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
