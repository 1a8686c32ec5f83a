"""Cuts a stream of bytes into lines, keeping no more of an endless one than its limit."""

from __future__ import annotations

from typing import Final, Literal

OVERLONG: Final = "overlong"
Line = bytes | Literal["overlong"]

_BLANK: Final = b" \t\r"  # as JSON means it: anything else is to be answered


class LineSplitter:
    """Takes chunks as they come and gives the lines they complete.

    CR LF counts as a newline and blank lines are dropped. A line over the limit is reported as
    OVERLONG at once, and skipped up to its newline without being kept.

    Args:
        limit: The longest line, in bytes, its newline not counted.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._start: list[bytes] = []
        self._held = 0
        self._skipping = False

    def feed(self, chunk: bytes) -> list[Line]:
        """The lines that end in this chunk, in their order."""
        lines: list[Line] = []
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            self._hold(end, lines)
            lines.extend(self._finish())
        self._hold(rest, lines)
        return lines

    def end(self) -> list[Line]:
        """The last line, when the stream ended without a newline."""
        return self._finish()

    def _hold(self, part: bytes, lines: list[Line]) -> None:
        if self._skipping or not part:
            return
        # One byte more is let in, for it may turn out to be the CR of a newline.
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
