"""Makes sure that a browser goes through the relay that keeps it to its lists of origins."""

from __future__ import annotations

from contextlib import suppress

from cdp_protocol import CdpError, Session
from viewpoint_mcp.browser.proxy.route import Route
from viewpoint_mcp.browser.storage.origin_storage import hidden_target
from viewpoint_mcp.errors import BrowserError


async def prove(root: Session, route: Route) -> None:
    """Have the browser ask for a host that does not exist, which the relay must hear of.

    Raises:
        BrowserError: It does not: a policy or an extension sets another way.

    Source: CDP `Target.attachToTarget`, `Page.navigate`.
    """
    gate = route.gate
    if gate is None:
        return
    target_id = await hidden_target(root, None)
    try:
        session = await root.attach(target_id)
        await session.Page.navigate(url=f"http://{gate.probe}/")  # answered once that has failed
    finally:
        with suppress(CdpError):
            await root.Target.closeTarget(targetId=target_id)
    if not gate.was_probed:
        raise BrowserError(
            "Chromium does not keep to --allowed-origins and --blocked-origins: a policy of this "
            "machine, or an extension of the profile, sets another proxy than this server's.",
            "Remove that, or start the server without the lists.",
        )
