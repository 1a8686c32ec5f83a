"""The flags of a server that speaks over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
from click.core import ParameterSource

from viewpoint_mcp.cli.group import Declaration
from viewpoint_mcp.cli.option import option, read_with
from viewpoint_mcp.config.settings import Listening
from viewpoint_mcp.errors import CallError

_LOOPBACK = "127.0.0.1"
_LAST_PORT = 65_535
_FLAGS = ("host", "allowed_hosts", "api_key", "no_auth")


def read_port(port: int) -> int:
    """Read the number of a port.

    Raises:
        CallError: There is no such port.
    """
    if not 0 <= port <= _LAST_PORT:
        raise CallError(f"{port} is no port; there are 1 to {_LAST_PORT}, and 0 for any free one.")
    return port


def read_hosts(texts: Sequence[str]) -> tuple[str, ...]:
    """Read hosts that may be given several times and with commas between them.

    Raises:
        CallError: One of them is no host.
    """
    if not texts:
        return ()
    from viewpoint_mcp.transports.http.access import ANY, parse_authority

    hosts = tuple(each.strip() for text in texts for each in text.split(",") if each.strip())
    for host in hosts:
        try:
            if host != ANY:
                parse_authority(host)
        except ValueError:
            raise CallError(
                f"{host!r} is no host.", "Write example.com, example.com:8080, 10.0.0.1, or *."
            ) from None
    return hosts


def read_key(key: str) -> str:
    """Read what a header can carry.

    Raises:
        CallError: It cannot.
    """
    if not key or not all("!" <= letter <= "~" for letter in key):
        raise CallError("A key is one or more visible ASCII characters, without blanks.")
    return key


SERVER_FLAGS: tuple[Declaration, ...] = (
    option(
        "--port",
        type=int,
        callback=read_with(read_port),
        metavar="N",
        help="Serve many clients over HTTP on this port, instead of one over stdin and stdout; "
        "0 for any free one.",
    ),
    option(
        "--host",
        metavar="HOST",
        help=f"Address to listen on; 0.0.0.0 or :: for all. [{_LOOPBACK}]",
    ),
    option(
        "--allowed-hosts",
        callback=read_with(read_hosts),
        multiple=True,
        metavar="HOSTS",
        help="Names by which clients may ask for this server, beside localhost and --host, "
        "separated by commas; * for any.",
    ),
    option(
        "--api-key",
        callback=read_with(read_key),
        metavar="KEY",
        help="What clients must send as Authorization: Bearer KEY. [a new one, told at the start]",
    ),
    option("--no-auth", is_flag=True, help="Ask for no key; only where --host is loopback."),
)


def listening_of(values: dict[str, Any]) -> Listening | None:
    """Say where to listen, and for whom; None for stdin and stdout.

    Args:
        values: By the flags' names, with underscores.

    Raises:
        click.UsageError: Flags do not go together.
    """
    if values["port"] is None:
        _refuse_without_port()
        return None
    from viewpoint_mcp.transports.http.access import check_reach, plain

    if values["no_auth"] and values["api_key"]:
        raise click.UsageError("--no-auth asks for no key; leave out one of it and --api-key.")
    listening = Listening(
        host=plain(values["host"] or _LOOPBACK),
        port=values["port"],
        allowed_hosts=values["allowed_hosts"],
        asks_for_key=not values["no_auth"],
        key=values["api_key"],
    )
    try:
        check_reach(listening)
    except CallError as error:
        raise click.UsageError(str(error)) from None
    return listening


def _refuse_without_port() -> None:
    """Refuse flags that do nothing; in the environment or a file they may wait for a --port."""
    context = click.get_current_context(silent=True)
    for name in _FLAGS:
        if context and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} needs --port: it is of HTTP.")
