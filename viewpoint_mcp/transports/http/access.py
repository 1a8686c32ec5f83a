"""Access control by the headers Host, Origin and Authorization. Does no I/O."""

from __future__ import annotations

import hmac
from collections.abc import Iterable

from viewpoint_mcp.config.listening import ANY, Authority, is_loopback, parse_authority
from viewpoint_mcp.transports.http.exchange import Exchange, Refused


class Access:
    """Decides which requests are allowed.

    Args:
        key: The API key that clients must send; None if no key is required.
        hosts: Names and addresses allowed in Host and Origin, in addition to those of loopback. One
            without a port allows every port, and `*` allows every host.

    Raises:
        ValueError: One of the hosts is not valid.
    """

    def __init__(self, key: str | None, hosts: Iterable[str] = ()) -> None:
        self._key = None if key is None else key.encode()
        names = set(hosts)
        self._any = ANY in names
        self._hosts = {parse_authority(name) for name in names - {ANY}}

    def check_source(self, exchange: Exchange) -> None:
        """Check that Host, and Origin if present, name an allowed host.

        This prevents DNS rebinding, where a web page makes its own host name resolve to the address
        of this server. It also blocks requests from other pages, because browsers send Origin.

        Raises:
            Refused: A header names a host that is not allowed.
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
        """Check that the header Authorization contains the API key, if one is required.

        Raises:
            Refused: The key is missing or wrong, or the header occurs twice.
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
