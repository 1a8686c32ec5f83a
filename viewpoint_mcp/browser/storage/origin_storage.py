"""The storage of one origin in a context, read and restored without loading the site.

CDP gives access to storage only through a document of the origin. So a hidden target navigates to
the origin, and the server answers the request with an empty document. The site receives no request,
none of its scripts and service workers run, and no tab is visible.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict
from urllib.parse import urlsplit

from cdp_protocol import CallTimeout, CdpError, ProtocolError, Session
from viewpoint_mcp.background_tasks import BackgroundTasks
from viewpoint_mcp.page.isolated_world import IsolatedWorld

if TYPE_CHECKING:
    from cdp_protocol.types.fetch import HeaderEntry, RequestPausedEvent

log = logging.getLogger(__name__)

_VISIT_LIMIT = 10.0  # seconds
_ANSWER_LIMIT = 20.0
_DATABASE_LIMIT = 5.0

_HTML: Final[list[HeaderEntry]] = [{"name": "Content-Type", "value": "text/html"}]
_EMPTY = "PGxpbmsgcmVsPWljb24gaHJlZj1kYXRhOiw+"  # <link rel=icon href=data:,>


class OriginStorageError(Exception):
    """The origin's data cannot be read or restored; the text never contains stored values."""


class _UnreadDatabase(TypedDict):
    """A database that cannot be read, and the reason."""

    name: str
    fault: str


class _Databases(TypedDict):
    """The result of the in-page function `databases`.

    Attributes:
        databases: The databases in the format of a state file.
        lost: Kinds of values that the format cannot represent.
    """

    databases: list[object]
    unread: list[_UnreadDatabase]
    lost: list[str]


class ReadDatabases(NamedTuple):
    """IndexedDB in the format of a state file, and a clause for each part that was not read."""

    databases: list[object]
    missing_parts: list[str]


class OriginStorage:
    """The storage of the origin that is visited."""

    def __init__(self, world: IsolatedWorld) -> None:
        self._world = world

    async def read_items(self) -> list[dict[str, str]]:
        """Return localStorage in the format of a state file.

        Raises:
            OriginStorageError: It cannot be read.
        """
        items: list[dict[str, str]] = await self._call_script("localStorage", "items")
        return items

    async def read_databases(self) -> ReadDatabases:
        """Return IndexedDB in the format of a state file, and a clause for each missing part.

        Raises:
            OriginStorageError: It cannot be read.
        """
        read: _Databases = await self._call_script(
            "IndexedDB", "databases", json.dumps(_DATABASE_LIMIT)
        )
        missing_parts = [f'database "{each["name"]}" ({each["fault"]})' for each in read["unread"]]
        if read["lost"]:
            missing_parts.append(
                f"values of the kind {', '.join(read['lost'])}, which no file supports"
            )
        return ReadDatabases(read["databases"], missing_parts)

    async def restore(self, items: str, databases: str) -> None:
        """Restore localStorage and IndexedDB; meant for an origin that has no data yet.

        Args:
            items: localStorage of a state file, as JSON.
            databases: IndexedDB of a state file, as JSON.

        Raises:
            OriginStorageError: The browser refused the data.
        """
        await self._call_script("localStorage", "restoreItems", items)
        await self._call_script("IndexedDB", "restoreDatabases", databases)

    async def replace(self, items: str, databases: str) -> list[str]:
        """Replace localStorage and IndexedDB, and return a clause for each part that is not.

        If the items exceed the quota, localStorage remains as it was.

        Args:
            items: localStorage of a state file, as JSON.
            databases: IndexedDB of a state file, as JSON.

        Raises:
            OriginStorageError: The browser refused the data.
        """
        await self._call_script("localStorage", "replaceItems", items)
        request = f'{{"databases": {databases}, "seconds": {_DATABASE_LIMIT}}}'
        kept: list[str] = await self._call_script("IndexedDB", "replaceDatabases", request)
        return [f'database "{each}" (a page keeps it open)' for each in kept]

    async def _call_script(self, subject: str, function: str, *arguments: str) -> Any:
        try:
            text = await self._world.call(function, *arguments, timeout=_ANSWER_LIMIT)
        except CallTimeout:
            raise OriginStorageError(f"{subject}: no answer within {_ANSWER_LIMIT:g} s") from None
        answer = json.loads(text)
        if "fault" in answer:
            raise OriginStorageError(f"{subject}: {answer['fault']}")
        return answer.get("value")


