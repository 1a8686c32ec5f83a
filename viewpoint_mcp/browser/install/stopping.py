"""Work in a thread that can be broken off: a cancelled call must not wait for a slow server."""

from __future__ import annotations

import asyncio
import contextvars
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")

_GRACE = 3.0  # seconds for a thread to notice


class Stopped(Exception):
    """The work was broken off, as was asked for."""


class Stop:
    """Asks the work of a thread to end, even while it waits for a socket."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._socket: socket.socket | None = None

    def ask(self) -> None:
        """Have the work end."""
        self._event.set()
        if self._socket is not None:
            with suppress(OSError):
                # Of the plain class: that of TLS would first talk to the other side.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def check(self) -> None:
        """End here if that was asked for.

        Raises:
            Stopped: It was.
        """
        if self._event.is_set():
            raise Stopped

    def pause(self, seconds: float) -> None:
        """Wait, but not after the work was asked to end.

        Raises:
            Stopped: It was.
        """
        if self._event.wait(seconds):
            raise Stopped

    def watch(self, opened: socket.socket) -> None:
        """Have a socket shut when the work is to end; it replaces the one before."""
        self._socket = opened
        self.check()


async def run(work: Callable[[], T], stop: Stop) -> T:
    """Run blocking work in a thread of its own; cancelled, it is asked to end and waited for.

    The thread never keeps the process from ending, as those of `asyncio.to_thread` do.

    Args:
        stop: What the work heeds.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()
    # Nobody may be there any more to hear of an error.
    done.add_done_callback(lambda each: each.cancelled() or each.exception())

    def body() -> None:
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - it is raised where the work was asked for
            _hand_over(loop, done.set_exception, error)
        else:
            _hand_over(loop, done.set_result, result)

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(body,), name="install", daemon=True).start()
    try:
        return await asyncio.shield(done)
    except asyncio.CancelledError:
        stop.ask()
        await asyncio.wait([done], timeout=_GRACE)
        raise


def _hand_over(loop: asyncio.AbstractEventLoop, settle: Callable[[T], None], value: T) -> None:
    # The loop is closed when nobody waits any more.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(settle, value)
