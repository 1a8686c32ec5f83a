"""The temporary storage of a trace: the newest data, up to a limit.

The files have no names where the system allows it, so that a killed server leaves none behind.
"""

from __future__ import annotations

import tempfile
import threading
from collections import deque
from typing import IO, Final, NamedTuple

MAX_BYTES: Final = 48_000_000
"""Maximum bytes of a store, approximately. The oldest are dropped first."""

_SEGMENT_BYTES: Final = 4_000_000


class Blob(NamedTuple):
    """The place of stored data."""

    segment: int
    offset: int
    length: int


class TraceStore:
    """Stores data in temporary files. Threads may use it at the same time.

    Args:
        max_bytes: The maximum size, approximately.
        segment_bytes: The size after which the next file begins. The oldest file is dropped as a
            whole.
    """

    def __init__(self, max_bytes: int = MAX_BYTES, segment_bytes: int = _SEGMENT_BYTES) -> None:
        self._max_segments = max(1, max_bytes // segment_bytes)
        self._segment_bytes = segment_bytes
        self._segments: deque[IO[bytes]] = deque()
        self._first = 0  # the number of the oldest segment that is kept
        self._end = 0  # the length of the newest segment
        self._lock = threading.Lock()
        self._is_closed = False

    def append(self, data: bytes) -> Blob:
        """Store data, and return its place. A closed store keeps nothing.

        Raises:
            OSError: The temporary file cannot be written.
        """
        with self._lock:
            if self._is_closed:
                return Blob(-1, 0, 0)
            if not self._segments or self._end >= self._segment_bytes:
                self._begin_segment()
            newest = self._segments[-1]
            newest.seek(self._end)
            newest.write(data)
            blob = Blob(self._first + len(self._segments) - 1, self._end, len(data))
            self._end += len(data)
            return blob

    def read(self, blob: Blob) -> bytes | None:
        """Return stored data; None if it was dropped.

        Raises:
            OSError: The temporary file cannot be read.
        """
        with self._lock:
            index = blob.segment - self._first
            if not 0 <= index < len(self._segments):
                return None
            self._segments[index].seek(blob.offset)
            return self._segments[index].read(blob.length)

    def close(self) -> None:
        """Delete all data. Idempotent."""
        with self._lock:
            self._is_closed = True
            while self._segments:
                self._drop_oldest()

    def _begin_segment(self) -> None:
        self._segments.append(tempfile.TemporaryFile(buffering=0))  # noqa: SIM115 - `close` does it
        self._end = 0
        while len(self._segments) > self._max_segments:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        self._segments.popleft().close()
        self._first += 1
