"""The client of an MCP server over HTTP, for `viewpoint --attach-server URL`.

The client imports this module only then. It uses the standard library only.
"""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Mapping
from typing import Any
from urllib.parse import SplitResult, urlsplit

from viewpoint_mcp.shell.endpoint import EndpointError
from viewpoint_mcp.shell.response import Response

KEY_VARIABLE = "VIEWPOINT_MCP_API_KEY"

_CONNECT_LIMIT = 10.0  # seconds
_MCP_PATHS = ("/mcp", "/sse")  # those in the configuration of clients


class AddressError(Exception):
    """The address of the server is not valid. The message is for the user."""


def run_attached(url: str, request: dict[str, Any], environ: Mapping[str, str]) -> Response:
    """Run a command in a session of an MCP client.

    Args:
        url: The address of the server, with or without `/mcp`.
        request: The command; see `make_request`.

    Raises:
        AddressError: The address is not valid.
        EndpointError: The server cannot be reached, or refuses the command.
    """
    address = _parse(url)
    connection = _connect(url, address)
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if key := environ.get(KEY_VARIABLE):
        headers["Authorization"] = f"Bearer {key}"
    try:
        connection.request(
            "POST", f"{_find_path(address)}/shell", json.dumps(request).encode(), headers
        )
        answer = connection.getresponse()
        body = answer.read()
    except ValueError as error:  # of http.client, for a header
        raise EndpointError(f"{KEY_VARIABLE} is not valid: {error}.") from None
    except (OSError, http.client.HTTPException):
        return Response(
            "",
            f"The server at {url} ended while it ran the command, which may have taken effect.\n",
            1,
        )
    finally:
        connection.close()
    if answer.status == http.client.OK:
        try:
            return Response(**json.loads(body))
        except (ValueError, TypeError):
            raise EndpointError(f"The server at {url} is no viewpoint-mcp server.") from None
    raise EndpointError(_describe_refusal(url, answer.status, body))


def _parse(url: str) -> SplitResult:
    try:
        address = urlsplit(url)
        is_valid = address.scheme in ("http", "https") and bool(address.hostname)
        _ = address.port
    except ValueError:
        is_valid = False
    if not is_valid:
        raise AddressError(f"{url!r} is no address of a server. Write http://127.0.0.1:8931.")
    if address.username is not None:
        raise AddressError(f"The address must not have a key. Set {KEY_VARIABLE}.")
    return address


def _find_path(address: SplitResult) -> str:
    path = address.path.rstrip("/")
    for each in _MCP_PATHS:
        path = path.removesuffix(each)
    return path


def _connect(url: str, address: SplitResult) -> http.client.HTTPConnection:
    is_secure = address.scheme == "https"
    kind = http.client.HTTPSConnection if is_secure else http.client.HTTPConnection
    assert address.hostname is not None
    connection = kind(address.hostname, address.port, timeout=_CONNECT_LIMIT)
    try:
        connection.connect()
    except OSError as error:
        raise EndpointError(
            f"No server can be reached at {url}: {error.strerror or error}. Start it with "
            "`viewpoint-mcp --port 8931 --shell`."
        ) from None
    connection.sock.settimeout(None)  # a command has its own limits
    connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    return connection


def _describe_refusal(url: str, status: int, body: bytes) -> str:
    try:
        reason = str(json.loads(body)["error"]["message"])
    except (ValueError, TypeError, KeyError):
        return f"The server at {url} answered with status {status}. It is no viewpoint-mcp server."
    hint = f" Set {KEY_VARIABLE} to its key." if status in (401, 403) and "key" in reason else ""
    if status == http.client.NOT_FOUND and "--shell" not in reason:
        hint = " It may be older than this command, or not started with --shell."
    if status == http.client.SERVICE_UNAVAILABLE:
        return f"{reason} ({url})"
    return f"The server at {url} refused the command: {reason}{hint}"
