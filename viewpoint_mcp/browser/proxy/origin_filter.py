"""The decision which connections of a context are allowed, and a record of refused ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from secrets import token_hex

from viewpoint_mcp.browser.proxy.streams import Stream
from viewpoint_mcp.config.origins import OriginFlag, OriginRefusal, find_refusal, format_origin
from viewpoint_mcp.config.settings import OriginRules

_TLS_HANDSHAKE = b"\x16"  # RFC 8446 section 5.1: the first byte that a client sends
_MAX_COUNTED = 200  # maximum number of origins that are counted between two replies
_MAX_REPORTED = 5  # maximum number of origins for one list in a reply
# Hosts that Chromium itself contacts at its start. Refusals of these are reported only if one of
# the agent's pages shows such a host.
_BROWSER_HOSTS = frozenset({"accounts.google.com", "clients2.google.com", "update.googleapis.com"})


class OriginRefusedError(Exception):
    """A connection is not allowed. The relay handles this exception and never passes it on."""


class OriginFilter:
    """The rules and refusals of one context's connections.

    Attributes:
        probe_host: A random host name that does not exist and is always refused.
        has_seen_probe: Whether a connection to `probe_host` arrived, which proves that the browser
            uses this relay.
    """

    def __init__(self, rules: OriginRules) -> None:
        self._rules = rules
        self._refused: Counter[tuple[OriginFlag, str]] = Counter()
        self._browser_requests: Counter[tuple[str, str]] = Counter()
        self._uncounted: Counter[OriginFlag] = Counter()
        self.probe_host = f"{token_hex(8)}.invalid"
        self.has_seen_probe = False

    def depends_on_scheme(self, host: str, port: int) -> bool:
        """Return whether the decision depends on the scheme.

        False if both http and https are allowed.

        Raises:
            OriginRefusedError: Both schemes are refused, or the host is `probe`.
        """
        self._refuse_if_probe_host(host)
        plain, secure = (
            find_refusal(self._rules, scheme, host, port) for scheme in ("http", "https")
        )
        if plain and secure:
            self._refuse(secure, None, host, port)
        return bool(plain or secure)

    def raise_if_not_allowed(self, scheme: str, host: str, port: int) -> None:
        """Raise an error unless a connection is allowed.

        Args:
            scheme: http or https.

        Raises:
            OriginRefusedError: The connection is not allowed.
        """
        self._refuse_if_probe_host(host)
        refusal = find_refusal(self._rules, scheme, host, port)
        if refusal:
            self._refuse(refusal, scheme, host, port)

    async def read_first_bytes_and_check_origin(
        self, client: Stream, host: str, port: int
    ) -> bytes:
        """Read the first bytes of a connection, derive its scheme and check it.

        Returns:
            The bytes; b"" if the client closed the connection.

        Raises:
            OriginRefusedError: The connection is not allowed.
        """
        first = await client.read_next_chunk()
        if first:
            self.raise_if_not_allowed(
                "https" if first.startswith(_TLS_HANDSHAKE) else "http", host, port
            )
        return first

    def pop_events(self, visible_hosts: Collection[str]) -> list[str]:
        """Return a sentence for each origin list that refused connections since the last call.

        Args:
            visible_hosts: Hosts of the pages' URLs, including pages whose load was refused.
        """
        for (host, origin), count in self._browser_requests.items():
            if host in visible_hosts:
                self._refused["--allowed-origins", origin] += count
        self._browser_requests.clear()
        sentences = []
        for flag in sorted({flag for flag, _ in self._refused}):
            counts = {origin: n for (of, origin), n in self._refused.items() if of == flag}
            places = [
                f"{origin} ({_format_attempts(n)})"
                for origin, n in list(counts.items())[:_MAX_REPORTED]
            ]
            more = sum(list(counts.values())[_MAX_REPORTED:]) + self._uncounted[flag]
            others = f" and others ({_format_attempts(more)})" if more else ""
            sentences.append(f"Refused by {flag}: {', '.join(places)}{others}")
        self._refused.clear()
        self._uncounted.clear()
        return sentences

    def _refuse_if_probe_host(self, host: str) -> None:
        if host == self.probe_host:
            self.has_seen_probe = True
            raise OriginRefusedError

    def _refuse(self, refusal: OriginRefusal, scheme: str | None, host: str, port: int) -> None:
        flag, origin = refusal.flag, format_origin(scheme, host, port)
        if flag == "--allowed-origins" and host in _BROWSER_HOSTS:
            self._browser_requests[host, origin] += 1
        elif (flag, origin) in self._refused or len(self._refused) < _MAX_COUNTED:
            self._refused[flag, origin] += 1
        else:
            self._uncounted[flag] += 1
        raise OriginRefusedError


def _format_attempts(count: int) -> str:
    # "Attempts" and not "requests", because Chromium retries some refused requests.
    return f"{count:,} attempt{'s' if count != 1 else ''}"
