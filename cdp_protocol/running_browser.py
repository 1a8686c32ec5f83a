"""Connections to a browser that is already running, by its address or port."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import orjson

from cdp_protocol.awaitable_opening import Opening
from cdp_protocol.browser import Browser
from cdp_protocol.connection import DEFAULT_CALL_TIMEOUT, Connection
from cdp_protocol.discovery.endpoint import BROWSER_PATH, fetch_resource, find_candidate_urls
from cdp_protocol.errors import EndpointError

if TYPE_CHECKING:
    from cdp_protocol.recording.recorder import Recorder


def connect(
    endpoint: str, *, headers: Mapping[str, str] | None = None, timeout: float | None = 30.0
) -> Opening[Browser]:
    """Connect to a running browser.

    `await` the result to get the browser. Or use it in `async with`, which closes the connection at
    the end of the block:

        async with cdp_protocol.connect("http://127.0.0.1:9222") as browser:
            print((await browser.Browser.getVersion())["product"])

    Proxy settings of the environment are ignored. The browser keeps running after the connection is
    closed.

    Args:
        endpoint: A `ws(s)://` or `http(s)://` address, `host:port`, or a port. If you know the
            browser's profile directory, `endpoint_from_profile` returns its endpoint.
        headers: HTTP headers of every request that opens the connection.
        timeout: Limit in seconds for opening the connection, and the default limit of each call.
            None removes the limit for opening, since Chrome may ask its user first. Calls then
            have a limit of 30 s.

    Raises:
        EndpointError: No server answers at the endpoint in time, or the server is not a browser.
    """

    async def open_browser() -> Browser:
        try:
            async with asyncio.timeout(timeout):
                connection, _ = await open_connection(endpoint, headers=headers)
        except TimeoutError:
            limit_text = f"no response within {timeout or 0:g} s"
            reason = (
                f"{limit_text}; if the browser asks its user for permission, allow the connection"
            )
            raise EndpointError(endpoint, reason) from None
        connection.timeout = timeout or DEFAULT_CALL_TIMEOUT
        return connection.root

    return Opening(open_browser)


async def open_connection(
    endpoint: str,
    *,
    headers: Mapping[str, str] | None = None,
    recorder: Recorder | None = None,
) -> tuple[Connection, str]:
    """Connect to a browser at the first of its possible addresses that accepts the connection.

    This function has no time limit, because Chrome may ask its user first. The caller sets a limit.

    Args:
        endpoint: A `ws(s)://` or `http(s)://` address, `host:port`, or a port.
        headers: HTTP headers of every request that opens the connection.
        recorder: Records all messages of the connection; None for no recording.

    Returns:
        The connection, and the WebSocket address that it uses.

    Raises:
        EndpointError: No server answers at the endpoint, or the server is not a browser.
    """
    candidates = await find_candidate_urls(endpoint, headers or {})
    first_error: EndpointError | None = None
    for url in candidates.urls:
        try:
            attempt = Connection.open(url, headers=headers, timeout=None, recorder=recorder)
            return await attempt, url
        except EndpointError as error:
            first_error = first_error or error
    assert first_error is not None
    reason = (
        f"{candidates.guess_reason}, and {first_error.reason}"
        if candidates.guess_reason
        else first_error.reason
    )
    raise EndpointError(endpoint, reason, status=first_error.status) from first_error


async def target_ids_by_last_use(
    url: str, *, headers: Mapping[str, str] | None = None
) -> list[str]:
    """Return the ids of a browser's targets, most recently used first.

    CDP does not report this order, but the HTTP resource `/json/list` does. Return an empty list if
    the resource is not available, as behind a gateway or in a Chrome that asks its user first.

    Args:
        url: The WebSocket address of the browser.
        headers: HTTP headers of the request.
    """
    if BROWSER_PATH not in urlsplit(url).path:
        return []
    try:
        response = await fetch_resource(url, "/json/list", headers or {})
        targets = orjson.loads(response.body) if response.status == 200 else []
        return [str(target["id"]) for target in targets]
    except (EndpointError, ValueError, LookupError, TypeError):
        return []
