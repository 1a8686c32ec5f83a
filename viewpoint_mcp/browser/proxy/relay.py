"""A proxy of our own on loopback that passes on to one that wants credentials.

Chromium is given the relay as its proxy and never learns the credentials.
"""

from __future__ import annotations

import asyncio
import logging
import ssl

from viewpoint_mcp.browser.proxy.http import HttpRelay
from viewpoint_mcp.browser.proxy.peers import is_same_user
from viewpoint_mcp.browser.proxy.socks import relay_socks
from viewpoint_mcp.browser.proxy.streams import CHUNK, Stream
from viewpoint_mcp.browser.proxy.trouble import ProxyTrouble
from viewpoint_mcp.errors import BrowserError
from viewpoint_mcp.settings import Proxy
from viewpoint_mcp.tasks import Tasks

log = logging.getLogger(__name__)

_LOOPBACK = "127.0.0.1"
_CONNECT_LIMIT = 20.0  # seconds


class Relay:
    """Listens on a port of its own for one context of the browser. Made by `open`.

    Attributes:
        server: The relay as Chromium takes it: `scheme://host:port`.
        trouble: What the proxy did last that is no good, to follow its name; None when it serves.
    """

    def __init__(self, proxy: Proxy) -> None:
        self.server = ""
        self.trouble: str | None = None
        self._proxy = proxy
        self._tls = ssl.create_default_context() if proxy.scheme == "https" else None
        self._listener: asyncio.Server | None = None
        self._tasks = Tasks()

    @classmethod
    async def open(cls, proxy: Proxy) -> Relay:
        """Listen.

        Raises:
            BrowserError: The system gives no port.
        """
        relay = cls(proxy)
        try:
            listener = await asyncio.start_server(relay._accepted, _LOOPBACK, 0, limit=CHUNK)
        except OSError as error:
            raise BrowserError(f"No port for the proxy's relay could be had: {error}") from error
        scheme = "socks5" if proxy.scheme == "socks5" else "http"
        relay._listener = listener
        relay.server = f"{scheme}://{_LOOPBACK}:{listener.sockets[0].getsockname()[1]}"
        return relay

    async def close(self) -> None:
        """Stop listening and cut all connections. Idempotent."""
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.close()
        await self._tasks.close()

    def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = Stream(reader, writer)
        peer, here = writer.get_extra_info("peername"), writer.get_extra_info("sockname")
        if self._listener is None:
            client.abort()  # it came while we closed
        elif not is_same_user(peer, here):
            log.warning("Another user's process wanted to use a proxy's credentials.")
            self.trouble = "is kept from processes of other users, such as this browser"
            client.abort()
        else:
            self._tasks.start(self._serve(client))

    async def _serve(self, client: Stream) -> None:
        streams = [client]

        async def dial() -> Stream:
            streams.append(await self._dial())
            return streams[-1]

        try:
            if self._proxy.scheme == "socks5":
                await relay_socks(client, dial, self._proxy, self._met)
            else:
                await HttpRelay(client, dial, self._met).run(self._proxy)
        except ProxyTrouble as trouble:
            self.trouble = str(trouble)
        except (OSError, EOFError, asyncio.LimitOverrunError, ValueError) as error:
            log.debug("A connection through a proxy broke: %s", type(error).__name__)
        except asyncio.CancelledError:
            for stream in streams:
                stream.abort()
            raise
        finally:
            await asyncio.gather(*(stream.close() for stream in streams))

    async def _dial(self) -> Stream:
        try:
            async with asyncio.timeout(_CONNECT_LIMIT):
                reader, writer = await asyncio.open_connection(
                    self._proxy.host, self._proxy.port, ssl=self._tls, limit=CHUNK
                )
        except TimeoutError:
            raise ProxyTrouble("does not answer") from None
        except ssl.SSLError as error:
            raise ProxyTrouble(f"has no TLS that can be trusted ({error.reason})") from None
        except OSError:
            raise ProxyTrouble("cannot be reached") from None
        return Stream(reader, writer)

    def _met(self) -> None:
        self.trouble = None
