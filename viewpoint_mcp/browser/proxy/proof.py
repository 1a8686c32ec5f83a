"""Verification that a browser's traffic goes through the relay that enforces the origin rules."""

from __future__ import annotations

from contextlib import suppress

from cdp_protocol import CdpError, Session
from viewpoint_mcp.browser.proxy.route import Route
from viewpoint_mcp.errors import BrowserError


async def prove(root: Session, route: Route) -> None:
    """Check that a request of the browser arrives at the relay.

    The browser requests a host that does not exist. Without origin rules nothing is checked.

    Raises:
        BrowserError: The relay received nothing, because a policy or an extension sets another
            proxy.

    Source: CDP `Target.attachToTarget`, `Page.navigate`.
    """
    gate = route.gate
    if gate is None:
        return
    from viewpoint_mcp.browser.storage.origin_storage import hidden_target

    target_id = await hidden_target(root, None)
    try:
        session = await root.attach(target_id)
        await session.Page.navigate(url=f"http://{gate.probe}/")  # returns after it has failed
    finally:
        with suppress(CdpError):
            await root.Target.closeTarget(targetId=target_id)
    if not gate.was_probed:
        raise BrowserError(
            "Chromium does not keep to --allowed-origins and --blocked-origins: a policy of this "
            "machine, or an extension of the profile, sets another proxy than this server's.",
            "Remove that, or start the server without the lists.",
        )
