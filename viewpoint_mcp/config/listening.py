"""Settings of the HTTP server, with their flags, parsers and checks."""

import ipaddress
import operator
import socket
from collections.abc import Sequence
from typing import Annotated, Final
from urllib.parse import urlsplit

from msgspec import Struct

from viewpoint_mcp.config.flag_annotations import Flag, Heading, split_list
from viewpoint_mcp.errors import CallError

ANY_HOST: Final = "*"
_LOOPBACK = "127.0.0.1"
_MAX_PORT = 65_535


class Authority(Struct, frozen=True):
    """The host and port of a URL.

    Args:
        host: The host in lower case, without brackets.
        port: The port; None if the URL names none, or for any port.
    """

    host: str
    port: int | None


def parse_authority(text: str) -> Authority:
    """Parse `host`, `host:port`, or an IPv6 address with or without brackets.

    Raises:
        ValueError: The text has none of these forms.
    """
    text = text.strip().lower()
    if text.count(":") > 1 and not text.startswith("["):
        text = f"[{text}]"
    parts = urlsplit(f"//{text}")
    if not parts.hostname or parts.netloc != text or not {*"@* "}.isdisjoint(text):
        raise ValueError(f"{text!r} is not a host")
    return Authority(parts.hostname.removesuffix("."), parts.port)


def normalize_host(host: str) -> str:
    """Return a host in lower case; an address without brackets, in its canonical form."""
    host = host.strip().lower().removeprefix("[").removesuffix("]")
    if host == ANY_HOST:
        return host  # getaddrinfo would resolve it as an address.
    try:
        found = socket.getaddrinfo(host, None, flags=socket.AI_NUMERICHOST)
    except (OSError, ValueError):
        return host
    return str(found[0][4][0])


def format_authority(host: str, port: int) -> str:
    """Return a host and a port in the form of a URL, with brackets around IPv6 addresses."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def parse_host(text: str) -> str:
    """Parse the host to listen on. An empty text means loopback."""
    return normalize_host(text or _LOOPBACK)


def parse_port(port: int) -> int:
    """Check the number of a port.

    Raises:
        CallError: The number is not 0 to 65535.
    """
    if not 0 <= port <= _MAX_PORT:
        raise CallError(f"{port} is not a port. Use 1 to {_MAX_PORT}, or 0 for any free one.")
    return port


def parse_hosts(texts: Sequence[str]) -> tuple[str, ...]:
    """Parse the hosts of a repeatable flag. Each text may contain several; see `split_list`.

    They may also be separated by semicolons, and `host:*` is the same as `host`, because
    configurations of playwright-mcp have both forms.

    Raises:
        CallError: A host is malformed.
    """
    items = split_list(text.replace(";", ",") for text in texts)
    hosts = tuple(dict.fromkeys(host.removesuffix(":*") for host in items))
    for host in hosts:
        try:
            if host != ANY_HOST:
                parse_authority(host)
        except ValueError:
            raise CallError(
                f"{host!r} is not a host.", "Write example.com, example.com:8080, 10.0.0.1, or *."
            ) from None
    return hosts


def parse_api_key(key: str) -> str:
    """Check an API key.

    Raises:
        CallError: The key is empty, or has characters that are not allowed in a header.
    """
    if not key or not all("!" <= letter <= "~" for letter in key):
        raise CallError("A key must be visible ASCII characters without spaces.")
    return key


def _mask_key(_key: str) -> str:
    return "<masked>"


class Listening(Struct, frozen=True, kw_only=True):
    """The settings of the HTTP server.

    Args:
        port: The port; 0 for any free one.
        host: Name or address to listen on.
        allowed_hosts: Hosts allowed in requests, in addition to loopback and `host`; `*` for any.
        key: The API key; None to generate one.
        asks_for_key: Whether clients must send the API key.
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
            config_keys=("server.port",),
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
            config_keys=("server.host",),
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
            config_keys=("server.allowedHosts",),
        ),
    ] = ()
    key: Annotated[
        str | None,
        Flag(
            "--api-key",
            Heading.SERVER,
            "Key that clients must send as Authorization: Bearer KEY.",
            default_text="a new one, printed at the start",
            metavar="KEY",
            parse=parse_api_key,
            to_config=_mask_key,
        ),
    ] = None
    asks_for_key: Annotated[
        bool,
        Flag(
            "--no-auth",
            Heading.SERVER,
            "Do not require a key. Only on loopback.",
            parse=operator.not_,
            to_config=operator.not_,
        ),
    ] = True

    def __repr__(self) -> str:
        return f"Listening({self.host}:{self.port})"


def is_loopback(host: str) -> bool:
    """Return whether a host is "localhost" or a loopback address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def raise_if_accessible_without_key(listening: Listening) -> None:
    """Raise an error if other machines or web pages could use the server without an API key.

    Raises:
        CallError: The server has no key and listens beyond loopback or allows every host, or the
            host is `*`.
    """
    if listening.host == ANY_HOST:
        raise CallError(
            f"The server cannot listen on {ANY_HOST}.", "Use 0.0.0.0 or :: for all addresses."
        )
    if listening.asks_for_key:
        return
    if not is_loopback(listening.host):
        raise CallError(
            f"Without a key, every machine that reaches {listening.host} could use the browser.",
            "Remove --no-auth or --host.",
        )
    if ANY_HOST in listening.allowed_hosts:
        raise CallError(
            "Without a key, any web page could use the browser if every host name is allowed.",
            f"Remove --no-auth or --allowed-hosts {ANY_HOST}.",
        )
