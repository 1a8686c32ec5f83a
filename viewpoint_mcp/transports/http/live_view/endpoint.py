"""The page of the live views: static files, updates by long polling, and the person's input.

The key is in the fragment of the URL, which browsers do not send. The script of the page sends it
in the header Authorization, which other sites cannot do. No cookie is set, because cookies belong
to all ports of a host.
"""

from __future__ import annotations

import asyncio
from importlib import resources
from types import MappingProxyType
from typing import Any, Final, Protocol

import msgspec

from viewpoint_mcp.errors import CallError, ViewpointError
from viewpoint_mcp.transports.http.access_control import read_bearer_key
from viewpoint_mcp.transports.http.exchange import Exchange, RequestRefused

VIEW_PATH: Final = "/view"
_UPDATES_PATH: Final = f"{VIEW_PATH}/updates"
_INPUT_PATH: Final = f"{VIEW_PATH}/input"
_FILES: Final = MappingProxyType(
    {
        VIEW_PATH: ("page.html", "text/html; charset=utf-8"),
        f"{VIEW_PATH}/view.css": ("view.css", "text/css; charset=utf-8"),
        f"{VIEW_PATH}/view.js": ("view.js", "text/javascript; charset=utf-8"),
        f"{VIEW_PATH}/input.js": ("input.js", "text/javascript; charset=utf-8"),
    }
)
_HEADERS: Final = MappingProxyType(
    {
        "cache-control": "no-store",
        "content-security-policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
    }
)
_MAX_BODY: Final = 4_000_000  # bytes; a pasted text
_UPLOAD_TIMEOUT: Final = 30.0  # seconds


class UpdateQuery(msgspec.Struct, frozen=True):
    """The query of a request for an update; see `live_view.UpdateRequest`."""

    viewer: str
    picture: int = 0
    state: int = 0
    width: int = 0
    height: int = 0
    paused: bool = False


class View(Protocol):
    """One live view."""

    async def wait_for_update(self, request: Any) -> bytes:
        """Wait for news.

        Raises:
            ViewpointError: The view was closed.
        """

    async def receive(self, body: bytes) -> None:
        """Perform what a person did.

        Raises:
            CallError: The message is malformed.
            ViewpointError: The viewer has no control, or the view was closed.
        """


class Views(Protocol):
    """The live views of a server."""

    def find(self, key: str) -> View | None:
        """Return the open view with this key, or None."""


class LiveViewEndpoint:
    """Serves the page of the live views to persons.

    Args:
        views: The views of the server.
    """

    def __init__(self, views: Views) -> None:
        self._views = views
        self._polls: set[asyncio.Task[bytes]] = set()
        self._is_closed = False

    @staticmethod
    def serves(path: str) -> bool:
        """Return whether a path belongs to the live views."""
        return path == VIEW_PATH or path.startswith(f"{VIEW_PATH}/")

    async def serve(self, exchange: Exchange) -> None:
        """Serve one request, whose host and origin were checked.

        Raises:
            RequestRefused: The path, the method, the key or the content is wrong.
            ClientDisconnected: The client disconnected.
        """
        try:
            if exchange.path in _FILES:
                await self._serve_file(exchange)
            elif exchange.path == _UPDATES_PATH:
                _check_method(exchange, "GET")
                await self._serve_update(exchange, self._find_view(exchange))
            elif exchange.path == _INPUT_PATH:
                _check_method(exchange, "POST")
                await self._serve_input(exchange, self._find_view(exchange))
            else:
                raise RequestRefused(404, f"Unknown path. The live view is {VIEW_PATH}.")
        except RequestRefused as refused:
            refused.headers = {**refused.headers, **_HEADERS}
            raise

    async def close(self) -> None:
        """End all polls. Idempotent."""
        self._is_closed = True
        for each in self._polls:
            each.cancel()

    async def _serve_file(self, exchange: Exchange) -> None:
        _check_method(exchange, "GET", "HEAD")
        name, media_type = _FILES[exchange.path]
        content = await asyncio.to_thread(_read_file, name)
        await exchange.send_response(200, content, media_type, _HEADERS)

    async def _serve_update(self, exchange: Exchange, view: View) -> None:
        query = _parse_query(exchange)
        if self._is_closed:
            raise RequestRefused(503, "The server is stopping.", {"connection": "close"})
        polling = asyncio.create_task(view.wait_for_update(query))
        self._polls.add(polling)
        try:
            async with exchange.watch_disconnect() as disconnected:
                both: set[asyncio.Future[Any]] = {polling, disconnected}
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                if polling.done() and not polling.cancelled():
                    await self._send_update(exchange, polling)
                elif self._is_closed:
                    raise RequestRefused(503, "The server is stopping.", {"connection": "close"})
        finally:
            self._polls.discard(polling)
            polling.cancel()
            await asyncio.wait({polling})

    @staticmethod
    async def _send_update(exchange: Exchange, polling: asyncio.Task[bytes]) -> None:
        try:
            update = polling.result()
        except ViewpointError as error:
            raise RequestRefused(410, str(error)) from None
        await exchange.send_response(200, update, "application/octet-stream", _HEADERS)

    async def _serve_input(self, exchange: Exchange, view: View) -> None:
        body = await exchange.read_body(max_size=_MAX_BODY, timeout=_UPLOAD_TIMEOUT)
        try:
            await view.receive(body)
        except CallError as error:
            raise RequestRefused(400, str(error)) from None
        except ViewpointError as error:
            raise RequestRefused(409, str(error)) from None
        await exchange.send_response(204, headers=_HEADERS)

    def _find_view(self, exchange: Exchange) -> View:
        view = self._views.find(read_bearer_key(exchange))
        if view is None:
            raise RequestRefused(403, "The key of this live view is wrong, or has expired.")
        return view


def _parse_query(exchange: Exchange) -> UpdateQuery:
    names = UpdateQuery.__struct_fields__
    given = {name: exchange.get_query_parameter(name) for name in names}
    try:
        return msgspec.convert(
            {name: text for name, text in given.items() if text is not None},
            UpdateQuery,
            strict=False,
        )
    except msgspec.ValidationError as error:
        raise RequestRefused(400, f"The query is malformed: {error}") from None


def _check_method(exchange: Exchange, *allowed: str) -> None:
    if exchange.method not in allowed:
        methods = ", ".join(allowed)
        raise RequestRefused(405, f"Use one of these methods: {methods}.", {"allow": methods})


def _read_file(name: str) -> bytes:
    return resources.files(__package__).joinpath(name).read_bytes()
