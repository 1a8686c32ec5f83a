"""The decision which connections of a context are allowed, and a record of refused ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from secrets import token_hex

from viewpoint_mcp.browser.proxy.streams import Stream
from viewpoint_mcp.config.origins import OriginFlag, OriginRefusal, find_refusal, format_origin
from viewpoint_mcp.config.settings import OriginRules

_TLS_HANDSHAKE = b"\x16"  # RFC 8446 section 5.1: the first byte that a client sends
_REMEMBERED = 200  # maximum number of origins that are counted between two replies
_TOLD = 5  # maximum number of origins for one list in a reply
# Hosts that Chromium itself contacts at its start. Refusals of these are reported only if one of
# the agent's pages shows such a host.
_BROWSERS_OWN = frozenset({"accounts.google.com", "clients2.google.com", "update.googleapis.com"})


class Refused(Exception):
    """A connection is not allowed. The relay handles this exception and never passes it on."""


class Gate:
    """The rules and refusals of one context's connections.

    Attributes:
        probe: A random host name that does not exist and is always refused.
        was_probed: Whether a connection to `probe` arrived, which proves that the browser uses this
            gate.
    """

    def __init__(self, rules: OriginRules) -> None:
        self._rules = rules
        self._refused: Counter[tuple[OriginFlag, str]] = Counter()
        self._browsers_own: Counter[tuple[str, str]] = Counter()
        self._others: Counter[OriginFlag] = Counter()
        self.probe = f"{token_hex(8)}.invalid"
        self.was_probed = False

    def depends(self, host: str, port: int) -> bool:
        """Return whether the decision depends on the scheme.

        False if both http and https are allowed.

        Raises:
            Refused: Both schemes are refused, or the host is `probe`.
        """
        self._notice_probe(host)
        plain, secure = (find_refusal(self._rules, each, host, port) for each in ("http", "https"))
        if plain and secure:
            self._refuse(secure, None, host, port)
        return bool(plain or secure)

    def check(self, scheme: str, host: str, port: int) -> None:
        """Check that a connection is allowed.

        Args:
            scheme: http or https.

        Raises:
            Refused: The connection is not allowed.
        """
        self._notice_probe(host)
        refusal = find_refusal(self._rules, scheme, host, port)
        if refusal:
            self._refuse(refusal, scheme, host, port)

    async def hear(self, client: Stream, host: str, port: int) -> bytes:
        """Read the first bytes of a connection, derive its scheme and check it.

        Returns:
            The bytes; b"" if the client closed the connection.

        Raises:
            Refused: The connection is not allowed.
        """
        first = await client.some()
        if first:
            self.check("https" if first.startswith(_TLS_HANDSHAKE) else "http", host, port)
        return first

    def take_events(self, shown: Collection[str]) -> list[str]:
        """Return a sentence for each origin list that refused connections since the last call.

        Args:
            shown: Hosts of the pages' URLs, including pages whose load was refused.
        """
        for (host, origin), count in self._browsers_own.items():
            if host in shown:
                self._refused["--allowed-origins", origin] += count
        self._browsers_own.clear()
        told = []
        for flag in sorted({flag for flag, _ in self._refused}):
            counts = {origin: n for (of, origin), n in self._refused.items() if of == flag}
            places = [f"{origin} ({_times(n)})" for origin, n in list(counts.items())[:_TOLD]]
            more = sum(list(counts.values())[_TOLD:]) + self._others[flag]
            others = f" and others ({_times(more)})" if more else ""
            told.append(f"Refused by {flag}: {', '.join(places)}{others}")
        self._refused.clear()
        self._others.clear()
        return told

    def _notice_probe(self, host: str) -> None:
        if host == self.probe:
            self.was_probed = True
            raise Refused

    def _refuse(self, refusal: OriginRefusal, scheme: str | None, host: str, port: int) -> None:
        flag, origin = refusal.flag, format_origin(scheme, host, port)
        if flag == "--allowed-origins" and host in _BROWSERS_OWN:
            self._browsers_own[host, origin] += 1
        elif (flag, origin) in self._refused or len(self._refused) < _REMEMBERED:
            self._refused[flag, origin] += 1
        else:
            self._others[flag] += 1
        raise Refused


def _times(count: int) -> str:
    # "Attempts" and not "requests", because Chromium retries some refused requests.
    return f"{count:,} attempt{'s' if count != 1 else ''}"
