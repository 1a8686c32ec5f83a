"""A connection to a browser that runs already, wherever it may be reached."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import orjson

from cdp_protocol.browser import Browser
from cdp_protocol.connection import CALL_LIMIT, Connection
from cdp_protocol.discovery.endpoint import BROWSER_PATH, find, resource
from cdp_protocol.errors import EndpointError
from cdp_protocol.opening import Opening

if TYPE_CHECKING:
    from cdp_protocol.recording.recorder import Recorder


def connect(
    endpoint: str, *, headers: Mapping[str, str] | None = None, timeout: float | None = 30.0
) -> Opening[Browser]:
    """Connect to a browser: `await` it, or `async with` it to have the connection closed.

        async with cdp_protocol.connect("http://127.0.0.1:9222") as browser:
            print((await browser.Browser.getVersion())["product"])

    Environment proxies are not used. The browser lives on when the connection is closed.

    Args:
        endpoint: `ws(s)://`, `http(s)://`, `host:port`, or a port. Where the browser has a profile
            directory, `endpoint_from_profile` finds it.
        headers: Sent with every request.
        timeout: Seconds that the opening, and later a call, may take; None for no limit of the
            opening, since Chrome may ask its user first.

    Raises:
        EndpointError: nobody answers there, or what answers is no browser.
    """

    async def opened() -> Browser:
        try:
            async with asyncio.timeout(timeout):
                connection, _ = await reach(endpoint, headers=headers)
        except TimeoutError:
            within = f"no answer within {timeout or 0:g} s"
            reason = f"{within}; if the browser asks its user for leave, they have to give it"
            raise EndpointError(endpoint, reason) from None
        connection.timeout = timeout or CALL_LIMIT
        return connection.root

    return Opening(opened)


async def reach(
    endpoint: str,
    *,
    headers: Mapping[str, str] | None = None,
    recorder: Recorder | None = None,
) -> tuple[Connection, str]:
    """Connect to a browser, trying the addresses that it may have one after the other.

    There is no limit of time: Chrome may ask its user first. The caller has one.

    Args:
        endpoint: `ws(s)://`, `http(s)://`, `host:port`, or a port.
        headers: Sent with every request.
        recorder: Keeps what is said.

    Returns:
        The connection, and the WebSocket address that it goes to.

    Raises:
        EndpointError: nobody answers there, or what answers is no browser.
    """
    found = await find(endpoint, headers or {})
    first: EndpointError | None = None
    for url in found.urls:
        try:
            opening = Connection.open(url, headers=headers, timeout=None, recorder=recorder)
            return await opening, url
        except EndpointError as error:
            first = first or error
    assert first is not None
    reason = f"{found.doubt}, and {first.reason}" if found.doubt else first.reason
    raise EndpointError(endpoint, reason, status=first.status) from first


async def by_last_use(url: str, *, headers: Mapping[str, str] | None = None) -> list[str]:
    """Return the ids of a browser's targets, those that were used last first.

    The protocol has no order; `/json/list` has. Behind gateways and where Chrome asks its user
    there is none, and nothing is returned.

    Args:
        url: The WebSocket address of the browser.
    """
    if BROWSER_PATH not in urlsplit(url).path:
        return []
    try:
        answer = await resource(url, "/json/list", headers or {})
        listed = orjson.loads(answer.body) if answer.status == 200 else []
        return [str(each["id"]) for each in listed]
    except (EndpointError, ValueError, LookupError, TypeError):
        return []
