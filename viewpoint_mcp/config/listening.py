"""How the server is reached over HTTP, and the flags of that."""

import ipaddress
import operator
import socket
from collections.abc import Sequence
from typing import Annotated, Final
from urllib.parse import urlsplit

from msgspec import Struct

from viewpoint_mcp.config.flag import Flag, Heading
from viewpoint_mcp.errors import CallError

ANY: Final = "*"
_LOOPBACK = "127.0.0.1"
_LAST_PORT = 65_535


class Authority(Struct, frozen=True):
    """A host as it stands in URLs, in lower case, without brackets.

    Args:
        port: None for any, or for the one that goes without saying.
    """

    host: str
    port: int | None


def parse_authority(text: str) -> Authority:
    """Read `host`, `host:port`, or an address of IPv6 with or without brackets.

    Raises:
        ValueError: It is none of these.
    """
    text = text.strip().lower()
    if text.count(":") > 1 and not text.startswith("["):
        text = f"[{text}]"
    parts = urlsplit(f"//{text}")
    if not parts.hostname or parts.netloc != text or not {*"@* "}.isdisjoint(text):
        raise ValueError(f"{text!r} is not a host")
    return Authority(parts.hostname.removesuffix("."), parts.port)


def normalize_host(host: str) -> str:
    """Return a host as it is usually written: in lower case, an address without brackets."""
    host = host.strip().lower().removeprefix("[").removesuffix("]")
    if host == ANY:
        return host  # which getaddrinfo would take for an address
    try:
        found = socket.getaddrinfo(host, None, flags=socket.AI_NUMERICHOST)
    except (OSError, ValueError):
        return host
    return str(found[0][4][0])


def format_authority(host: str, port: int) -> str:
    """Return a host and a port as they stand in a URL."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def parse_host(text: str) -> str:
    """Read the host to listen on; an empty text is loopback."""
    return normalize_host(text or _LOOPBACK)


def parse_port(port: int) -> int:
    """Read the number of a port.

    Raises:
        CallError: There is no such port.
    """
    if not 0 <= port <= _LAST_PORT:
        raise CallError(f"{port} is no port; there are 1 to {_LAST_PORT}, and 0 for any free one.")
    return port


def parse_hosts(texts: Sequence[str]) -> tuple[str, ...]:
    """Read hosts that may be given several times and with commas between them.

    Raises:
        CallError: One of them is no host.
    """
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


def parse_key(key: str) -> str:
    """Read a key that a header can carry.

    Raises:
        CallError: A header cannot carry it.
    """
    if not key or not all("!" <= letter <= "~" for letter in key):
        raise CallError("A key is one or more visible ASCII characters, without blanks.")
    return key


class Listening(Struct, frozen=True, kw_only=True):
    """How the server is reached over HTTP.

    Args:
        port: 0 for any free one.
        host: Name or address to listen on.
        allowed_hosts: Names that clients may ask for, beside loopback's and `host`; `*` for any.
        key: The one that its user chose; None for a new one.
        asks_for_key: Whether clients need one.
    """

    port: Annotated[
        int,
        Flag(
            "--port",
            Heading.SERVER,
            "Serve many clients over HTTP on this port instead of one over stdio; 0 for any "
            "free port.",
            metavar="N",
            parse=parse_port,
            keys=("server.port",),
        ),
    ]
    host: Annotated[
        str,
        Flag(
            "--host",
            Heading.SERVER,
            "Address to listen on; 0.0.0.0 or :: for all.",
            metavar="HOST",
            parse=parse_host,
            keys=("server.host",),
        ),
    ] = _LOOPBACK
    allowed_hosts: Annotated[
        tuple[str, ...],
        Flag(
            "--allowed-hosts",
            Heading.SERVER,
            "Host names that clients may use besides localhost and --host, separated by "
            "commas; * for any.",
            metavar="HOSTS",
            parse=parse_hosts,
            is_repeatable=True,
            keys=("server.allowedHosts",),
        ),
    ] = ()
    key: Annotated[
        str | None,
        Flag(
            "--api-key",
            Heading.SERVER,
            "Key that clients must send as Authorization: Bearer KEY.",
            default="a new one, printed at the start",
            metavar="KEY",
            parse=parse_key,
        ),
    ] = None
    asks_for_key: Annotated[
        bool,
        Flag(
            "--no-auth",
            Heading.SERVER,
            "Do not require a key. Only on loopback.",
            parse=operator.not_,
        ),
    ] = True

    def __repr__(self) -> str:
        return f"Listening({self.host}:{self.port})"


def is_loopback(host: str) -> bool:
    """Whether a name or an address means this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def check_reach(listening: Listening) -> None:
    """Refuse a server that is open to strangers, be it by mistake.

    Raises:
        CallError: It would be.
    """
    if listening.host == ANY:
        raise CallError(f"{ANY} is no host to listen on.", "All addresses are 0.0.0.0 and ::.")
    if listening.asks_for_key:
        return
    if not is_loopback(listening.host):
        raise CallError(
            f"A server without a key is for loopback only: at {listening.host} everybody who "
            "reaches this machine could use the browser.",
            "Leave out one of --no-auth and --host.",
        )
    if ANY in listening.allowed_hosts:
        raise CallError(
            "A server without a key must know its names: asked for by any, it would serve each web "
            "page whose name leads here.",
            f"Leave out one of --no-auth and --allowed-hosts {ANY}.",
        )
