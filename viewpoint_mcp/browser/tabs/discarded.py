"""Tabs of the user's that have no process: discarded to save memory, or crashed."""

from __future__ import annotations

from contextlib import suppress

from cdp_protocol import CallTimeout, ProtocolError, Session

_ASLEEP = 0.5  # seconds after which a tab may be one without a process
_LOAD_LIMIT = 3.0
_INTERNAL_ERROR = -32603  # what Chromium says where there is nothing that could be pictured


async def wake(session: Session) -> bool:
    """Load a tab again that has no process, because it was discarded to save memory or crashed, as
    when its user comes back to it. One that is busy, or behind a dialog, has one: it is left alone.

    Returns:
        Whether that was so.

    Source: CDP `Page.reload`; `Page.captureScreenshot`, which the browser itself refuses for a tab
    that has nothing to show.
    """
    with suppress(CallTimeout):
        await session.send("Runtime.evaluate", {"expression": "0"}, timeout=_ASLEEP)
        return False
    try:
        await session.send("Page.captureScreenshot", timeout=_ASLEEP)
    except CallTimeout:
        return False
    except ProtocolError as error:
        if error.code != _INTERNAL_ERROR:
            return False
        async with session.expect(session.Page.loadEventFired, timeout=_LOAD_LIMIT) as loaded:
            await session.Page.reload()
            await session.Page.enable()
            with suppress(CallTimeout):
                await loaded
        return True
    return False
