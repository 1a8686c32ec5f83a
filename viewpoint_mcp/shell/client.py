"""The command `viewpoint`: it sends its arguments to the background server and prints the reply.

A coding agent runs it for each step, so it starts fast: it imports little, and the server parses
the command line. The module uses the standard library only.

A request is one line of JSON. The server answers with an empty line when it accepts the request,
and with one line of JSON when the command is done: `stdout`, `stderr` and `status`.
"""

from __future__ import annotations

import errno
import json
import os
import re
import socket
import sys
from typing import Any, TextIO

from viewpoint_mcp import __version__
from viewpoint_mcp.shell.endpoint import (
    DEFAULT_SESSION,
    MCP_PREFIX,
    SERVER_VARIABLE,
    SESSION_VARIABLE,
    Endpoint,
    EndpointError,
    find_directory,
    find_workspace,
    make_endpoint,
)
from viewpoint_mcp.shell.response import Response

_FAILED, _USAGE, _INTERRUPTED = 1, 2, 130
_SERVER_OPTION = "--attach-server"
_HELP_WORDS = ("help", "--help", "-h")
_MAX_ATTEMPTS = 3  # a server may end while a client connects
_BUFFER = 1 << 16
_ACCEPT_LIMIT = 30.0  # seconds
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def main() -> None:
    """Run the command of this process, and exit with its status."""
    try:
        response = run(sys.argv[1:])
    except EndpointError as error:
        response = Response("", f"{error}\n", _FAILED)
    except KeyboardInterrupt:
        response = Response("", "", _INTERRUPTED)
    sys.exit(_print(response))


def run(argv: list[str]) -> Response:
    """Run one command.

    Args:
        argv: The arguments without the name of the program.

    Raises:
        EndpointError: The server cannot be found or started.
    """
    server, argv = _split_server(argv)
    name = find_command(argv)
    if "--version" in argv[:1]:
        return Response(f"viewpoint {__version__}\n")
    if name == "skill" and not _asks_for_help(argv):
        from viewpoint_mcp.shell.skill.command import run_skill

        return run_skill(argv)
    if name == "install" and "--skills" in argv:
        from viewpoint_mcp.shell.skill.command import run_install

        return run_install(argv)
    if name in (None, "help") or _asks_for_help(argv):
        from viewpoint_mcp.shell.commands.help import render_help

        return render_help([each for each in argv if each not in _HELP_WORDS])
    if name == "completion":
        from viewpoint_mcp.shell.completion.command import run_completion

        return run_completion(argv)
    if server is not None:
        return _run_attached(server, argv)
    if name in ("sessions", "close"):
        from viewpoint_mcp.shell.background.all_servers import close_all, list_sessions

        if name == "sessions":
            is_alone = argv == ["sessions"]
            usage = Response("", "Usage: viewpoint sessions\n", _USAGE)
            return list_sessions(os.environ) if is_alone else usage
        if name == "close" and "--all" in argv:
            return close_all(os.environ)
    if pid := _find_mcp_server(argv):
        return _run_in_mcp_session(argv, pid)
    return _run_in_workspace(argv, name)


def find_command(argv: list[str]) -> str | None:
    """Return the name of the command, which follows the options; None if there is none."""
    words = iter(argv)
    for word in words:
        if word in ("-s", "--session"):
            next(words, None)
        elif not word.startswith("-"):
            return word
    return None


def _split_server(argv: list[str]) -> tuple[str | None, list[str]]:
    """Split the address of an MCP server off a command line.

    Returns:
        The address, None for the server of the workspace; and the other words.
    """
    end = argv.index("--") if "--" in argv else len(argv)
    server = os.environ.get(SERVER_VARIABLE) or None
    rest = list[str]()
    words = iter(argv[:end])
    for word in words:
        if word == _SERVER_OPTION:
            server = next(words, "")
        elif word.startswith(f"{_SERVER_OPTION}="):
            server = word.partition("=")[2]
        else:
            rest.append(word)
    return server, rest + argv[end:]


def _run_attached(server: str, argv: list[str]) -> Response:
    from viewpoint_mcp.shell.attach_client import AddressError, run_attached

    request = make_request(argv)
    request["session"] = os.environ.get(SESSION_VARIABLE, "")
    try:
        return run_attached(server, request, os.environ)
    except AddressError as error:
        return Response("", f"{error}\n", _USAGE)


def _find_mcp_server(argv: list[str]) -> str:
    """Return the process id in the name of a session of an MCP server; "" for other names."""
    session = os.environ.get(SESSION_VARIABLE, "")
    words = iter(argv)
    for word in words:
        if word == "--":
            break
        if word in ("-s", "--session"):
            session = next(words, "")
        elif word.startswith("--session="):
            session = word.partition("=")[2]
    pid = session.rpartition("@")[2] if "@" in session else ""
    return pid if pid.isdecimal() else ""


