"""Proxy between a browser and its CDP clients that records all messages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from cdp_protocol.discovery.endpoint import BROWSER_PATH, find_candidate_urls
from cdp_protocol.discovery.http_client import send_request
from cdp_protocol.errors import EndpointError, mask_url_secrets
from cdp_protocol.recording.file_format import Side
from cdp_protocol.recording.recorder import Recorder
from cdp_protocol.recording.remote_debugging_server import ServerResponse, redirect_websocket_urls
from cdp_protocol.wire.json_codec import decode

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection
    from websockets.asyncio.server import ServerConnection

log = logging.getLogger(__name__)

_DEVTOOLS_PATH = "/devtools/"
_CLOSE_TIMEOUT = 1.0
# Reserved close codes that no close frame may contain: no code, connection lost, TLS failed.
_RESERVED_CLOSE_CODES = frozenset({1005, 1006, 1015})
_GOING_AWAY = 1001


@dataclass(frozen=True, slots=True)
class ProxiedBrowser:
    """The browser behind a proxy.

    Attributes:
        url: The WebSocket URL of the browser target.
        headers: HTTP headers sent with each request to the browser.
        has_http: Whether the browser serves /json/version.
        product: The browser's name and version from /json/version; "" if unknown.
        protocol: The version of the protocol.
    """

    url: str
    headers: Mapping[str, str]
    has_http: bool
    product: str = ""
    protocol: str = "1.3"

    @property
    def _parsed_url_and_path_prefix(self) -> tuple[SplitResult, str]:
        """The parsed URL, and the path prefix before `/devtools/`; "" if the prefix is unknown."""
        url = urlsplit(self.url)
        return url, url.path.partition(_DEVTOOLS_PATH)[0] if _DEVTOOLS_PATH in url.path else ""

    def websocket_url(self, path: str) -> str:
        """Return the browser's WebSocket URL for the path that a client requested.

        Args:
            path: The path of the client's request, with its query. Without HTTP interface or for
                another path than `/devtools/…`, the result is `url`.
        """
        url, prefix = self._parsed_url_and_path_prefix
        requested = urlsplit(path)
        if not self.has_http or not requested.path.startswith(_DEVTOOLS_PATH):
            return self.url  # The only known WebSocket.
        return url._replace(
            path=prefix + requested.path, query=requested.query or url.query
        ).geturl()

    def browser_http_url(self, path: str) -> SplitResult:
        """Return the browser's URL for an HTTP resource such as /json/list."""
        url, prefix = self._parsed_url_and_path_prefix
        requested = urlsplit(path)
        scheme = "https" if url.scheme == "wss" else "http"
        return url._replace(scheme=scheme, path=prefix + requested.path, query=requested.query)


async def find_proxied_browser(
    endpoint: str, headers: Mapping[str, str], *, timeout: float | None = None
) -> ProxiedBrowser:
    """Find the browser at an endpoint, and check that it answers.

    Args:
        endpoint: `ws(s)://`, `http(s)://`, `host:port`, or a port.
        headers: HTTP headers sent with each request to the browser.
        timeout: The time limit in seconds for the whole search; None for no limit.

    Raises:
        EndpointError: No browser answers at the endpoint within the time limit.
    """
    try:
        async with asyncio.timeout(timeout):
            return await _detect_proxied_browser(endpoint, headers)
    except TimeoutError:
        raise EndpointError(endpoint, f"no response within {timeout or 0:g} s") from None


async def _detect_proxied_browser(endpoint: str, headers: Mapping[str, str]) -> ProxiedBrowser:
    url = (await find_candidate_urls(endpoint, headers)).urls[0]
    browser = ProxiedBrowser(url, headers, has_http=True)
    try:
        version = decode(
            (await send_request(browser.browser_http_url("/json/version"), headers)).body
        )
        return ProxiedBrowser(
            url,
            headers,
            has_http=True,
            product=str(version["Browser"]),
            protocol=str(version.get("Protocol-Version", "1.3")),
        )
    except (OSError, EOFError, ValueError, LookupError, TypeError, AttributeError):
        browser = ProxiedBrowser(url, headers, has_http=False)
    # /json/version did not answer, so only this check proves that a browser does.
    await _check_websocket_opens(browser)
    return browser


async def _check_websocket_opens(proxied: ProxiedBrowser) -> None:
    """Open and close the browser's WebSocket, to check that it answers."""
    from websockets.exceptions import WebSocketException

    try:
        socket = await _open_websocket(proxied, "")
    except (OSError, EOFError, ValueError, WebSocketException) as error:
        reason = mask_url_secrets(str(error)) or type(error).__name__
        raise EndpointError(proxied.url, reason) from error
    await socket.close()


