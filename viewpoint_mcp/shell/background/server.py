"""The process of the background server, which `starting` starts.

Its first argument is a JSON object: the workspace, the endpoint, and the descriptor of the start
lock. The others are the flags of `viewpoint start`. It writes READY to stdout when it listens, or
why it does not.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from contextlib import suppress
from typing import Any

from cdp_protocol.launching.file_lock import try_lock
from viewpoint_mcp.cli.serve import list_stop_signals, prepare_process, tune_garbage_collector
from viewpoint_mcp.cli.start_flags import StartFlags, parse_start_flags
from viewpoint_mcp.errors import CallError, ViewpointError
from viewpoint_mcp.shell.background.owner_process import is_running
from viewpoint_mcp.shell.background.session_server import SessionServer
from viewpoint_mcp.shell.background.starting import READY
from viewpoint_mcp.shell.endpoint import Endpoint

_PREDECESSOR_LIMIT = 20.0  # seconds
_POLL = 0.02


def main() -> None:
    """Run the server of this process until it ends."""
    place = json.loads(sys.argv[1])
    endpoint = Endpoint(*place["endpoint"])
    try:
        flags = parse_start_flags(sys.argv[2:])
        if flags.owner_pid is not None and not is_running(flags.owner_pid):
            raise CallError(f"No process has the id {flags.owner_pid}.")
        _wait_for_predecessor(endpoint)
        prepare_process()
        tune_garbage_collector()
        asyncio.run(_serve(endpoint, place, flags))
    except ViewpointError as error:
        sys.exit(_report(str(error)))
    except OSError as error:
        sys.exit(_report(f"Cannot listen on {endpoint.socket_path}: {error.strerror}."))


async def _serve(endpoint: Endpoint, place: dict[str, Any], flags: StartFlags) -> None:
    server = SessionServer(endpoint, place["workspace"], flags)
    loop = asyncio.get_running_loop()
    for number in list_stop_signals(sys.platform):
        loop.add_signal_handler(number, server.end)

    def report_ready() -> None:
        os.close(place["lock"])
        _report(READY)

    await server.serve(report_ready)


def _wait_for_predecessor(endpoint: Endpoint) -> None:
    """Take the lock of the server. A server that lost its socket holds it until its end.

    Raises:
        ViewpointError: The other server does not end.
    """
    # The kernel releases the lock when the process ends, in whatever way.
    lock = os.open(endpoint.server_lock, os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + _PREDECESSOR_LIMIT
    while not try_lock(lock):
        if time.monotonic() > deadline:
            pid = os.read(lock, 20).decode()
            raise ViewpointError(
                "The last server of this workspace does not end.", f"End its process {pid}."
            )
        time.sleep(_POLL)
    os.ftruncate(lock, 0)
    os.write(lock, str(os.getpid()).encode())


def _report(message: str) -> int:
    """Send a message to the client that waits for the start, and return the exit status."""
    with suppress(BrokenPipeError):  # That client was killed; others wait for the lock.
        os.write(sys.stdout.fileno(), message.encode())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return 0 if message == READY else 1


if __name__ == "__main__":
    main()