@asynccontextmanager
async def open_origin_storage(
    root: Session, context_id: str | None, origin: str
) -> AsyncIterator[OriginStorage]:
    """Open the storage of an origin in a context while the `async with` block runs.

    Args:
        root: The root CDP session of the browser.
        context_id: CDP `Browser.BrowserContextID`; None for the browser's default context.

    Raises:
        OriginStorageError: The browser opens no document of that origin.
        CdpError: The browser does not answer.

    Source: CDP `Target.createTarget`, `Fetch.enable`, `Network.setBypassServiceWorker`,
    `Page.navigate`.
    """
    target_id, answers = await create_hidden_target(root, context_id), BackgroundTasks()
    try:
        session = await root.attach(target_id)

        def answer_paused_request(event: RequestPausedEvent) -> None:
            answers.start(_answer_request(session, event, origin))

        session.on(session.Fetch.requestPaused, answer_paused_request)
        await session.Fetch.enable()
        await session.Network.enable()  # required by the next command
        await session.Network.setBypassServiceWorker(bypass=True)
        yield OriginStorage(await _load_document(session, origin))
    finally:
        await answers.close()
        with suppress(CdpError):
            await root.Target.closeTarget(targetId=target_id)


async def create_hidden_target(root: Session, context_id: str | None) -> str:
    """Create a blank target that no user sees and return its id.

    Source: CDP `Target.createTarget`.
    """

    async def try_create_hidden_target() -> str:
        # A Chromium without support for `hidden` opens the tab in the background instead.
        made = await root.Target.createTarget(
            url="about:blank", browserContextId=context_id, hidden=True, background=True
        )
        return made["targetId"]

    try:
        return await try_create_hidden_target()
    except ProtocolError:
        log.debug("No page exists, so no hidden one can be created beside it.", exc_info=True)
    apart = (await root.Target.createBrowserContext(disposeOnDetach=True))["browserContextId"]
    try:
        await root.Target.createTarget(url="about:blank", browserContextId=apart, background=True)
        return await try_create_hidden_target()
    finally:
        with suppress(CdpError):
            await root.Target.disposeBrowserContext(browserContextId=apart)


async def _answer_request(session: Session, event: RequestPausedEvent, origin: str) -> None:
    request = event["requestId"]
    with suppress(CdpError):
        if urlsplit(event["request"]["url"]).scheme == urlsplit(origin).scheme:
            await session.Fetch.fulfillRequest(
                requestId=request, responseCode=200, responseHeaders=_HTML, body=_EMPTY
            )
        else:
            # Chromium falls back to http after a failed upgrade to https, for example.
            await session.Fetch.failRequest(requestId=request, errorReason="ConnectionRefused")


async def _load_document(session: Session, origin: str) -> IsolatedWorld:
    """Navigate to the origin's empty document and load the storage functions into it."""
    try:
        going = await session.send("Page.navigate", {"url": f"{origin}/"}, timeout=_VISIT_LIMIT)
    except ProtocolError:
        raise OriginStorageError("it cannot be opened") from None
    if "errorText" in going:
        raise OriginStorageError(f"it cannot be opened ({going['errorText']})")
    loaded = await session.send(
        "Runtime.evaluate", {"expression": _read_script()}, timeout=_VISIT_LIMIT
    )
    world = IsolatedWorld(session, 0, loaded["result"]["objectId"])
    if not await world.call("isAt", origin, timeout=_VISIT_LIMIT):
        raise OriginStorageError("the browser goes to another origin instead")
    return world


@cache
def _read_script() -> str:
    return files(__package__).joinpath("storage.js").read_text(encoding="utf-8")
