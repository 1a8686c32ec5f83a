"""An asyncio client of the Chrome DevTools Protocol. Knows the protocol, not pages or tools.

    from cdp_protocol import Connection, websocket_url

    url = await websocket_url("http://127.0.0.1:9222")
    async with Connection.open(url) as connection:
        target = await connection.root.Target.createTarget(url="about:blank")
        attached = await connection.root.Target.attachToTarget(
            targetId=target["targetId"], flatten=True
        )
        page = connection.session(attached["sessionId"])
        page.on(page.Page.frameNavigated, lambda event: print(event["frame"]["url"]))
        await page.Page.enable()
        async with page.expect(page.Page.loadEventFired) as loaded:
            await page.Page.navigate(url="https://example.org")
            await loaded

Commands that the installed types do not know go through `page.send("Domain.method", {...})`.
"""

from __future__ import annotations

from cdp_protocol.attach import by_last_use, connect
from cdp_protocol.connection import Connection
from cdp_protocol.endpoint import endpoint_from_profile, websocket_url
from cdp_protocol.errors import (
    CallTimeout,
    CdpError,
    ConnectionLost,
    EndpointError,
    ProtocolError,
    SessionClosed,
    Unanswered,
    without_secrets,
)
from cdp_protocol.events import Event, Expectation, Subscription
from cdp_protocol.session import Session
from cdp_protocol.transport import Transport, WebSocketTransport

__all__ = [
    "CallTimeout",
    "CdpError",
    "Connection",
    "ConnectionLost",
    "EndpointError",
    "Event",
    "Expectation",
    "ProtocolError",
    "Session",
    "SessionClosed",
    "Subscription",
    "Transport",
    "Unanswered",
    "WebSocketTransport",
    "by_last_use",
    "connect",
    "endpoint_from_profile",
    "websocket_url",
    "without_secrets",
]
