"""The way to a browser that runs already: one limit, patience with its user, clear errors."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from cdp_protocol import CdpError, Connection, EndpointError, by_last_use, reach, without_secrets
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import BrowserError

if TYPE_CHECKING:
    from cdp_protocol.recording.recorder import Recorder

log = logging.getLogger(__name__)

T = TypeVar("T")

_PATIENCE = 1.0  # seconds until the user is told that an attach waits for them
_ORDER_LIMIT = 1.0
_ALLOW = 'If the browser asks "Allow remote debugging?", click Allow there; then call again.'
_START = "Start Chromium with --remote-debugging-port and a --user-data-dir of its own."
_REFUSED = (
    "If the browser asked its user, that was answered with no: call again, and click Allow. Else "
    "what it wants to know goes into the endpoint or --cdp-header."
)


async def attached(
    endpoint: str,
    settings: Settings,
    begin: Callable[[Connection, str], Awaitable[T]],
    recorder: Recorder | None = None,
) -> T:
    """Connect to a browser and begin with it, all within `--cdp-timeout`.

    Args:
        endpoint: http(s) or ws(s) address, or host:port.
        begin: Makes something of the connection, and the WebSocket address that it goes to. The
            connection is its own, to be closed when it fails.
        recorder: Keeps what is said.

    Returns:
        What `begin` made.

    Raises:
        BrowserError: Nobody answers there.
    """
    limit = settings.timeouts.attach
    where = f"No browser could be attached to at {without_secrets(endpoint)}"
    loop = asyncio.get_running_loop()
    asking = loop.call_later(_PATIENCE, log.warning, "Still waiting to be let in. %s", _ALLOW)
    try:
        async with asyncio.timeout(limit):
            connection, url = await reach(endpoint, headers=settings.cdp_headers, recorder=recorder)
            asking.cancel()
            return await begin(connection, url)
    except TimeoutError as error:
        raise BrowserError(f"{where}: no answer within {limit:g} s.", _ALLOW) from error
    except EndpointError as error:
        hint = _REFUSED if error.status in (401, 403) else _START
        raise BrowserError(f"{where}: {error.reason}.", hint) from error
    except CdpError as error:
        raise BrowserError(f"{where}: {error}", _START) from error
    finally:
        asking.cancel()


@dataclass(frozen=True, slots=True)
class Seen:
    """What a running browser tells of itself.

    Args:
        product: As Chrome/156.0.8078.79.
        tabs: How many it has.
        url: The WebSocket address that it was asked at; may hold secrets.
    """

    product: str
    tabs: int
    url: str = field(repr=False)


async def look(endpoint: str, settings: Settings) -> Seen:
    """Ask a running browser who it is, and change nothing in it; see `attached`.

    Raises:
        BrowserError: Nobody answers there.

    Source: CDP `Browser.getVersion`, `Target.getTargets`.
    """

    async def begin(connection: Connection, url: str) -> Seen:
        try:
            version = await connection.root.Browser.getVersion()
            targets = (await connection.root.Target.getTargets())["targetInfos"]
        finally:
            await connection.close()
        tabs = sum(target["type"] == "page" for target in targets)
        return Seen(version["product"], tabs, url)

    return await attached(endpoint, settings, begin)


async def last_used(url: str, settings: Settings, recorder: Recorder | None = None) -> list[str]:
    """Return the ids of the browser's targets, those that its user saw last first, where it tells.

    Args:
        url: The browser's WebSocket address.
        recorder: Keeps what was answered.
    """
    try:
        async with asyncio.timeout(_ORDER_LIMIT):
            ids = await by_last_use(url, headers=settings.cdp_headers)
    except TimeoutError:
        return []
    if recorder is not None:
        recorder.fetched("/json/list", 200, [{"id": each} for each in ids])
    return ids
