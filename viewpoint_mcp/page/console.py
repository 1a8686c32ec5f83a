"""What the page's scripts said and what went wrong in them, newest 1000 entries."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import orjson

from cdp_protocol import Session

KEPT = 1000
_LEVELS = {
    "error": "error",
    "assert": "error",
    "warning": "warning",
    "debug": "debug",
    "verbose": "debug",
}


@dataclass(frozen=True, slots=True)
class Message:
    """One entry. `level` is "error", "warning", "info" or "debug"; `line` counts from 0, as CDP
    does.
    """

    level: str
    text: str
    url: str = ""
    line: int = 0


class Console:
    """The page's console since the last navigation, errors and failed loads included."""

    def __init__(self) -> None:
        self.messages: deque[Message] = deque(maxlen=KEPT)
        self.errors = 0
        self.warnings = 0

    def subscribe(self, session: Session) -> None:
        """Source: CDP `Runtime.consoleAPICalled`, `Runtime.exceptionThrown`, `Log.entryAdded`."""
        session.on("Runtime.consoleAPICalled", self._called)
        session.on("Runtime.exceptionThrown", self._thrown)
        session.on("Log.entryAdded", self._logged)

    def clear(self) -> None:
        """Begin anew, as for a new document."""
        self.messages.clear()
        self.errors = self.warnings = 0

    def take_counts(self) -> tuple[int, int]:
        """Return how many errors and warnings came since this was last asked."""
        counts = self.errors, self.warnings
        self.errors = self.warnings = 0
        return counts

    def _add(self, message: Message) -> None:
        self.messages.append(message)
        self.errors += message.level == "error"
        self.warnings += message.level == "warning"

    def _called(self, event: dict[str, Any]) -> None:
        text = " ".join(_argument(argument) for argument in event["args"])
        frames = event.get("stackTrace", {}).get("callFrames") or [{}]
        url, line = frames[0].get("url", ""), frames[0].get("lineNumber", 0)
        self._add(Message(_LEVELS.get(event["type"], "info"), text, url, line))

    def _thrown(self, event: dict[str, Any]) -> None:
        details = event["exceptionDetails"]
        exception = details.get("exception", {})
        text = exception.get("description") or details["text"]
        if "value" in exception:  # thrown, but no Error
            text = f"{text} {_argument(exception)}"
        self._add(Message("error", text, details.get("url", ""), details["lineNumber"]))

    def _logged(self, event: dict[str, Any]) -> None:
        entry = event["entry"]
        level = _LEVELS.get(entry["level"], "info")
        self._add(Message(level, entry["text"], entry.get("url", ""), entry.get("lineNumber", 0)))


def _argument(argument: dict[str, Any]) -> str:
    if "value" in argument:
        value = argument["value"]
        return value if isinstance(value, str) else orjson.dumps(value).decode()
    return str(
        argument.get("description") or argument.get("unserializableValue") or argument["type"]
    )