async def _open_websocket(proxied: ProxiedBrowser, path: str) -> ClientConnection:
    """Open a WebSocket of the browser.

    Args:
        proxied: The browser.
        path: The path that the client requested, with its query.
    """
    from websockets.asyncio.client import connect

    return await connect(
        proxied.websocket_url(path),
        additional_headers=proxied.headers,
        max_size=None,
        compression=None,
        ping_interval=None,
        close_timeout=_CLOSE_TIMEOUT,
        proxy=None,
    )


class RecordingProxy:
    """A `RequestHandler` that forwards requests and messages to a browser, and records them.

    Args:
        browser: The browser.
        recorder: Records the traffic. The caller closes it.

    Attributes:
        connection_count: How many WebSockets clients have opened.
        open_connections: The open connections, by the number that the recording gives each.
    """

    def __init__(self, browser: ProxiedBrowser, recorder: Recorder) -> None:
        self._browser = browser
        self._recorder = recorder
        self.connection_count = 0
        self.open_connections: set[int] = set()

    def write_header(self) -> None:
        """Write the header of the recording, unless it is written already.

        See `Recorder.write_header`.
        """
        browser = self._browser
        self._recorder.write_header(
            product=browser.product, protocol=browser.protocol, endpoint=browser.url
        )

    async def respond(self, method: str, path: str, host: str) -> ServerResponse:
        """Forward an HTTP request to the browser, record and return the response.

        WebSocket URLs in the response point to this proxy. Paths outside of /json get 404.
        """
        requested_path = urlsplit(path).path
        if not requested_path.startswith("/json"):
            return ServerResponse(
                404, "This server has /json/version, /json/list and related resources.\n"
            )
        if not self._browser.has_http:
            return self._respond_for_browser_without_http(requested_path, host)
        address = self._browser.browser_http_url(path)
        try:
            response = await send_request(address, self._browser.headers, method=method)
        except (OSError, EOFError, ValueError) as error:
            return ServerResponse(502, f"The browser behind this proxy does not answer: {error}\n")
        body = _decode_json_or_text(response.body)
        self.write_header()
        self._recorder.record_http_response(path, response.status, body)
        return ServerResponse(response.status, redirect_websocket_urls(body, host))

    async def serve_socket(self, socket: ServerConnection, path: str) -> None:
        """Connect a client's WebSocket with the browser, until either side closes it."""
        from websockets.exceptions import WebSocketException

        self.connection_count += 1
        try:
            browser = await _open_websocket(self._browser, path)
        except (OSError, EOFError, ValueError, WebSocketException) as error:
            reason = mask_url_secrets(str(error)) or type(error).__name__
            log.warning("Cannot open %s in the browser: %s", path.partition("?")[0], reason)
            await socket.close(1011, _shorten_close_reason(reason))
            return
        self.write_header()
        await self._relay(socket, browser, self._recorder.record_connection_start(path))

    async def _relay(
        self, client: ServerConnection, browser: ClientConnection, connection: int
    ) -> None:
        self.open_connections.add(connection)
        tasks = [
            asyncio.create_task(self._forward(client, browser, connection, "client")),
            asyncio.create_task(self._forward(browser, client, connection, "browser")),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.gather(client.close(), browser.close(), return_exceptions=True)
            self.open_connections.discard(connection)

    async def _forward(
        self,
        source: ServerConnection | ClientConnection,
        destination: ServerConnection | ClientConnection,
        connection: int,
        side: Side,
    ) -> None:
        """Forward the messages of one side in order until either side closes its WebSocket.

        If the source closed first, record the end of the connection and close the destination too.
        """
        from websockets.exceptions import ConnectionClosed

        try:
            async for message in source:
                self._recorder.record_message(connection, side, message)
                await destination.send(message)
        except ConnectionClosed:
            pass
        if source.close_code is None or connection not in self.open_connections:
            return  # The other side closed the connection.
        self.open_connections.discard(connection)
        code, reason = source.close_code, source.close_reason or ""
        self._recorder.record_connection_end(
            connection, side, f"code {code}{f', {reason}' if reason else ''}"
        )
        await destination.close(_GOING_AWAY if code in _RESERVED_CLOSE_CODES else code, reason)

    def _respond_for_browser_without_http(self, path: str, host: str) -> ServerResponse:
        """Return the response for a browser without HTTP interface, with this proxy's WebSocket."""
        if path != "/json/version":
            return ServerResponse(404, "The browser behind this proxy has no HTTP interface.\n")
        return ServerResponse(200, {"webSocketDebuggerUrl": f"ws://{host}{BROWSER_PATH}"})


def _decode_json_or_text(body: bytes) -> Any:
    try:
        return decode(body)
    except ValueError:
        return body.decode(errors="replace")


def _shorten_close_reason(reason: str) -> str:
    """Return a reason shortened for a close frame, which holds at most 123 bytes."""
    return reason.encode()[:120].decode(errors="ignore")
