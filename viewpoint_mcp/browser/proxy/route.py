"""The way that a context's traffic takes through its proxy, and why it fails there."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from viewpoint_mcp.browser.proxy.parse import bypass_list
from viewpoint_mcp.browser.proxy.relay import Relay
from viewpoint_mcp.page import navigation
from viewpoint_mcp.settings import Proxy

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
_HINT = "Check the proxy, or make a context with another one with browser_context_create."


class Route:
    """What Chromium is told of a context's proxy. Made by `open`; `close` ends its relay.

    Args:
        proxy: As the user gave it; None leaves the way to the browser.
        name: Of the context, for messages.
        relay: Between Chromium and a proxy that wants credentials.
    """

    def __init__(
        self, proxy: Proxy | None = None, name: str = "", relay: Relay | None = None
    ) -> None:
        self.proxy = proxy
        self._name = name
        self._relay = relay

    @classmethod
    async def open(cls, proxy: Proxy | None, name: str) -> Route:
        """Make the route of a context.

        Raises:
            BrowserError: The system gives no port to the relay.
        """
        relay = await Relay.open(proxy) if proxy is not None and proxy.username else None
        return cls(proxy, name, relay)

    @property
    def server(self) -> str | None:
        """Where Chromium sends its requests: `scheme://host:port`; None for no proxy."""
        if self._relay is not None:
            return self._relay.server
        return self.proxy.server if self.proxy is not None else None

    @property
    def bypass(self) -> str | None:
        """What Chromium sends elsewhere, as rules of its own."""
        return bypass_list(self.proxy) if self.proxy is not None else None

    @property
    def switches(self) -> tuple[str, ...]:
        """Server and bypass rules as Chromium's command line has them."""
        if self.proxy is None:
            return ()
        return (f"--proxy-server={self.server}", f"--proxy-bypass-list={self.bypass}")

    async def close(self) -> None:
        """Idempotent."""
        if self._relay is not None:
            await self._relay.close()

    def explain(self, reason: str) -> str:
        """Return Chromium's network error with what it means; see `navigation.explain`."""
        failure = self._failure(reason)
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
