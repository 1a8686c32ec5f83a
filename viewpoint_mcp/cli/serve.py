"""The server process: starts the server, and stops it at a signal or the end of the client."""

from __future__ import annotations

import asyncio
import ctypes
import functools
import logging
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import click

from viewpoint_mcp.config.flag_annotations import VARIABLE_PREFIXES
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.embedding.server import Server

if sys.platform != "win32":
    import resource

log = logging.getLogger(__name__)

_MMAP_THRESHOLD = -3  # M_MMAP_THRESHOLD of glibc's malloc.h
_OPEN_FILE_LIMIT = 4096  # open file descriptors, mostly for connections
_LARGE_BLOCK = 128 * 1024  # bytes; the initial threshold of glibc
_STDIN = 0  # file descriptor
_TERMINAL_NOTICE = (
    "Waiting for an MCP client on stdin. Usually the client starts this command. To check the "
    "installation, run `viewpoint-mcp doctor`; for the flags, `viewpoint-mcp --help`."
)


async def serve(settings: Settings) -> None:
    """Serve one client over stdio or many over HTTP.

    Returns after a signal of `list_stop_signals`, and on stdio also when the client ends.

    Raises:
        ViewpointError: The server cannot listen on the address.
    """
    prepare_process()
    if settings.directory_notice:
        log.warning("%s", settings.directory_notice)
    print_message = functools.partial(click.echo, err=True)
    async with Server(settings) as server:
        serving = asyncio.create_task(
            server.serve_stdio()
            if settings.listening is None
            else server.serve_http(say=print_message)
        )
        cancel_on_signal(serving)
        if settings.listening is None and os.isatty(_STDIN):
            print_message(_TERMINAL_NOTICE)
        with suppress(asyncio.CancelledError):
            await serving


def prepare_process() -> None:
    """Set the memory and file limits of a server process, and forget the API key."""
    _make_malloc_return_large_blocks()
    _raise_open_file_limit()
    _remove_api_key_from_environment()


def list_stop_signals(platform: str) -> list[signal.Signals]:
    """Return the signals that stop the server in an orderly way.

    On Windows these are the signals of Ctrl-C and Ctrl-Break. A closed console sends the latter. A
    process that is terminated in another way receives no signal there. Elsewhere the end of a
    terminal or of a connection over SSH sends SIGHUP.

    Args:
        platform: A value of `sys.platform`.
    """
    names = ("SIGINT", "SIGBREAK") if platform == "win32" else ("SIGINT", "SIGTERM", "SIGHUP")
    return [signal.Signals[name] for name in names if name in signal.Signals.__members__]


def cancel_on_signal(task: asyncio.Task[Any], platform: str = sys.platform) -> None:
    """Cancel a task when the process receives one of `list_stop_signals`.

    Args:
        task: The task.
        platform: A value of `sys.platform`.
    """
    call_on_signal(task.cancel, platform)


def call_on_signal(callback: Callable[[], object], platform: str = sys.platform) -> None:
    """Call a function in the event loop when the process receives one of `list_stop_signals`.

    A server that was started with `nohup` continues to ignore SIGHUP.

    Args:
        callback: The function.
        platform: A value of `sys.platform`. The event loop has no signal handlers on Windows.
    """
    loop = asyncio.get_running_loop()
    for number in list_stop_signals(platform):
        if platform == "win32":
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(callback))
        elif number.name != "SIGHUP" or signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, callback)


def _make_malloc_return_large_blocks() -> None:
    """Make glibc return large blocks of memory to the system when they are freed.

    By default it raises the threshold for this and keeps the blocks. After ten screenshots of a
    long page these are 130 MB.
    """
    if sys.platform == "linux" and (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)):
        mallopt(_MMAP_THRESHOLD, _LARGE_BLOCK)


def _raise_open_file_limit() -> None:
    """Raise the limit of open files to 4096, or to the hard limit if that is lower."""
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        allowed = (
            _OPEN_FILE_LIMIT if hard == resource.RLIM_INFINITY else min(_OPEN_FILE_LIMIT, hard)
        )
        if soft != resource.RLIM_INFINITY and soft < allowed:
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def _remove_api_key_from_environment() -> None:
    """Remove the API key from the environment, so that child processes do not inherit it."""
    for prefix in VARIABLE_PREFIXES:
        os.environ.pop(f"{prefix}_API_KEY", None)
