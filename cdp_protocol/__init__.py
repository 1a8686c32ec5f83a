"""An asyncio client of the Chrome DevTools Protocol (CDP), without a model of pages or elements.

    import cdp_protocol

    async with cdp_protocol.connect("http://127.0.0.1:9222") as browser:
        target = await browser.Target.createTarget(url="about:blank")
        async with browser.attach(target) as page:
            await page.Page.enable()
            async with page.expect(page.Page.loadEventFired) as loaded:
                await page.Page.navigate(url="https://example.org")
                await loaded
            await page.Network.enable()
            async with page.events(page.Network.requestWillBeSent) as requests:
                async for request in requests:
                    print(request["request"]["url"])

`launch` starts a browser instead of connecting to one. `page.on` registers an event handler,
`page.auto_attach` iterates over the sessions of new targets, and `page.read` reads a stream.
`cdp_protocol.sync` is the client for programs without asyncio. To send a command that the generated
types do not contain, use `page.send("Domain.method", {...})`.
"""

from __future__ import annotations

import sys
from types import MappingProxyType
from typing import TYPE_CHECKING

from cdp_protocol.awaitable_opening import Opening
from cdp_protocol.browser import Browser
from cdp_protocol.connection import Connection
from cdp_protocol.errors import (
    CallTimeout,
    CdpError,
    ConnectionLost,
    EndpointError,
    LaunchError,
    ProtocolError,
    SessionClosed,
    TargetNotFound,
    Unanswered,
    mask_url_secrets,
)
from cdp_protocol.event_stream import EventStream
from cdp_protocol.events import Event, Expectation, Subscription
from cdp_protocol.session import Session
from cdp_protocol.transport import Transport

if TYPE_CHECKING:
    from cdp_protocol.auto_attach import AutoAttach
    from cdp_protocol.discovery.endpoint import endpoint_from_profile, websocket_url
    from cdp_protocol.launching.launch import launch
    from cdp_protocol.running_browser import connect, open_connection, target_ids_by_last_use
    from cdp_protocol.wire.websocket import WebSocketTransport

# These names are imported on first use. Discovery and launching take as long to import as the rest
# of the package. Programs that bring a transport or use only the types do not need them.
_LAZY_IMPORTS = MappingProxyType(
    {
        "AutoAttach": "cdp_protocol.auto_attach",
        "WebSocketTransport": "cdp_protocol.wire.websocket",
        "connect": "cdp_protocol.running_browser",
        "endpoint_from_profile": "cdp_protocol.discovery.endpoint",
        "launch": "cdp_protocol.launching.launch",
        "open_connection": "cdp_protocol.running_browser",
        "target_ids_by_last_use": "cdp_protocol.running_browser",
        "websocket_url": "cdp_protocol.discovery.endpoint",
    }
)

_RENAMED = MappingProxyType(
    {
        "by_last_use": "target_ids_by_last_use",
        "reach": "open_connection",
        "without_secrets": "mask_url_secrets",
    }
)

__all__ = [
    "AutoAttach",
    "Browser",
    "CallTimeout",
    "CdpError",
    "Connection",
    "ConnectionLost",
    "EndpointError",
    "Event",
    "EventStream",
    "Expectation",
    "LaunchError",
    "Opening",
    "ProtocolError",
    "Session",
    "SessionClosed",
    "Subscription",
    "TargetNotFound",
    "Transport",
    "Unanswered",
    "WebSocketTransport",
    "connect",
    "endpoint_from_profile",
    "launch",
    "mask_url_secrets",
    "open_connection",
    "target_ids_by_last_use",
    "websocket_url",
]


# A type checker that sees this `__getattr__` would accept any attribute name.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if new_name := _RENAMED.get(name):
            from warnings import warn

            warn(f"cdp_protocol.{name} is now {new_name}", DeprecationWarning, stacklevel=2)
            return getattr(sys.modules[__name__], new_name)
        if name not in _LAZY_IMPORTS:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value = globals()[name] = getattr(import_module(_LAZY_IMPORTS[name]), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY_IMPORTS})
