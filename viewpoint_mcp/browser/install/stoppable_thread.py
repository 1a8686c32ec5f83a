"""Cancellable work in a thread, so that a cancelled call does not wait for a slow server."""

from __future__ import annotations

import asyncio
import contextvars
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")

_GRACE = 3.0  # seconds for a thread to end after it was asked to


class StoppedError(Exception):
    """The work was cancelled."""


class StopFlag:
    """Cancellation flag for work in a thread, effective even while it waits for a socket."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._socket: socket.socket | None = None

    def request_stop(self) -> None:
        """Request the end of the work. Shuts down the watched socket."""
        self._event.set()
        if self._socket is not None:
            with suppress(OSError):
                # Call the plain socket's method; that of a TLS socket discards its TLS state first.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def raise_if_stopped(self) -> None:
        """Raise `StoppedError` if the end was requested.

        Raises:
            StoppedError: The end was requested.
        """
        if self._event.is_set():
            raise StoppedError

    def sleep(self, seconds: float) -> None:
        """Sleep, but no longer than until the end is requested.

        Raises:
            StoppedError: The end was requested.
        """
        if self._event.wait(seconds):
            raise StoppedError

    def watch_socket(self, opened: socket.socket) -> None:
        """Register the socket to shut down on cancellation, in place of the previous one.

        Raises:
            StoppedError: The end was requested.
        """
        self._socket = opened
        self.raise_if_stopped()


async def run_in_thread(work: Callable[[], T], stop: StopFlag) -> T:
    """Run blocking work in a new thread.

    If cancelled, ask the work to stop and wait up to 3 s for its end. Unlike threads of
    `asyncio.to_thread`, the thread never keeps the process alive.

    Args:
        stop: The flag that the work checks.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()
    # Retrieve the error even if the caller was cancelled; otherwise asyncio logs it.
    done.add_done_callback(lambda future: future.cancelled() or future.exception())

    def run_work_and_pass_result() -> None:
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - it is raised where the work was asked for
            _set_from_thread(loop, done.set_exception, error)
        else:
            _set_from_thread(loop, done.set_result, result)

    context = contextvars.copy_context()
    threading.Thread(
        target=context.run, args=(run_work_and_pass_result,), name="install", daemon=True
    ).start()
    try:
        return await asyncio.shield(done)
    except asyncio.CancelledError:
        stop.request_stop()
        await asyncio.wait([done], timeout=_GRACE)
        raise


def _set_from_thread(
    loop: asyncio.AbstractEventLoop, settle: Callable[[T], None], value: T
) -> None:
    # The loop may have closed since the caller was cancelled.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(settle, value)
