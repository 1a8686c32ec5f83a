"""Who may ask: the Host that was asked for, the Origin that asks, and the key. Does no I/O."""

from __future__ import annotations

import hmac
import ipaddress
import socket
from collections.abc import Iterable
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from viewpoint_mcp.config.settings import Listening
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.transports.http.exchange import Exchange, Refused

ANY: Final = "*"


class Authority(NamedTuple):
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


def plain(host: str) -> str:
    """Return a host as it is usually written: in lower case, an address without brackets."""
    host = host.strip().lower().removeprefix("[").removesuffix("]")
    if host == ANY:
        return host  # which getaddrinfo would take for an address
    try:
        found = socket.getaddrinfo(host, None, flags=socket.AI_NUMERICHOST)
    except (OSError, ValueError):
        return host
    return str(found[0][4][0])


def authority(host: str, port: int) -> str:
    """Return a host and a port as they stand in a URL."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether a name or an address means this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def check_reach(listening: Listening) -> None:
    """See that what is served is not open to strangers, be it by mistake.

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


class Access:
    """Decides which requests are served.

    Args:
        key: What a client must bring; None for no key.
        hosts: By which names and addresses the server may be asked for, beside those of loopback;
            `*` for any.

    Raises:
        ValueError: One of the hosts is none.
    """

    def __init__(self, key: str | None, hosts: Iterable[str] = ()) -> None:
        self._key = None if key is None else key.encode()
        names = set(hosts)
        self._any = ANY in names
        self._hosts = {parse_authority(name) for name in names - {ANY}}

    def check_source(self, exchange: Exchange) -> None:
        """See that the request is meant for this server, and comes from no stranger's page: a page
        can have its name lead here (DNS rebinding), and its browser says which page asks.

        Raises:
            Refused: It is not.
        """
        host = exchange.header("host") or ""
        if not self._is_ours(host):
            raise Refused(
                403,
                f"The host {host[:200]!r} is not served. If it is this server's name, give it to "
                "--allowed-hosts.",
            )
        for origin in exchange.headers("origin"):
            _, separator, authority = origin.partition("://")
            if not (separator and self._is_ours(authority)):
                raise Refused(
                    403,
                    f"Pages of {origin[:200]!r} may not ask here. If they should, give their host "
                    "to --allowed-hosts.",
                )

    def check_key(self, exchange: Exchange) -> None:
        """See that the request brings the key.

        Raises:
            Refused: It does not.
        """
        if self._key is None:
            return
        headers = exchange.headers("authorization")
        if len(headers) > 1:
            raise Refused(400, "The header Authorization stands more than once.")
        scheme, _, given = "".join(headers).partition(" ")
        if scheme.lower() != "bearer" or not given.strip():
            raise Refused(
                401,
                "A key is needed: send it in the header Authorization, as Bearer KEY. The server "
                "was started with it, or printed it then.",
                {"www-authenticate": 'Bearer realm="viewpoint-mcp"'},
            )
        if not hmac.compare_digest(given.strip().encode("latin-1"), self._key):
            raise Refused(403, "The key is wrong.")

    def _is_ours(self, text: str) -> bool:
        if self._any:
            return True
        try:
            asked = parse_authority(text)
        except ValueError:
            return False
        known = {asked, Authority(asked.host, None)}
        return is_loopback(asked.host) or not known.isdisjoint(self._hosts)
