"""The ASGI application that serves only the page of the live views."""

from __future__ import annotations

import logging

from viewpoint_mcp.transports.http.access_control import AccessControl
from viewpoint_mcp.transports.http.exchange import (
    ClientDisconnected,
    Exchange,
    Receive,
    RequestRefused,
    Scope,
    Send,
)
from viewpoint_mcp.transports.http.live_view.endpoint import LiveViewEndpoint, Views

log = logging.getLogger(__name__)

_KEEP_ALIVE_INTERVAL = 15.0  # seconds


class LiveViewApp:
    """An ASGI application for the live views of a server, for requests to loopback.

    Args:
        views: The views of the server.
    """

    def __init__(self, views: Views) -> None:
        self._endpoint = LiveViewEndpoint(views)
        self._access_control = AccessControl(None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, as the ASGI interface defines."""
        exchange = Exchange(scope, receive, send, keep_alive_interval=_KEEP_ALIVE_INTERVAL)
        try:
            self._access_control.check_host_and_origin(exchange)
            if not self._endpoint.serves(exchange.path):
                raise RequestRefused(404, "Unknown path. Use the URL of the live view.")
            await self._endpoint.serve(exchange)
        except RequestRefused as refused:
            await exchange.send_refusal(refused)
        except ClientDisconnected:
            pass
        except Exception:  # A bug. Log it; the ASGI server sends the client a status 500.
            log.exception("%s %.100r failed", exchange.method, exchange.path)
            raise

    async def close(self, *, grace: float = 0.0) -> None:
        """End all requests. Idempotent."""
        await self._endpoint.close()
