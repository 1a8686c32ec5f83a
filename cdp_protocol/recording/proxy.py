"""Stands between a browser and any client, passes on what both say, and has it noted."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from cdp_protocol.discovery.endpoint import BROWSER_PATH, find
from cdp_protocol.discovery.http_get import get
from cdp_protocol.errors import EndpointError, without_secrets
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
# Codes that no frame may carry: none was given, the socket broke, TLS failed.
_UNSAYABLE = frozenset({1005, 1006, 1015})
_GOING_AWAY = 1001


@dataclass(frozen=True, slots=True)
class Behind:
    """The browser behind a proxy.

    Attributes:
        url: The WebSocket address of the browser itself.
        has_http: Whether it tells of itself and its targets over HTTP.
        product: As /json/version names it; "" if that is unknown.
        protocol: The version of the protocol.
    """

    url: str
    headers: Mapping[str, str]
    has_http: bool
    product: str = ""
    protocol: str = "1.3"

    @property
    def _base(self) -> tuple[SplitResult, str]:
        """Its address, and the part of the path that stands before all of the browser's own."""
        url = urlsplit(self.url)
        return url, url.path.partition(_DEVTOOLS)[0] if _DEVTOOLS in url.path else ""

    def socket(self, path: str) -> str:
        """Return the address of one of its WebSockets.

        Args:
            path: As the client named it, with its query.
        """
        url, prefix = self._base
        asked = urlsplit(path)
        if not self.has_http or not asked.path.startswith(_DEVTOOLS):
            return self.url  # the only one there is
        return url._replace(path=prefix + asked.path, query=asked.query or url.query).geturl()

    def resource(self, path: str) -> SplitResult:
        """Return the address of one of its HTTP resources."""
        url, prefix = self._base
        asked = urlsplit(path)
        scheme = "https" if url.scheme == "wss" else "http"
        return url._replace(scheme=scheme, path=prefix + asked.path, query=asked.query)


async def reach(
    endpoint: str, headers: Mapping[str, str], *, timeout: float | None = None
) -> Behind:
    """Find the browser that is to be recorded.

    Args:
        endpoint: `ws(s)://`, `http(s)://`, `host:port`, or a port.
        headers: Sent with every request to it.
        timeout: Seconds for all of it; None for as long as it takes.

    Raises:
        EndpointError: Nobody answers there.
    """
    try:
        async with asyncio.timeout(timeout):
            return await _look(endpoint, headers)
    except TimeoutError:
        raise EndpointError(endpoint, f"no answer within {timeout or 0:g} s") from None


async def _look(endpoint: str, headers: Mapping[str, str]) -> Behind:
    url = (await find(endpoint, headers)).urls[0]
    behind = Behind(url, headers, has_http=True)
    try:
        version = decode((await get(behind.resource("/json/version"), headers)).body)
        return Behind(
            url,
            headers,
            has_http=True,
            product=str(version["Browser"]),
            protocol=str(version.get("Protocol-Version", "1.3")),
        )
    except (OSError, EOFError, ValueError, LookupError, TypeError, AttributeError):
        behind = Behind(url, headers, has_http=False)
    await _try(behind)  # nobody has answered yet
    return behind


async def _try(behind: Behind) -> None:
    """Open the WebSocket once, to see that there is one."""
    from websockets.exceptions import WebSocketException

    try:
        browser = await _connect(behind, "")
    except (OSError, EOFError, ValueError, WebSocketException) as error:
        reason = without_secrets(str(error)) or type(error).__name__
        raise EndpointError(behind.url, reason) from error
    await browser.close()


async def _connect(behind: Behind, path: str) -> ClientConnection:
    """Open a WebSocket of the browser.

    Args:
        path: As the client named it.
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
    """Answers as the browser behind it does, by every address that leads there; see `Front`.

    Args:
        behind: The browser.
        recorder: Notes all of it; not closed here.

    Attributes:
        connections: How many WebSockets there were.
        open: The numbers, in the recording, of those that are open.
    """

    def __init__(self, behind: Behind, recorder: Recorder) -> None:
        self._behind = behind
        self._recorder = recorder
        self.connections = 0
        self.open: set[int] = set()

    def begin(self) -> None:
        """Begin the recording, unless something was recorded already: see `Recorder.begin`."""
        behind = self._behind
        self._recorder.begin(product=behind.product, protocol=behind.protocol, endpoint=behind.url)

    async def answer(self, method: str, path: str, host: str) -> Answer:
        asked = urlsplit(path).path
        if not asked.startswith("/json"):
            return Answer(404, "Here are /json/version, /json/list and what belongs to them.\n")
        if not self._behind.has_http:
            return self._own_answer(asked, host)
        address = self._behind.resource(path)
        try:
            answer = await get(address, self._behind.headers, method=method)
        except (OSError, EOFError, ValueError) as error:
            return Answer(502, f"The browser behind this proxy does not answer: {error}\n")
        body = _read(answer.body)
        self.begin()
        self._recorder.fetched(path, answer.status, body)
        return Answer(answer.status, pointed_here(body, host))

    async def converse(self, socket: ServerConnection, path: str) -> None:
        from websockets.exceptions import WebSocketException

        self.connections += 1
        try:
            browser = await _connect(self._behind, path)
        except (OSError, EOFError, ValueError, WebSocketException) as error:
            reason = without_secrets(str(error)) or type(error).__name__
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
        """Pass on what one side says, in its order, until either has gone; then its closing."""
        from websockets.exceptions import ConnectionClosed

        try:
            async for message in source:
                self._recorder.said(number, side, message)
                await sink.send(message)
        except ConnectionClosed:
            pass
        if source.close_code is None or number not in self.open:
            return  # it was the other one
        self.open.discard(number)
        code, said = source.close_code, source.close_reason or ""
        self._recorder.closed(number, side, f"code {code}{f', {said}' if said else ''}")
        await sink.close(_GOING_AWAY if code in _UNSAYABLE else code, said)

    def _own_answer(self, path: str, host: str) -> Answer:
        """Answer for a browser that does not tell of itself: there is its WebSocket."""
        if path != "/json/version":
            return Answer(404, "The browser behind this proxy tells nothing over HTTP.\n")
        return Answer(200, {"webSocketDebuggerUrl": f"ws://{host}{BROWSER_PATH}"})


def _read(body: bytes) -> Any:
    try:
        return decode(body)
    except ValueError:
        return body.decode(errors="replace")


def _fitting(reason: str) -> str:
    """A reason in the 123 bytes that a closing frame has for it."""
    return reason.encode()[:120].decode(errors="ignore")
