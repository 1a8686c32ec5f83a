"""Decides for each connection of a context whether it may go out, and remembers which did not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from secrets import token_hex

from viewpoint_mcp.browser.proxy.streams import Stream
from viewpoint_mcp.config.origins import OriginFlag, Refusal, refused_by, written
from viewpoint_mcp.config.settings import OriginRules

_TLS_HANDSHAKE = b"\x16"  # RFC 8446 section 5.1: the first byte of what a client says
_REMEMBERED = 200  # origins between two replies
_TOLD = 5  # origins of one list in a reply
# Where Chromium itself goes at its start, whatever its pages do. No agent needs to hear of that,
# unless a page of its own was to go there.
_BROWSERS_OWN = frozenset({"accounts.google.com", "clients2.google.com", "update.googleapis.com"})


class Refused(Exception):
    """A connection must not go out. Never leaves its relay."""


class Gate:
    """One for each context.

    Attributes:
        probe: A host that does not exist and is never let out.
        was_probed: Whether somebody wanted to go there: the browser does ask here.
    """

    def __init__(self, rules: OriginRules) -> None:
        self._rules = rules
        self._refused: Counter[tuple[OriginFlag, str]] = Counter()
        self._browsers_own: Counter[tuple[str, str]] = Counter()
        self._others: Counter[OriginFlag] = Counter()
        self.probe = f"{token_hex(8)}.invalid"
        self.was_probed = False

    def depends(self, host: str, port: int) -> bool:
        """Whether it depends on what is said there, TLS or not.

        Raises:
            Refused: Neither may go out.
        """
        self._notice_probe(host)
        plain, secure = (refused_by(self._rules, each, host, port) for each in ("http", "https"))
        if plain and secure:
            self._refuse(secure, None, host, port)
        return bool(plain or secure)

    def check(self, scheme: str, host: str, port: int) -> None:
        """
        Args:
            scheme: http or https.

        Raises:
            Refused: It must not go out.
        """
        self._notice_probe(host)
        refusal = refused_by(self._rules, scheme, host, port)
        if refusal:
            self._refuse(refusal, scheme, host, port)

    async def hear(self, client: Stream, host: str, port: int) -> bytes:
        """Return the first bytes of a connection, which show its scheme; b"" when it was closed.

        Raises:
            Refused: It must not go out.
        """
        first = await client.some()
        if first:
            self.check("https" if first.startswith(_TLS_HANDSHAKE) else "http", host, port)
        return first

    def take_events(self, shown: Collection[str]) -> list[str]:
        """Return what was refused since this was last asked, a sentence for each list.

        Args:
            shown: The hosts that pages show, or would if they had been let.
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

    def _refuse(self, refusal: Refusal, scheme: str | None, host: str, port: int) -> None:
        flag, origin = refusal.flag, written(scheme, host, port)
        if flag == "--allowed-origins" and host in _BROWSERS_OWN:
            self._browsers_own[host, origin] += 1
        elif (flag, origin) in self._refused or len(self._refused) < _REMEMBERED:
            self._refused[flag, origin] += 1
        else:
            self._others[flag] += 1
        raise Refused


def _times(count: int) -> str:
    # Not of requests: where it is refused Chromium tries some a second and third time.
    return f"{count:,} attempt{'s' if count != 1 else ''}"
