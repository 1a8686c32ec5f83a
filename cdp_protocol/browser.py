"""The root session of a connection, with the browser process if this program launched it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cdp_protocol.errors import CallTimeout, CdpError
from cdp_protocol.session import Session

if TYPE_CHECKING:
    from cdp_protocol.launching.process import BrowserProcess

_CLOSE_TIMEOUT = 1.0  # seconds to wait for the response to Browser.close
_EXIT_TIMEOUT = 3.0  # seconds to wait for the process to exit


class Browser(Session):
    """The root session of a connection, which reaches the browser itself.

    Sessions with targets are attached through it. If the address of the connection names one target
    (`ws://…/devtools/page/…`), the root session reaches that target instead of the browser.

    Attributes:
        process: The browser process if this program launched it, else None. `close` ends it.
    """

    process: BrowserProcess | None = None

    @property
    def endpoint(self) -> str:
        """The WebSocket address of the connection, which may contain secrets; "" for a pipe."""
        return self.connection.endpoint

    async def close(self) -> None:
        """Close the connection, and end the browser if this program launched it. Idempotent.

        A browser that this program only connected to keeps running.
        """
        process = self.process
        if process is None:
            await self.connection.close()
            return
        grace = _EXIT_TIMEOUT
        try:
            # This command lets Chromium save a kept profile before it exits.
            await self.send("Browser.close", timeout=_CLOSE_TIMEOUT)
        except CallTimeout:
            grace = 0  # The browser hangs, so it is killed at once.
        except CdpError:
            pass  # The connection is already closed, or the browser has exited.
        finally:
            try:
                await self.connection.close()
            finally:
                await process.close(grace=grace)
