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
from cdp_protocol.recording.debug_server import Answer, pointed_here
from cdp_protocol.recording.format import Side
from cdp_protocol.recording.recorder import Recorder
from cdp_protocol.wire.codec import decode

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection
    from websockets.asyncio.server import ServerConnection

log = logging.getLogger(__name__)

_DEVTOOLS = "/devtools/"
_CLOSE_SECONDS = 1.0
# Reserved close codes that no close frame may contain: no code, connection lost, TLS failed.
_UNSAYABLE = frozenset({1005, 1006, 1015})
_GOING_AWAY = 1001


@dataclass(frozen=True, slots=True)
class Behind:
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
    def _base(self) -> tuple[SplitResult, str]:
        """The parsed URL, and the path prefix before `/devtools/`; "" if the prefix is unknown."""
        url = urlsplit(self.url)
        return url, url.path.partition(_DEVTOOLS)[0] if _DEVTOOLS in url.path else ""

    def socket(self, path: str) -> str:
        """Return the browser's WebSocket URL for the path that a client requested.

        Args:
            path: The path of the client's request, with its query. Without HTTP interface or for
                another path than `/devtools/…`, the result is `url`.
        """
        url, prefix = self._base
        asked = urlsplit(path)
        if not self.has_http or not asked.path.startswith(_DEVTOOLS):
            return self.url  # The only known WebSocket.
        return url._replace(path=prefix + asked.path, query=asked.query or url.query).geturl()

    def resource(self, path: str) -> SplitResult:
        """Return the browser's URL for an HTTP resource such as /json/list."""
        url, prefix = self._base
        asked = urlsplit(path)
        scheme = "https" if url.scheme == "wss" else "http"
        return url._replace(scheme=scheme, path=prefix + asked.path, query=asked.query)


async def reach(
    endpoint: str, headers: Mapping[str, str], *, timeout: float | None = None
) -> Behind:
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
            return await _look(endpoint, headers)
    except TimeoutError:
        raise EndpointError(endpoint, f"no answer within {timeout or 0:g} s") from None


async def _look(endpoint: str, headers: Mapping[str, str]) -> Behind:
    url = (await find_candidate_urls(endpoint, headers)).urls[0]
    behind = Behind(url, headers, has_http=True)
    try:
        version = decode((await send_request(behind.resource("/json/version"), headers)).body)
        return Behind(
            url,
            headers,
            has_http=True,
            product=str(version["Browser"]),
            protocol=str(version.get("Protocol-Version", "1.3")),
        )
    except (OSError, EOFError, ValueError, LookupError, TypeError, AttributeError):
        behind = Behind(url, headers, has_http=False)
    await _try(behind)  # /json/version did not answer, so only this proves that a browser does.
    return behind


async def _try(behind: Behind) -> None:
    """Open and close the browser's WebSocket, to check that it answers."""
    from websockets.exceptions import WebSocketException

    try:
        browser = await _connect(behind, "")
    except (OSError, EOFError, ValueError, WebSocketException) as error:
        reason = mask_url_secrets(str(error)) or type(error).__name__
        raise EndpointError(behind.url, reason) from error
    await browser.close()


async def _connect(behind: Behind, path: str) -> ClientConnection:
    """Open a WebSocket of the browser.

    Args:
        behind: The browser.
        path: The path that the client requested, with its query.
    """
    from websockets.asyncio.client import connect

    return await connect(
        behind.socket(path),
        additional_headers=behind.headers,
        max_size=None,
        compression=None,
        ping_interval=None,
        close_timeout=_CLOSE_SECONDS,
        proxy=None,
    )


class RecordingProxy:
    """A `Front` that forwards requests and messages to a browser, and records them.

    Args:
        behind: The browser.
        recorder: Records the traffic. The caller closes it.

    Attributes:
        connections: The number of WebSockets that clients opened so far.
        open: The numbers of the open connections in the recording.
    """

    def __init__(self, behind: Behind, recorder: Recorder) -> None:
        self._behind = behind
        self._recorder = recorder
        self.connections = 0
        self.open: set[int] = set()

    def begin(self) -> None:
        """Write the header of the recording, unless it is written already.

        See `Recorder.begin`.
        """
        behind = self._behind
        self._recorder.begin(product=behind.product, protocol=behind.protocol, endpoint=behind.url)

    async def answer(self, method: str, path: str, host: str) -> Answer:
        """Forward an HTTP request to the browser, record and return the response.

        WebSocket URLs in the response point to this proxy. Paths outside of /json get 404.
        """
        asked = urlsplit(path).path
        if not asked.startswith("/json"):
            return Answer(404, "Here are /json/version, /json/list and what belongs to them.\n")
        if not self._behind.has_http:
            return self._own_answer(asked, host)
        address = self._behind.resource(path)
        try:
            answer = await send_request(address, self._behind.headers, method=method)
        except (OSError, EOFError, ValueError) as error:
            return Answer(502, f"The browser behind this proxy does not answer: {error}\n")
        body = _read(answer.body)
        self.begin()
        self._recorder.fetched(path, answer.status, body)
        return Answer(answer.status, pointed_here(body, host))

    async def converse(self, socket: ServerConnection, path: str) -> None:
        """Connect a client's WebSocket with the browser, until either side closes it."""
        from websockets.exceptions import WebSocketException

        self.connections += 1
        try:
            browser = await _connect(self._behind, path)
        except (OSError, EOFError, ValueError, WebSocketException) as error:
            reason = mask_url_secrets(str(error)) or type(error).__name__
            log.warning("%s cannot be reached in the browser: %s", path.partition("?")[0], reason)
            await socket.close(1011, _fitting(reason))
            return
        self.begin()
        await self._relay(socket, browser, self._recorder.opened(path))

    async def _relay(
        self, client: ServerConnection, browser: ClientConnection, number: int
    ) -> None:
        self.open.add(number)
        ways = [
            asyncio.create_task(self._pass(client, browser, number, "client")),
            asyncio.create_task(self._pass(browser, client, number, "browser")),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            await asyncio.gather(client.close(), browser.close(), return_exceptions=True)
            self.open.discard(number)

    async def _pass(
        self,
        source: ServerConnection | ClientConnection,
        sink: ServerConnection | ClientConnection,
        number: int,
        side: Side,
    ) -> None:
        """Forward the messages of one side in order until either side closes its WebSocket.

        If the source closed first, record the end of the connection and close the sink as well.
        """
        from websockets.exceptions import ConnectionClosed

        try:
            async for message in source:
                self._recorder.said(number, side, message)
                await sink.send(message)
        except ConnectionClosed:
            pass
        if source.close_code is None or number not in self.open:
            return  # The other side closed the connection.
        self.open.discard(number)
        code, said = source.close_code, source.close_reason or ""
        self._recorder.closed(number, side, f"code {code}{f', {said}' if said else ''}")
        await sink.close(_GOING_AWAY if code in _UNSAYABLE else code, said)

    def _own_answer(self, path: str, host: str) -> Answer:
        """Return the response for a browser without HTTP interface, with this proxy's WebSocket."""
        if path != "/json/version":
            return Answer(404, "The browser behind this proxy tells nothing over HTTP.\n")
        return Answer(200, {"webSocketDebuggerUrl": f"ws://{host}{BROWSER_PATH}"})


def _read(body: bytes) -> Any:
    try:
        return decode(body)
    except ValueError:
        return body.decode(errors="replace")


def _fitting(reason: str) -> str:
    """Return a reason shortened for a close frame, which holds at most 123 bytes."""
    return reason.encode()[:120].decode(errors="ignore")
