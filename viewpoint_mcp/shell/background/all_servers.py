"""The commands that concern the servers of all workspaces of the user."""

from __future__ import annotations

from collections.abc import Mapping

from viewpoint_mcp.shell.client import make_request, send
from viewpoint_mcp.shell.endpoint import EndpointError, list_endpoints
from viewpoint_mcp.shell.response import Response

_LIMIT = 15.0  # seconds without an answer of a server


def list_sessions(environ: Mapping[str, str]) -> Response:
    """List the open sessions of all servers.

    Raises:
        EndpointError: The directory of the sockets cannot be used.
    """
    from viewpoint_mcp.shell.attaching.server_file_lock import remove_files_of_ended_servers

    remove_files_of_ended_servers(environ)
    response = _ask_all(["sessions"], environ)
    return response if response.stdout or response.stderr else Response("No session is open.\n")


def close_all(environ: Mapping[str, str]) -> Response:
    """End all servers and their browsers.

    Raises:
        EndpointError: The directory of the sockets cannot be used.
    """
    response = _ask_all(["close", "--all"], environ)
    return response if response.stdout or response.stderr else Response("No session is open.\n")


def _ask_all(argv: list[str], environ: Mapping[str, str]) -> Response:
    request = make_request(argv)
    stdout, stderr, status = "", "", 0
    for endpoint in list_endpoints(environ):
        try:
            connection = endpoint.connect()
            if connection is None:
                continue  # The server was killed, so it did not remove its address.
            response = send(connection, request, _LIMIT)
        except (EndpointError, TimeoutError) as error:
            reason = error if isinstance(error, EndpointError) else endpoint.describe_hang()
            stderr, status = f"{stderr}{reason}\n", 1
            continue
        if response is not None:
            stdout, stderr = stdout + response.stdout, stderr + response.stderr
            status = max(status, response.status)
    return Response(stdout, stderr, status)
