"""The times of a video: those of the clock, with time inserted for what the clock does not have."""

from __future__ import annotations


class Timeline:
    """Maps times of a clock to times of a video.

    A chapter card, or the mark of an action, stops the video for a while. Nothing waits for it:
    the time is inserted into the video.

    Args:
        started_at: The start of the video, in seconds of the clock.
    """

    def __init__(self, started_at: float) -> None:
        self._started_at = started_at
        self._inserted = 0
        self._last = -1

    def place_frame(self, now: float, delay: float = 0) -> int:
        """Return the time of the next frame, which is later than that of the last one.

        Args:
            now: Seconds of the clock.
            delay: Milliseconds after it.

        Returns:
            Milliseconds from the start of the video.
        """
        time = round((now - self._started_at) * 1000 + delay) + self._inserted
        self._last = max(time, self._last + 1)
        return self._last

    def insert(self, duration: int) -> None:
        """Move all later frames back.

        Args:
            duration: Milliseconds.
        """
        self._inserted += duration


class KeyFrames:
    """Decides which frames are key frames: a player can seek to them, but they are large."""

    _INTERVAL = 5_000  # ms between two key frames while the picture changes
    _LONGEST_INTERVAL = 20_000  # ms

    def __init__(self) -> None:
        self._last: int | None = None

    def is_due(self, time: int, *, has_changed: bool) -> bool:
        """Return whether the frame must be a key frame.

        Args:
            time: Milliseconds from the start of the video.
            has_changed: Whether the frame differs from the one before.
        """
        interval = self._INTERVAL if has_changed else self._LONGEST_INTERVAL
        if self._last is not None and time - self._last < interval:
            return False
        self._last = time
        return True
