"""Access control by the headers Host, Origin and Authorization. Does no I/O."""

from __future__ import annotations

import hmac
from collections.abc import Iterable

from viewpoint_mcp.config.listening import ANY_HOST, Authority, is_loopback, parse_authority
from viewpoint_mcp.transports.http.exchange import Exchange, RequestRefused


class AccessControl:
    """Decides which requests are allowed.

    Args:
        key: The API key that clients must send; None if no key is required.
        allowed_hosts: Names and addresses allowed in Host and Origin, in addition to those of
            loopback. One without a port allows every port, and `*` allows every host.

    Raises:
        ValueError: One of the hosts is not valid.
    """

    def __init__(self, key: str | None, allowed_hosts: Iterable[str] = ()) -> None:
        self._key = None if key is None else key.encode()
        names = set(allowed_hosts)
        self._is_any_host_allowed = ANY_HOST in names
        self._hosts = {parse_authority(name) for name in names - {ANY_HOST}}

    def check_host_and_origin(self, exchange: Exchange) -> None:
        """Check that Host, and Origin if present, name an allowed host.

        This prevents DNS rebinding, where a web page makes its own host name resolve to the address
        of this server. It also blocks requests from other pages, because browsers send Origin.

        Raises:
            RequestRefused: A header names a host that is not allowed.
        """
        host = exchange.get_header("host") or ""
        if not self._is_allowed_host(host):
            raise RequestRefused(
                403,
                f"The host {host[:200]!r} is not allowed. To allow it, add it to --allowed-hosts.",
            )
        for origin in exchange.get_headers("origin"):
            _, separator, authority = origin.partition("://")
            if not (separator and self._is_allowed_host(authority)):
                raise RequestRefused(
                    403,
                    f"Pages of {origin[:200]!r} may not send requests. To allow them, add their "
                    "host to --allowed-hosts.",
                )

    def check_api_key(self, exchange: Exchange) -> None:
        """Check that the header Authorization contains the API key, if one is required.

        Raises:
            RequestRefused: The key is missing or wrong, or the header occurs twice.
        """
        if self._key is None:
            return
        sent_key = read_bearer_key(exchange)
        if not hmac.compare_digest(sent_key.encode("latin-1"), self._key):
            raise RequestRefused(403, "The key is wrong.")

    def _is_allowed_host(self, authority: str) -> bool:
        if self._is_any_host_allowed:
            return True
        try:
            requested = parse_authority(authority)
        except ValueError:
            return False
        candidates = {requested, Authority(requested.host, None)}
        return is_loopback(requested.host) or not candidates.isdisjoint(self._hosts)


def read_bearer_key(exchange: Exchange) -> str:
    """Return the key in the header Authorization.

    Raises:
        RequestRefused: The header is missing, has another form, or occurs twice.
    """
    headers = exchange.get_headers("authorization")
    if len(headers) > 1:
        raise RequestRefused(400, "The header Authorization occurs more than once.")
    scheme, _, sent_key = "".join(headers).partition(" ")
    if scheme.lower() != "bearer" or not sent_key.strip():
        raise RequestRefused(
            401,
            "An API key is required. Send it in the header Authorization, as Bearer KEY. It "
            "was set or printed when the server started.",
            {"www-authenticate": 'Bearer realm="viewpoint-mcp"'},
        )
    return sent_key.strip()
