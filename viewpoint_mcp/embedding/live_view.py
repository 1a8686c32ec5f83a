"""The live views of a server, and the listener that serves them where no HTTP server does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.background_tasks import cancel_and_wait
from viewpoint_mcp.live_view.live_views import LiveViews

if TYPE_CHECKING:
    from viewpoint_mcp.transports.http.server import HttpServer

_HOST: Final = "127.0.0.1"


class LoopbackListener:
    """Serves the page of live views on a free port of loopback, until `close`.

    Attributes:
        address: The URL of the page, without a key.
    """

    def __init__(self, server: HttpServer, address: str) -> None:
        self.address = address
        self._serving = asyncio.create_task(server.serve())

    async def close(self) -> None:
        """Stop serving. Idempotent."""
        await cancel_and_wait(self._serving)


def make_live_views() -> LiveViews:
    """Return the live views of a server. They listen when the first of them is opened."""
    return LiveViews(_open_listener)


async def _open_listener(views: LiveViews) -> LoopbackListener:
    from viewpoint_mcp.config.listening import format_authority
    from viewpoint_mcp.transports.http.live_view.app import LiveViewApp
    from viewpoint_mcp.transports.http.live_view.endpoint import VIEW_PATH
    from viewpoint_mcp.transports.http.server import HttpServer, bind_sockets

    sockets = bind_sockets(_HOST, 0)
    address = format_authority(_HOST, sockets[0].getsockname()[1])
    server = HttpServer(LiveViewApp(views), sockets, grace=0.1)
    return LoopbackListener(server, f"http://{address}{VIEW_PATH}")
