"""What Chromium says on its stderr: the last lines of it, and the debugging address among them."""

from __future__ import annotations

import re
from collections import deque

LINES = 60
LINE_LENGTH = 1000
# Not always at the start of a line: Chromium's processes share the pipe.
_ADDRESS = re.compile(r"DevTools listening on (\S+)")


class StderrTail:
    """A bounded tail of lines, fed with bytes as they come.

    Args:
        lines: How many lines are kept; of each, `LINE_LENGTH` characters.
    """

    def __init__(self, lines: int = LINES) -> None:
        self._lines: deque[str] = deque(maxlen=lines)
        self._unfinished = b""

    def feed(self, data: bytes) -> str | None:
        """Take what was read; return the debugging address when it is named in there.

        Args:
            data: Bytes as they were read, cut anywhere.
        """
        *lines, rest = (self._unfinished + data).split(b"\n")
        self._unfinished = rest[:LINE_LENGTH]
        address = None
        for line in lines:
            text = line[:LINE_LENGTH].decode(errors="replace").rstrip()
            if found := _ADDRESS.search(text):
                address = found[1]
            elif text:
                self._lines.append(text)
        return address

    def __str__(self) -> str:
        unfinished = self._unfinished.decode(errors="replace").rstrip()
        return "\n".join([*self._lines, unfinished] if unfinished else self._lines)
