"""The way that a context's traffic takes through its proxy, and why it fails there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from viewpoint_mcp.browser.proxy.gate import Gate
from viewpoint_mcp.browser.proxy.relay import LOOPBACK, Relay
from viewpoint_mcp.config import origins
from viewpoint_mcp.config.proxy import PROXY_LOOPBACK, bypass_list
from viewpoint_mcp.config.settings import OriginRules, Proxy
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.page import navigation

_UNREACHABLE = "net::ERR_PROXY_CONNECTION_FAILED"
_LOGIN = "net::ERR_INVALID_AUTH_CREDENTIALS"
_NO_WAY = "cannot reach the site, or does not let us"
_FAILURES: Mapping[str, str] = MappingProxyType(
    {
        _UNREACHABLE: "cannot be reached",
        "net::ERR_TUNNEL_CONNECTION_FAILED": _NO_WAY,
        "net::ERR_SOCKS_CONNECTION_FAILED": _NO_WAY,
        "net::ERR_SOCKS_CONNECTION_HOST_UNREACHABLE": "cannot reach the site",
        "net::ERR_PROXY_CERTIFICATE_INVALID": "has a certificate that is not trusted",
        "net::ERR_PROXY_AUTH_REQUESTED": "wants a user name and password",
        "net::ERR_PROXY_AUTH_UNSUPPORTED": "wants an authentication that Chromium does not know",
        _LOGIN: "or the site wants a user name and password",
    }
)
# How Chromium tells that the relay hung up on it.
_HUNG_UP = frozenset(
    {"net::ERR_EMPTY_RESPONSE", "net::ERR_CONNECTION_RESET", "net::ERR_CONNECTION_CLOSED"}
)
# Whatever goes past the relay is to reach nothing: no host is found but the relay's own, by a name
# that nobody has (RFC 6761), and no UDP leaves.
_RELAY = "relay.invalid"
_FENCE = (
    f"--host-resolver-rules=MAP {_RELAY} {LOOPBACK},MAP * ~NOTFOUND",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # the same in older ones
    "--disable-quic",
)
_HINT = "Check the proxy, or make a context with another one with browser_context_create."


class Route:
    """What Chromium is told of a context's proxy. Made by `open`; `close` ends its relay.

    Args:
        proxy: As the user gave it; None leaves the way to the browser.
        name: Of the context, for messages.
        relay: Between Chromium and a proxy that wants credentials, or the network where not all of
            it may be reached.
        rules: What may be reached.
    """

    def __init__(
        self,
        proxy: Proxy | None = None,
        name: str = "",
        relay: Relay | None = None,
        rules: OriginRules | None = None,
    ) -> None:
        self.rules = rules or OriginRules()
        self.proxy = proxy
        self._name = name
        self._relay = relay

    @classmethod
    async def open(cls, proxy: Proxy | None, name: str, rules: OriginRules | None = None) -> Route:
        """Make the route of a context.

        Raises:
            BrowserError: The system gives no port to the relay.
            CallError: The rules cannot be kept with that proxy.
        """
        gate = Gate(rules) if rules is not None and rules.are_given else None
        if gate is not None and proxy is not None and (proxy.bypass or proxy.scheme == "socks4"):
            raise CallError(
                "This server was started with lists of origins, which a SOCKS4 proxy or a bypass "
                "would not keep to.",
                "Give a proxy of another kind, without bypass.",
            )
        wants_relay = gate is not None or (proxy is not None and proxy.username)
        relay = await Relay.open(proxy, gate) if wants_relay else None
        return cls(proxy, name, relay, rules)

    @property
    def server(self) -> str | None:
        """Where Chromium sends its requests: `scheme://host:port`; None for no proxy."""
        if self._relay is not None:
            server = self._relay.server
            return server.replace(LOOPBACK, _RELAY) if self.rules.are_given else server
        return self.proxy.server if self.proxy is not None else None

    @property
    def bypass(self) -> str | None:
        """What Chromium sends elsewhere, as rules of its own."""
        if self.proxy is not None:
            return bypass_list(self.proxy)
        return PROXY_LOOPBACK if self._relay is not None else None

    @property
    def switches(self) -> tuple[str, ...]:
        """Server and bypass rules as Chromium's command line has them."""
        if self.server is None:
            return ()
        fence = _FENCE if self.rules.are_given else ()
        return (f"--proxy-server={self.server}", f"--proxy-bypass-list={self.bypass}", *fence)

    async def close(self) -> None:
        """Idempotent."""
        if self._relay is not None:
            await self._relay.close()

    def take_events(self, shown: Collection[str]) -> list[str]:
        """Return what was not let out since this was last asked, a sentence for each list.

        Args:
            shown: The hosts of what the pages show.
        """
        return self.gate.take_events(shown) if self.gate is not None else []

    @property
    def gate(self) -> Gate | None:
        """What keeps it to lists of origins, if there are any."""
        return self._relay.gate if self._relay is not None else None

    def explain(self, reason: str, url: str) -> str:
        """Return Chromium's network error at a URL with what it means; see `navigation.explain`."""
        failure = self._failure(reason)
        refused = origins.refused(self.rules, url)
        if refused is not None and (reason in _FAILURES or reason in _HUNG_UP):
            origin, refusal = refused
            return f"{reason}. It led to {origin}, where {refusal.words}"
        if self.proxy is None and failure is not None:
            return f"{reason} (the site {failure})."
        if self.proxy is None or failure is None:
            return navigation.explain(reason)
        where = f'the proxy {self.proxy.address} of context "{self._name}"'
        return f"{reason} ({where} {failure}). {_HINT}"

    def _failure(self, reason: str) -> str | None:
        """What the proxy did, if it is to blame; a relay has seen it."""
        relay = self._relay
        if relay is None:
            return _FAILURES.get(reason)
        if reason == _UNREACHABLE:
            return (
                f"is reached through this server's {relay.server}, which the browser cannot reach"
            )
        if reason == _LOGIN:
            return None  # the relay gave the proxy what it wants; this is the site
        if reason in _HUNG_UP:
            return relay.trouble
        return (relay.trouble or _FAILURES[reason]) if reason in _FAILURES else None
