"""The times in which a person acts in a browser context, and the server keeps little of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class PrivateTime:
    """Whether a person acts in a browser context now.

    The recorders of the context ask it: the consoles and request logs of its pages, its video and
    the trace of its client.

    Attributes:
        began_at: The begin of the last one, seconds of the event loop's clock.
    """

    def __init__(self) -> None:
        self.began_at = 0.0
        self._open_blocks = 0

    @property
    def is_now(self) -> bool:
        """Whether a person acts in the context now."""
        return self._open_blocks > 0

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Let the time last while the block runs. Blocks may overlap."""
        if not self._open_blocks:
            self.began_at = asyncio.get_running_loop().time()
        self._open_blocks += 1
        try:
            yield
        finally:
            self._open_blocks -= 1
