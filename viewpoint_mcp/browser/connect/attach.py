"""Attaching to a browser that already runs, with one timeout and helpful errors."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from cdp_protocol import (
    CdpError,
    Connection,
    EndpointError,
    mask_url_secrets,
    open_connection,
    target_ids_by_last_use,
)
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import BrowserError

if TYPE_CHECKING:
    from cdp_protocol.recording.recorder import Recorder

log = logging.getLogger(__name__)

T = TypeVar("T")

_WARNING_DELAY = 1.0  # seconds until a warning asks the user to allow the connection
_RECENT_IDS_LIMIT = 1.0
_ALLOW_HINT = 'If the browser asks "Allow remote debugging?", click Allow, then call again.'
_START_HINT = "Start Chromium with --remote-debugging-port and a separate --user-data-dir."
_REFUSED_HINT = (
    "If the browser asked you, call again and click Allow. Otherwise put the credentials into the "
    "endpoint or --cdp-header."
)


async def attach_and_run(
    endpoint: str,
    settings: Settings,
    use_connection: Callable[[Connection, str], Awaitable[T]],
    recorder: Recorder | None = None,
) -> T:
    """Connect to a browser and run `use_connection` with it, both within `--cdp-timeout`.

    Args:
        endpoint: http(s) or ws(s) address, or host:port.
        use_connection: Called with the connection and its WebSocket address. It owns the connection
            and must close it on failure.
        recorder: Records the messages of the connection.

    Returns:
        The result of `use_connection`.

    Raises:
        BrowserError: The endpoint does not answer in time, or refuses the connection.
    """
    limit = settings.timeouts.attach
    where = f"Cannot attach to a browser at {mask_url_secrets(endpoint)}"
    loop = asyncio.get_running_loop()
    asking = loop.call_later(
        _WARNING_DELAY,
        log.warning,
        "The browser has not accepted the connection yet. %s",
        _ALLOW_HINT,
    )
    try:
        async with asyncio.timeout(limit):
            connection, url = await open_connection(
                endpoint, headers=settings.cdp_headers, recorder=recorder
            )
            asking.cancel()
            return await use_connection(connection, url)
    except TimeoutError as error:
        raise BrowserError(f"{where}: no response within {limit:g} s.", _ALLOW_HINT) from error
    except EndpointError as error:
        hint = _REFUSED_HINT if error.status in (401, 403) else _START_HINT
        raise BrowserError(f"{where}: {error.reason}.", hint) from error
    except CdpError as error:
        raise BrowserError(f"{where}: {error}", _START_HINT) from error
    finally:
        asking.cancel()


@dataclass(frozen=True, slots=True)
class BrowserDescription:
    """The description of a running browser.

    Args:
        product: Such as Chrome/156.0.8078.79.
        tabs: The number of its tabs.
        url: The WebSocket address that was used; may hold secrets.
    """

    product: str
    tabs: int
    url: str = field(repr=False)


async def describe_running_browser(endpoint: str, settings: Settings) -> BrowserDescription:
    """Return a description of a running browser without changing anything in it.

    Arguments and limits are those of `attach_and_run`.

    Raises:
        BrowserError: The endpoint does not answer in time, or refuses the connection.

    Source: CDP `Browser.getVersion`, `Target.getTargets`.
    """

    async def describe_and_disconnect(connection: Connection, url: str) -> BrowserDescription:
        try:
            version = await connection.root.Browser.getVersion()
            targets = (await connection.root.Target.getTargets())["targetInfos"]
        finally:
            await connection.close()
        tabs = sum(target["type"] == "page" for target in targets)
        return BrowserDescription(version["product"], tabs, url)

    return await attach_and_run(endpoint, settings, describe_and_disconnect)


async def fetch_recent_target_ids(
    url: str, settings: Settings, recorder: Recorder | None = None
) -> list[str]:
    """Return the ids of the browser's targets, the most recently used first.

    The list is empty if the browser does not answer within 1 s.

    Args:
        url: The browser's WebSocket address.
        recorder: Records the answer.
    """
    try:
        async with asyncio.timeout(_RECENT_IDS_LIMIT):
            ids = await target_ids_by_last_use(url, headers=settings.cdp_headers)
    except TimeoutError:
        return []
    if recorder is not None:
        recorder.record_http_response("/json/list", 200, [{"id": each} for each in ids])
    return ids
