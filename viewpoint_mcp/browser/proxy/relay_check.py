"""Verification that a browser's traffic goes through the relay that enforces the origin rules."""

from __future__ import annotations

from contextlib import suppress

from cdp_protocol import CdpError, Session
from viewpoint_mcp.browser.proxy.proxy_route import ProxyRoute
from viewpoint_mcp.errors import BrowserError


async def check_relay_is_used(root: Session, proxy_route: ProxyRoute) -> None:
    """Check that a request of the browser arrives at the relay.

    The browser requests a host that does not exist. Without origin rules nothing is checked.

    Raises:
        BrowserError: The relay received nothing, because a policy or an extension sets another
            proxy.

    Source: CDP `Target.attachToTarget`, `Page.navigate`.
    """
    origin_filter = proxy_route.origin_filter
    if origin_filter is None:
        return
    from viewpoint_mcp.browser.storage.origin_storage import create_hidden_target

    target_id = await create_hidden_target(root, None)
    try:
        session = await root.attach(target_id)
        # This returns after the navigation has failed.
        await session.Page.navigate(url=f"http://{origin_filter.probe_host}/")
    finally:
        with suppress(CdpError):
            await root.Target.closeTarget(targetId=target_id)
    if not origin_filter.has_seen_probe:
        raise BrowserError(
            "Chromium ignores --allowed-origins and --blocked-origins, because a policy or an "
            "extension sets another proxy.",
            "Remove that policy or extension, or start the server without the lists.",
        )
