"""The protocol description of a browser, with the bundled one as fallback."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_protocol.cli.options.browser_options import BrowserChoice
from cdp_protocol.errors import EndpointError

if TYPE_CHECKING:
    from cdp_protocol.browser import Browser
    from cdp_protocol.description import Description


async def load_description(browser: Browser, choice: BrowserChoice) -> Description:
    """Return the description that the browser serves, or the bundled one if it serves none.

    Gateways serve none, nor do browsers on a pipe or those that ask their user first.
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
