"""Serves until the client ends or somebody ends the process."""

from __future__ import annotations

import asyncio
import ctypes
import functools
import logging
import os
import signal
import sys
from contextlib import suppress
from typing import Any

import click

from viewpoint_mcp.config.flag import PREFIXES
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.embedding.server import Server

if sys.platform != "win32":
    import resource

log = logging.getLogger(__name__)

_MMAP_THRESHOLD = -3  # M_MMAP_THRESHOLD of glibc's malloc.h
_FILES = 4096  # that may be open at a time: connections, above all
_LARGE = 128 * 1024  # bytes; the threshold that glibc begins with


async def serve(settings: Settings) -> None:
    """Serve one client over stdin and stdout until it ends, or many over HTTP; in both cases until
    SIGINT or SIGTERM.

    Raises:
        ViewpointError: The address cannot be listened on.
    """
    _give_large_memory_back()
    _allow_many_files()
    _keep_the_key()
    say = functools.partial(click.echo, err=True)
    async with Server(settings) as server:
        serving = asyncio.create_task(
            server.serve_stdio() if settings.listening is None else server.serve_http(say=say)
        )
        cancel_on_signal(serving)
        with suppress(asyncio.CancelledError):
            await serving


def end_signals(platform: str) -> list[signal.Signals]:
    """Return the signals that end the server in order. On Windows these are Ctrl-C, Ctrl-Break and
    what comes with the end of a console; a process that is ended otherwise hears nothing.

    Args:
        platform: As in `sys.platform`.
    """
    names = ("SIGINT", "SIGBREAK") if platform == "win32" else ("SIGINT", "SIGTERM")
    return [signal.Signals[name] for name in names if name in signal.Signals.__members__]


def cancel_on_signal(task: asyncio.Task[Any], platform: str = sys.platform) -> None:
    """Cancel the task when the process is asked to end.

    Args:
        platform: As in `sys.platform`; on Windows the event loop has no signal handlers.
    """
    loop = asyncio.get_running_loop()
    for number in end_signals(platform):
        if platform == "win32":
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(task.cancel))
        else:
            loop.add_signal_handler(number, task.cancel)


def _give_large_memory_back() -> None:
    """Have large blocks of memory returned to the system when they are freed. Left alone, glibc
    keeps ever larger ones for later: after ten pictures of a long page, 130 MB.
    """
    if sys.platform == "linux" and (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)):
        mallopt(_MMAP_THRESHOLD, _LARGE)


def _allow_many_files() -> None:
    """Have as many files open as are needed, where the system sets its usual limit lower."""
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        allowed = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < allowed:
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def _keep_the_key() -> None:
    """Have the key inherited by no process that is started from here, the browser above all."""
    for prefix in PREFIXES:
        os.environ.pop(f"{prefix}_API_KEY", None)
