"""Tabs without a renderer process, discarded to save memory or crashed."""

from __future__ import annotations

from contextlib import suppress

from cdp_protocol import CallTimeout, ProtocolError, Session

_ANSWER_LIMIT = 0.5  # seconds without an answer before a tab is suspected to have no process
_LOAD_LIMIT = 3.0
_INTERNAL_ERROR = -32603  # Chromium's error for a tab that has nothing to capture


async def reload_if_discarded(session: Session) -> bool:
    """Reload a tab that has no renderer process, because it was discarded or crashed.

    A tab that is busy or blocked by a dialog has a process and is not changed.

    Returns:
        Whether the tab was reloaded.

    Source: CDP `Page.reload`; `Page.captureScreenshot`, which the browser process itself refuses
    for a tab that has nothing to show.
    """
    with suppress(CallTimeout):
        await session.send("Runtime.evaluate", {"expression": "0"}, timeout=_ANSWER_LIMIT)
        return False
    try:
        await session.send("Page.captureScreenshot", timeout=_ANSWER_LIMIT)
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
