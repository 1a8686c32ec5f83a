"""A splitter of byte streams into lines, with a limit for the length of a line."""

from __future__ import annotations

from typing import Final, Literal

OVERLONG: Final = "overlong"
Line = bytes | Literal["overlong"]

_JSON_WHITE_SPACE: Final = b" \t\r"  # Lines with other characters get a response.


class LineSplitter:
    """Collects chunks of bytes and returns the lines that they complete.

    CR LF counts as a newline, and blank lines are dropped. When a line exceeds the limit, OVERLONG
    is returned in its place at once, and the rest of the line is skipped.

    Args:
        limit: Maximum length of a line in bytes, without its newline.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._length = 0
        self._is_skipping = False

    def feed(self, chunk: bytes) -> list[Line]:
        """Return the lines that end in a chunk, in order; OVERLONG for a line that is too long."""
        lines: list[Line] = []
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            self._append_part(end, lines)
            lines.extend(self._end_line())
        self._append_part(rest, lines)
        return lines

    def finish(self) -> list[Line]:
        """Return the last line if the stream ended without a newline, else an empty list."""
        return self._end_line()

    def _append_part(self, part: bytes, lines: list[Line]) -> None:
        if self._is_skipping or not part:
            return
        # Keep one byte more, because it may be the CR of a newline.
        if self._length + len(part) > self._limit + 1:
            self._parts.clear()
            self._length = 0
            self._is_skipping = True
            lines.append(OVERLONG)
            return
        self._parts.append(part)
        self._length += len(part)

    def _end_line(self) -> list[Line]:
        line = b"".join(self._parts).removesuffix(b"\r")
        was_skipping = self._is_skipping
        self._parts.clear()
        self._length = 0
        self._is_skipping = False
        if len(line) > self._limit:
            return [OVERLONG]
        return [line] if line.strip(_JSON_WHITE_SPACE) and not was_skipping else []
