"""The process of the background server, which `starting` starts.

Its first argument is a JSON object: the workspace and the endpoint. The others are the flags of
`viewpoint start`. It writes READY to stdout when it listens, RUNNING when another server listens,
or why it does not.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import time
from contextlib import suppress

from cdp_protocol.launching.file_lock import try_lock
from cdp_protocol.launching.profile_lock import is_process_alive
from viewpoint_mcp.cli.serve import call_on_signal, prepare_process
from viewpoint_mcp.cli.start_flags import StartFlags, parse_start_flags
from viewpoint_mcp.errors import CallError, ViewpointError
from viewpoint_mcp.shell.background.session_server import SessionServer
from viewpoint_mcp.shell.background.starting import READY, RUNNING
from viewpoint_mcp.shell.endpoint import Endpoint, EndpointError

_PREDECESSOR_LIMIT = 20.0  # seconds
_POLL = 0.02


def main() -> None:
    """Run the server of this process until it ends."""
    place = json.loads(sys.argv[1])
    endpoint = Endpoint(*place["endpoint"])
    try:
        flags = parse_start_flags(sys.argv[2:])
        if flags.owner_pid is not None and not is_process_alive(flags.owner_pid):
            raise CallError(f"No process has the id {flags.owner_pid}.")
        if not _become_the_server(endpoint):
            _report(RUNNING)
            return
        prepare_process()
        gc.freeze()  # the garbage collector need not visit the imported objects
        asyncio.run(_serve(endpoint, place["workspace"], flags))
    except (ViewpointError, EndpointError) as error:
        sys.exit(_report(str(error)))
    except OSError as error:
        place = error.filename or endpoint.directory
        sys.exit(_report(f"Cannot use {place}: {error.strerror}."))


async def _serve(endpoint: Endpoint, workspace: str, flags: StartFlags) -> None:
    server = SessionServer(endpoint, workspace, flags)
    call_on_signal(server.end)
    await server.serve(lambda: _report(READY))


def _become_the_server(endpoint: Endpoint) -> bool:
    """Take the lock of the server, which no two processes can have.

    Another process may hold it: a server that a client started before it was killed, or one that
    lost its address and ends.

    Returns:
        False if the other process listens.

    Raises:
        EndpointError: The other process neither listens nor ends.
    """
    # The kernel releases the lock when the process ends, in whatever way.
    lock = os.open(endpoint.server_lock, os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + _PREDECESSOR_LIMIT
    while not try_lock(lock):
        if connection := endpoint.connect():
            connection.close()
            return False
        if time.monotonic() > deadline:
            raise EndpointError(
                "The last server of this workspace does not end. End its process "
                f"{endpoint.read_server_pid()}."
            )
        time.sleep(_POLL)
    os.ftruncate(lock, 0)
    os.write(lock, str(os.getpid()).encode())
    return True


def _report(message: str) -> int:
    """Send a message to the client that waits for the start, and return the exit status."""
    with suppress(OSError):  # That client was killed. Another one connects or starts a server.
        os.write(sys.stdout.fileno(), message.encode())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return 0 if message == READY else 1


if __name__ == "__main__":
    main()
