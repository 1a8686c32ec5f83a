"""The protocol that a browser speaks, where it can be had; otherwise the one we know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_protocol.cli.options.browser_options import BrowserChoice
from cdp_protocol.errors import EndpointError

if TYPE_CHECKING:
    from cdp_protocol.browser import Browser
    from cdp_protocol.description import Description


async def description_of(browser: Browser, choice: BrowserChoice) -> Description:
    """Ask a browser for the description of its protocol; gateways, pipes and browsers that ask
    their user have none to give.
    """
    from cdp_protocol.description import Description

    try:
        if browser.endpoint:
            return await Description.served_by(
                browser.endpoint, choice.headers, timeout=choice.timeout
            )
    except (EndpointError, ValueError):
        pass
    return Description.bundled()