def _run_in_mcp_session(argv: list[str], pid: str) -> Response:
    endpoint = Endpoint(find_directory(os.environ), MCP_PREFIX + pid)
    response: Response | None = None
    try:
        if connection := endpoint.connect():
            response = send(connection, make_request(argv), restarts=False)
    except TimeoutError:
        raise EndpointError(endpoint.describe_hang()) from None
    if response is None:
        raise EndpointError(
            f"No MCP server with --shell has the process id {pid}. `viewpoint sessions` lists the "
            "sessions."
        )
    return response


def make_request(argv: list[str]) -> dict[str, Any]:
    """Return the request that runs a command line in the environment of this process."""
    reads_stdin = "-" in argv or find_command(argv) == "batch"
    return {
        "version": __version__,
        "argv": argv,
        "cwd": os.getcwd(),
        "session": os.environ.get(SESSION_VARIABLE) or DEFAULT_SESSION,
        "stdin": _read_stdin() if reads_stdin else "",
    }


def send(
    connection: socket.socket,
    request: dict[str, Any],
    limit: float | None = None,
    *,
    accept_limit: float | None = None,
    restarts: bool = True,
) -> Response | None:
    """Send a request, and wait for the response.

    Args:
        limit: Seconds between the acceptance of the request and the response; None for no limit.
        accept_limit: Seconds until the server accepts the request; None for the default.
        restarts: Whether the next command starts a server again.

    Returns:
        The response; None if the server ended before it accepted the request.

    Raises:
        TimeoutError: The server does not accept the request, or exceeds the limit.
    """
    received = bytearray()
    with connection:
        connection.settimeout(accept_limit or _ACCEPT_LIMIT)
        try:
            connection.sendall(json.dumps(request).encode() + b"\n")
            while data := connection.recv(_BUFFER):
                connection.settimeout(limit)
                received += data
        except ConnectionError:
            pass  # The server ended. What it sent before decides.
    if not received:
        return None
    answer = received[1:]
    if not answer.endswith(b"\n"):
        next_step = " The next command starts a new server." if restarts else ""
        return Response(
            "",
            f"The server ended while it ran the command, which may have taken effect.{next_step}\n",
            _FAILED,
        )
    return Response(**json.loads(answer))


def _run_in_workspace(argv: list[str], name: str | None) -> Response:
    workspace = find_workspace(os.getcwd(), os.environ)
    endpoint = make_endpoint(workspace, os.environ)
    request: dict[str, Any] | None = None
    for _ in range(_MAX_ATTEMPTS):
        connection = endpoint.connect()
        if connection is None:
            if name == "close":
                return Response("No session is open here.\n")
            started = _start(endpoint, workspace, argv, name)
            if isinstance(started, Response):
                return started
            connection = started
        request = request or make_request(argv)
        try:
            response = send(connection, request)
        except TimeoutError:
            raise EndpointError(endpoint.describe_hang()) from None
        if response is not None:
            return response
    raise EndpointError(f"The server ends before it accepts a command. See {endpoint.log}.")


def _start(
    endpoint: Endpoint, workspace: str, argv: list[str], name: str | None
) -> socket.socket | Response:
    """Start the server unless another client starts it, and connect to it.

    Returns:
        The connection; or the response of `viewpoint start`, and of a failed start.
    """
    from viewpoint_mcp.shell.background.starting import StartError, connect_or_start

    flags = argv[argv.index("start") + 1 :] if name == "start" else []
    try:
        connection, has_started = connect_or_start(endpoint, workspace, flags)
    except StartError as error:
        return Response("", f"{error}\n", _USAGE if flags else _FAILED)
    if name == "start" and has_started:
        connection.close()
        return Response(f"The server of {workspace} is ready.\n")
    return connection


def _asks_for_help(argv: list[str]) -> bool:
    words = argv[: argv.index("--")] if "--" in argv else argv
    return "--help" in words or "-h" in words


def _read_stdin() -> str:
    # The text is UTF-8 on Windows too, where PowerShell may put a mark before it.
    text = sys.stdin.buffer.read().decode("utf-8-sig", errors="replace")
    return text.replace("\r\n", "\n")


def _print(response: Response) -> int:
    """Print a response, and return the exit status."""
    stderr, status = response.stderr, response.status
    if reason := _write(sys.stdout, response.stdout):
        stderr += f"The command has run, but its output cannot be written: {reason}.\n"
        status = status or _FAILED
    _write(sys.stderr, stderr)
    return status


def _write(stream: TextIO, text: str) -> str | None:
    """Write to a stream. Return why it failed, unless the reader has ended, as `head` does."""
    if stream.isatty():
        # Texts of pages could contain control sequences of terminals.
        text = _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
    try:
        stream.buffer.write(text.encode(errors="replace"))
        stream.flush()
    except OSError as error:
        # Python would try again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        no_reader = errno.EINVAL if sys.platform == "win32" else errno.EPIPE
        return None if error.errno == no_reader else error.strerror
    return None
