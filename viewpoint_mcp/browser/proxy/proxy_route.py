"""A context's proxy settings, and the explanation of network errors that its proxy causes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from viewpoint_mcp.browser.proxy.peer_user import LOOPBACK
from viewpoint_mcp.config import origins
from viewpoint_mcp.config.proxy import LOOPBACK_RULE, format_bypass_list
from viewpoint_mcp.config.settings import OriginRules, Proxy
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.page import navigation

if TYPE_CHECKING:
    from viewpoint_mcp.browser.proxy.origin_filter import OriginFilter
    from viewpoint_mcp.browser.proxy.proxy_relay import ProxyRelay

_UNREACHABLE = "net::ERR_PROXY_CONNECTION_FAILED"
_INVALID_CREDENTIALS = "net::ERR_INVALID_AUTH_CREDENTIALS"
_SITE_UNREACHABLE = "cannot reach the site, or refuses it"
_FAILURES: Mapping[str, str] = MappingProxyType(
    {
        _UNREACHABLE: "cannot be reached",
        "net::ERR_TUNNEL_CONNECTION_FAILED": _SITE_UNREACHABLE,
        "net::ERR_SOCKS_CONNECTION_FAILED": _SITE_UNREACHABLE,
        "net::ERR_SOCKS_CONNECTION_HOST_UNREACHABLE": "cannot reach the site",
        "net::ERR_PROXY_CERTIFICATE_INVALID": "has a certificate that is not trusted",
        "net::ERR_PROXY_AUTH_REQUESTED": "requires a user name and password",
        "net::ERR_PROXY_AUTH_UNSUPPORTED": "requires an authentication unknown to Chromium",
        _INVALID_CREDENTIALS: "or the site requires a user name and password",
    }
)
# Chromium's errors after the relay has closed a connection.
_CLOSED_CONNECTION = frozenset(
    {"net::ERR_EMPTY_RESPONSE", "net::ERR_CONNECTION_RESET", "net::ERR_CONNECTION_CLOSED"}
)
# Traffic that bypasses the relay must reach nothing. Chromium resolves no host but the relay's,
# which has a reserved name (RFC 6761), and sends no UDP.
_RELAY_HOST = "relay.invalid"
_BYPASS_PROTECTION = (
    f"--host-resolver-rules=MAP {_RELAY_HOST} {LOOPBACK},MAP * ~NOTFOUND",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # for older versions
    "--disable-quic",
)
_HINT = "Check the proxy, or use another one with browser_context_create."


class ProxyRoute:
    """The proxy settings for Chromium of one context. Made by `open`; `close` ends its relay.

    Args:
        proxy: The configured proxy; None to use the browser's network settings.
        context_name: The context's name, for messages.
        relay: The relay for a proxy with credentials or for origin rules; None without them.
        origin_rules: The origin rules.
    """

    def __init__(
        self,
        proxy: Proxy | None = None,
        context_name: str = "",
        relay: ProxyRelay | None = None,
        origin_rules: OriginRules | None = None,
    ) -> None:
        self.origin_rules = origin_rules or OriginRules()
        self.proxy = proxy
        self._context_name = context_name
        self._relay = relay

    @classmethod
    async def open(
        cls, proxy: Proxy | None, context_name: str, origin_rules: OriginRules | None = None
    ) -> ProxyRoute:
        """Make the route of a context, with a relay if necessary.

        Raises:
            BrowserError: No port is available for the relay.
            CallError: The proxy cannot be combined with origin rules.
        """
        has_rules = origin_rules is not None and origin_rules.has_entries
        if not has_rules and not (proxy is not None and proxy.username):
            return cls(proxy, context_name, origin_rules=origin_rules)
        if has_rules and proxy is not None and (proxy.bypass or proxy.scheme == "socks4"):
            raise CallError(
                "The server has lists of origins, which a SOCKS4 proxy or a bypass would evade.",
                "Use another kind of proxy, without bypass.",
            )
        # Imported here, because most servers need no relay.
        from viewpoint_mcp.browser.proxy.origin_filter import OriginFilter
        from viewpoint_mcp.browser.proxy.proxy_relay import ProxyRelay

        origin_filter = OriginFilter(origin_rules) if has_rules and origin_rules else None
        relay = await ProxyRelay.open(proxy, origin_filter)
        return cls(proxy, context_name, relay, origin_rules)

    @property
    def server(self) -> str | None:
        """The proxy server for Chromium, `scheme://host:port`; None for no proxy."""
        if self._relay is not None:
            server = self._relay.server
            return (
                server.replace(LOOPBACK, _RELAY_HOST) if self.origin_rules.has_entries else server
            )
        return self.proxy.url_without_credentials if self.proxy is not None else None

    @property
    def bypass(self) -> str | None:
        """Chromium's rules for requests that bypass the proxy server."""
        if self.proxy is not None:
            return format_bypass_list(self.proxy)
        return LOOPBACK_RULE if self._relay is not None else None

    @property
    def command_line_switches(self) -> tuple[str, ...]:
        """Server and bypass rules as Chromium's command line switches."""
        if self.server is None:
            return ()
        fence = _BYPASS_PROTECTION if self.origin_rules.has_entries else ()
        return (f"--proxy-server={self.server}", f"--proxy-bypass-list={self.bypass}", *fence)

    async def close(self) -> None:
        """Close the relay, if any. Idempotent."""
        if self._relay is not None:
            await self._relay.close()

    def pop_events(self, visible_hosts: Collection[str]) -> list[str]:
        """Return a sentence for each origin list that refused connections since the last call.

        Args:
            visible_hosts: Hosts of the pages' URLs.
        """
        return (
            self.origin_filter.pop_events(visible_hosts) if self.origin_filter is not None else []
        )

    @property
    def origin_filter(self) -> OriginFilter | None:
        """The filter that enforces the origin rules; None without rules."""
        return self._relay.origin_filter if self._relay is not None else None

    def explain_network_error(self, reason: str, url: str) -> str:
        """Explain a network error of Chromium at a URL.

        The cause may be a refusal by the origin rules or a fault of the proxy. Other errors get the
        text of `navigation.explain_network_error`.
        """
        failure = self._describe_fault_behind_error(reason)
        refused = origins.find_url_refusal(self.origin_rules, url)
        if refused is not None and (reason in _FAILURES or reason in _CLOSED_CONNECTION):
            origin, refusal = refused
            return f"{reason}. It led to {origin}, where {refusal.reason}"
        if self.proxy is None and failure is not None:
            return f"{reason} (the site {failure})."
        if self.proxy is None or failure is None:
            return navigation.explain_network_error(reason)
        where = f'the proxy {self.proxy.address} of context "{self._context_name}"'
        return f"{reason} ({where} {failure}). {_HINT}"

    def _describe_fault_behind_error(self, reason: str) -> str | None:
        """Return the proxy's fault as a phrase; None if the proxy did not cause the error."""
        relay = self._relay
        if reason == _INVALID_CREDENTIALS and (relay is not None or self.proxy is None):
            return None  # a relay's credentials were accepted, so the site asks for some
        if relay is None:
            return _FAILURES.get(reason)
        if reason == _UNREACHABLE:
            return (
                f"is reached through this server's {relay.server}, which the browser cannot reach"
            )
        if reason in _CLOSED_CONNECTION:
            return relay.fault
        return (relay.fault or _FAILURES[reason]) if reason in _FAILURES else None
