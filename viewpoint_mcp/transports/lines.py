"""A splitter of byte streams into lines, with a limit for the length of a line."""

from __future__ import annotations

from typing import Final, Literal

OVERLONG: Final = "overlong"
Line = bytes | Literal["overlong"]

_BLANK: Final = b" \t\r"  # The white space of JSON. Any other line gets an answer.


class LineSplitter:
    """Collects chunks of bytes and returns the lines that they complete.

    CR LF counts as a newline, and blank lines are dropped. When a line exceeds the limit, OVERLONG
    is returned in its place at once, and the rest of the line is skipped.

    Args:
        limit: Maximum length of a line in bytes, without its newline.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._start: list[bytes] = []
        self._held = 0
        self._skipping = False

    def feed(self, chunk: bytes) -> list[Line]:
        """Return the lines that end in a chunk, in order; OVERLONG for a line that is too long."""
        lines: list[Line] = []
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            self._hold(end, lines)
            lines.extend(self._finish())
        self._hold(rest, lines)
        return lines

    def end(self) -> list[Line]:
        """Return the last line if the stream ended without a newline, else an empty list."""
        return self._finish()

    def _hold(self, part: bytes, lines: list[Line]) -> None:
        if self._skipping or not part:
            return
        # Keep one byte more, because it may be the CR of a newline.
        if self._held + len(part) > self._limit + 1:
            self._start.clear()
            self._held = 0
            self._skipping = True
            lines.append(OVERLONG)
            return
        self._start.append(part)
        self._held += len(part)

    def _finish(self) -> list[Line]:
        line = b"".join(self._start).removesuffix(b"\r")
        skipped = self._skipping
        self._start.clear()
        self._held = 0
        self._skipping = False
        if len(line) > self._limit:
            return [OVERLONG]
        return [line] if line.strip(_BLANK) and not skipped else []
