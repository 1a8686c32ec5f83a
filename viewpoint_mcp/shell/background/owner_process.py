"""The process whose end also ends the server."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cdp_protocol.launching.profile_lock import is_process_alive

_CHECK_INTERVAL = 1.0  # seconds


@contextmanager
def end_with_process(pid: int | None, end: Callable[[], object]) -> Iterator[None]:
    """Call `end` when a process ends within the block.

    Args:
        pid: The process; None for none.

    Raises:
        ProcessLookupError: The process has ended.

    Source: pidfd_open(2)
    """
    if pid is None:
        yield
        return
    if sys.platform == "linux":
        loop = asyncio.get_running_loop()
        descriptor = os.pidfd_open(pid)  # It also shows the end of a process that became a zombie.
        loop.add_reader(descriptor, end)
        try:
            yield
        finally:
            loop.remove_reader(descriptor)
            os.close(descriptor)
    else:
        watch = asyncio.create_task(_watch(pid, end))
        try:
            yield
        finally:
            watch.cancel()


async def _watch(pid: int, end: Callable[[], object]) -> None:
    while is_process_alive(pid):  # noqa: ASYNC110 - no event
        await asyncio.sleep(_CHECK_INTERVAL)
    end()
