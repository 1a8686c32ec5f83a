"""The stderr of Chromium: its last lines, and the debugging address that it contains."""

from __future__ import annotations

import re
from collections import deque

MAX_LINES = 60
MAX_LINE_LENGTH = 1000  # bytes
# The address may stand inside a line, because the processes of Chromium share the pipe.
_ADDRESS = re.compile(r"DevTools listening on (\S+)")


class StderrTail:
    """The last lines of a byte stream, limited in number and length.

    Args:
        max_lines: Maximum number of lines. Each is cut after `MAX_LINE_LENGTH` bytes.
    """

    def __init__(self, max_lines: int = MAX_LINES) -> None:
        self._lines: deque[str] = deque(maxlen=max_lines)
        self._unfinished = b""

    def add_and_find_address(self, data: bytes) -> str | None:
        """Add received bytes, and find the debugging address in them.

        Args:
            data: The next bytes of the stream, split at any position.

        Returns:
            The debugging address if these bytes complete a line with it, else None.
        """
        *lines, rest = (self._unfinished + data).split(b"\n")
        self._unfinished = rest[:MAX_LINE_LENGTH]
        address = None
        for line in lines:
            text = line[:MAX_LINE_LENGTH].decode(errors="replace").rstrip()
            if found := _ADDRESS.search(text):
                address = found[1]
            elif text:
                self._lines.append(text)
        return address

    def __str__(self) -> str:
        unfinished = self._unfinished.decode(errors="replace").rstrip()
        return "\n".join([*self._lines, unfinished] if unfinished else self._lines)
