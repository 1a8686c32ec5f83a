"""Wires one server: transport, JSON-RPC, MCP, tools, browser; and ends it in the reverse order."""

from __future__ import annotations

import asyncio
import ctypes
import logging
import signal
import sys
from contextlib import suppress
from typing import Any

from viewpoint_mcp import __version__
from viewpoint_mcp.browser.host import BrowserHost
from viewpoint_mcp.rpc.dispatcher import Dispatcher
from viewpoint_mcp.server.session import McpServer
from viewpoint_mcp.settings import Settings
from viewpoint_mcp.tools.catalog import offered
from viewpoint_mcp.tools.runner import Runner
from viewpoint_mcp.transports.stdio import StdioTransport, claim_stdio

log = logging.getLogger(__name__)

_MMAP_THRESHOLD = -3  # M_MMAP_THRESHOLD of glibc's malloc.h
_LARGE = 128 * 1024  # bytes; the threshold that glibc begins with


async def serve_stdio(settings: Settings) -> None:
    """Serve one client over stdin and stdout until it ends, or until SIGINT or SIGTERM."""
    _give_large_memory_back()
    host = BrowserHost(settings)
    tools = offered(settings.capabilities, settings.tools)
    server = McpServer(Runner(tools, host, settings), host.shelf, version=__version__)
    transport = StdioTransport(Dispatcher(server.open), claim_stdio(), grace=1.0)
    serving = asyncio.create_task(transport.serve())
    cancel_on_signal(serving)
    try:
        with suppress(asyncio.CancelledError):
            await serving
    finally:
        await host.close()


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
