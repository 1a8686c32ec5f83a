"""The root session of a connection: the browser itself, and the process if we launched it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_protocol.errors import CallTimeout, CdpError
from cdp_protocol.session import Session

if TYPE_CHECKING:
    from cdp_protocol.launching.process import BrowserProcess

_GOODBYE = 1.0  # seconds
_EXIT = 3.0


class Browser(Session):
    """The session that reaches the browser itself; all others begin with it.

    Of an address that names one target (`ws://…/devtools/page/…`) it reaches that target instead.

    Attributes:
        process: The browser's process, if this program launched it; closed with the browser.
    """

    process: BrowserProcess | None = None

    @property
    def endpoint(self) -> str:
        """The WebSocket address that it is spoken to at, which may hold secrets; "" by pipe."""
        return self.connection.endpoint

    async def close(self) -> None:
        """Close the connection, and end the browser if this program launched it; any number of
        times. A browser that was connected to lives on.
        """
        process = self.process
        if process is None:
            await self.connection.close()
            return
        grace = _EXIT
        try:
            # So it writes to a kept profile what it has to.
            await self.send("Browser.close", timeout=_GOODBYE)
        except CallTimeout:
            grace = 0  # it hangs
        except CdpError:
            pass  # the connection was closed before, or the browser is gone
        finally:
            try:
                await self.connection.close()
            finally:
                await process.close(grace=grace)
