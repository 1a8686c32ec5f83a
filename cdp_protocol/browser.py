"""The root session of a connection: the browser itself, and the process if we launched it."""

from __future__ import annotations

from cdp_protocol.opening import Closable
from cdp_protocol.session import Session


class Browser(Session):
    """The session that reaches the browser itself; all others begin with it.

    Of an address that names one target (`ws://…/devtools/page/…`) it reaches that target instead.

    Attributes:
        process: The browser's process, if this program launched it; closed with the browser.
    """

    process: Closable | None = None

    @property
    def endpoint(self) -> str:
        """The WebSocket address that it is spoken to at, which may hold secrets; "" by pipe."""
        return self.connection.endpoint

    async def close(self) -> None:
        """Close the connection, and end the browser if this program launched it; any number of
        times. A browser that was connected to lives on.
        """
        try:
            await self.connection.close()
        finally:
            if self.process is not None:
                await self.process.close()
