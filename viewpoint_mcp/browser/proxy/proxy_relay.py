"""A local proxy between Chromium and the network, or between Chromium and another proxy.

It adds the credentials that the other proxy requires, enforces the origin rules, or both. Chromium
uses the relay as its proxy and never learns the credentials.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable
from functools import partial

from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.browser.proxy.http_relay import HttpRelay
from viewpoint_mcp.browser.proxy.origin_filter import OriginFilter, OriginRefusedError
from viewpoint_mcp.browser.proxy.peer_user import LOOPBACK, is_same_user
from viewpoint_mcp.browser.proxy.proxy_error import ProxyError
from viewpoint_mcp.browser.proxy.socks_relay import connect_through, relay_through_socks
from viewpoint_mcp.browser.proxy.socks_server import serve_socks
from viewpoint_mcp.browser.proxy.streams import CHUNK, Stream
from viewpoint_mcp.config.settings import Proxy
from viewpoint_mcp.errors import BrowserError

log = logging.getLogger(__name__)

_CONNECT_LIMIT = 20.0  # seconds
_NEXT_ADDRESS_DELAY = 0.25  # seconds until the next address of a host is tried; RFC 8305 section 8

Dial = Callable[[str, int], Awaitable[Stream]]


class ProxyRelay:
    """A listener on a loopback port that serves one context of the browser. Made by `open`.

    Args:
        proxy: The upstream proxy; None to connect to destinations directly.
        origin_filter: The rules for connections; None to allow all. Required without a proxy.

    Attributes:
        server: The relay's address for Chromium: `scheme://host:port`.
        fault: The proxy's last fault, as the predicate of a sentence such as "The proxy refuses the
            credentials"; None while it works.
    """

    def __init__(self, proxy: Proxy | None, origin_filter: OriginFilter | None = None) -> None:
        self.server = ""
        self.fault: str | None = None
        self.origin_filter = origin_filter
        self._proxy = proxy
        is_secure = proxy is not None and proxy.scheme == "https"
        self._tls = ssl.create_default_context() if is_secure else None
        self._listener: asyncio.Server | None = None
        self._tasks = BackgroundTasks()

    @classmethod
    async def open(
        cls, proxy: Proxy | None, origin_filter: OriginFilter | None = None
    ) -> ProxyRelay:
        """Make a relay that listens on a free port.

        Raises:
            BrowserError: No port is available.
        """
        relay = cls(proxy, origin_filter)
        try:
            listener = await asyncio.start_server(
                relay._serve_client_if_same_user, LOOPBACK, 0, limit=CHUNK
            )
        except OSError as error:
            raise BrowserError(f"The relay for the proxy could not open a port: {error}") from error
        scheme = "socks5" if proxy is None or proxy.scheme == "socks5" else "http"
        relay._listener = listener
        relay.server = f"{scheme}://{LOOPBACK}:{listener.sockets[0].getsockname()[1]}"
        return relay

    async def close(self) -> None:
        """Stop listening and abort all connections. Idempotent."""
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.close()
        await self._tasks.close()

    def _serve_client_if_same_user(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        client = Stream(reader, writer)
        peer, here = writer.get_extra_info("peername"), writer.get_extra_info("sockname")
        if self._listener is None:
            client.abort()  # accepted while the relay was closing
        elif not is_same_user(peer, here):
            log.warning("Another user's process wanted to use a proxy's credentials.")
            self.fault = "is kept from processes of other users, such as this browser"
            client.abort()
        else:
            self._tasks.start(self._serve_client(client))

    async def _serve_client(self, client: Stream) -> None:
        streams = [client]

        async def open_tracked_stream(host: str, port: int) -> Stream:
            streams.append(await self._open_direct_stream(host, port))
            return streams[-1]

        try:
            await self._relay_client(client, open_tracked_stream)
        except OriginRefusedError:
            pass  # the filter has counted it
        except ProxyError as trouble:
            self.fault = str(trouble)
        except (OSError, EOFError, asyncio.LimitOverrunError, ValueError) as error:
            log.debug("A connection through a proxy broke: %s", type(error).__name__)
        except asyncio.CancelledError:
            for stream in streams:
                stream.abort()
            raise
        finally:
            await asyncio.gather(*(stream.close() for stream in streams))

    async def _relay_client(self, client: Stream, dial: Dial) -> None:
        proxy, origin_filter = self._proxy, self.origin_filter
        if proxy is not None and proxy.scheme != "socks5":
            await HttpRelay(
                client, partial(dial, proxy.host, proxy.port), self._clear_fault, origin_filter
            ).run(proxy)
        elif origin_filter is not None:

            async def connect_to_destination(host: str, port: int) -> Stream:
                if proxy is None:
                    upstream = await dial(host, port)
                else:
                    upstream = await dial(proxy.host, proxy.port)
                    await connect_through(upstream, proxy, host, port)
                self._clear_fault()
                return upstream

            await serve_socks(client, origin_filter, connect_to_destination)
        elif proxy is not None:
            await relay_through_socks(
                client, partial(dial, proxy.host, proxy.port), proxy, self._clear_fault
            )

    async def _open_direct_stream(self, host: str, port: int) -> Stream:
        # Names below .localhost are this machine, but its resolver may not know them (RFC 6761).
        resolvable_host = "localhost" if host.rstrip(".").endswith(".localhost") else host
        try:
            async with asyncio.timeout(_CONNECT_LIMIT):
                reader, writer = await asyncio.open_connection(
                    resolvable_host,
                    port,
                    ssl=self._tls,
                    limit=CHUNK,
                    happy_eyeballs_delay=_NEXT_ADDRESS_DELAY,
                )
        except TimeoutError:
            raise ProxyError("does not answer") from None
        except socket.gaierror:
            raise ProxyError("is not known by that name") from None
        except ssl.SSLError as error:
            raise ProxyError(f"has no TLS that can be trusted ({error.reason})") from None
        except OSError:
            raise ProxyError("cannot be reached") from None
        return Stream(reader, writer)

    def _clear_fault(self) -> None:
        self.fault = None
