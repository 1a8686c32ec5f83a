"""The storage state of a context: collected from the browser, or restored into a new context."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import msgspec

from cdp_protocol import CdpError, ConnectionLost, ProtocolError, Session
from viewpoint_mcp.browser.storage import state_file
from viewpoint_mcp.browser.storage.origin_storage import OriginStorageError, open_origin_storage
from viewpoint_mcp.browser.storage.state_file import (
    Cookie,
    Database,
    LocalStorageItem,
    OriginState,
    StorageState,
)
from viewpoint_mcp.errors import BrowserError, CallError
from viewpoint_mcp.page.isolated_world import WorldGoneError

if TYPE_CHECKING:
    from cdp_protocol.types import network as cdp

S = TypeVar("S")
T = TypeVar("T")

_MAX_CONCURRENT = 4  # origins; each needs a renderer process meanwhile
_MAX_LISTED = 5


@dataclass(slots=True)
class CollectedStorage:
    """The collected storage state of a context.

    Attributes:
        missing_parts: Parts that could not be read or kept, a clause each: "IndexedDB of http://a.test
            (...)".
    """

    state: StorageState
    missing_parts: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        cookies, origins = len(self.state.cookies), len(self.state.origins)
        parts = [
            f"{cookies:,} cookie{'' if cookies == 1 else 's'}",
            f"the storage of {origins:,} origin{'' if origins == 1 else 's'}",
        ]
        return " and ".join(parts)

    def encode(self) -> bytes:
        """Return the content of a state file; see `state_file.encode_state`."""
        return state_file.encode_state(self.state)

    @property
    def missing_text(self) -> str:
        """The first five gaps and the number of others, as text; "" without gaps."""
        return _join_and_count_rest(self.missing_parts)


async def collect_storage(
    root: Session, context_id: str | None, origins: Iterable[str], *, with_databases: bool
) -> CollectedStorage:
    """Read the cookies of a context, and the storage of the origins.

    Args:
        root: The root CDP session of the browser.
        context_id: CDP `Browser.BrowserContextID`; None for the browser's default context.
        origins: The origins to read; one that cannot be read becomes a gap.
        with_databases: Read IndexedDB as well.

    Raises:
        BrowserError: The browser does not answer, or nothing at all could be read.
    """
    collected = CollectedStorage(StorageState())

    async def read(origin: str) -> OriginState | None:
        return await _read_origin(root, context_id, origin, with_databases, collected.missing_parts)

    try:
        collected.state.cookies = await _read_cookies(root, context_id)
        found = await _run_with_limited_concurrency(read, sorted(origins))
    except CdpError as error:
        raise BrowserError(f"The storage state could not be read: {error}") from error
    collected.state.origins = [each for each in found if each and _has_data(each)]
    if found and not any(found) and not collected.state.cookies:
        raise BrowserError(
            f"Nothing could be read, so nothing is saved: {collected.missing_text}.",
            "Try again, or close the pages of these origins first.",
        )
    return collected


async def restore_storage(root: Session, context_id: str | None, state: StorageState) -> None:
    """Restore a storage state into a context in which no page has run yet.

    Raises:
        CallError: The browser refuses a cookie, or an origin's data.
        BrowserError: The browser does not answer.
    """

    async def write(origin: OriginState) -> None:
        items, databases = state_file.encode_items(origin), state_file.encode_databases(origin)
        try:
            async with open_origin_storage(root, context_id, origin.origin) as storage:
                await storage.restore(items, databases)
        except (OriginStorageError, WorldGoneError) as error:
            raise CallError(
                f"The storage state's data of {origin.origin} was not restored: {error}."
            ) from None

    try:
        await _write_cookies(root, context_id, state.cookies)
        await _run_with_limited_concurrency(write, state.origins)
    except CdpError as error:
        raise BrowserError(f"The storage state was not restored: {error}") from error


def _join_and_count_rest(clauses: list[str]) -> str:
    more = len(clauses) - _MAX_LISTED
    return "; ".join(clauses[:_MAX_LISTED]) + (f"; and {more} more" if more > 0 else "")


async def _run_with_limited_concurrency(
    work: Callable[[S], Awaitable[T]], subjects: Iterable[S]
) -> list[T]:
    """Run `work` for each subject, at most four at once.

    All of them run to their end; then the first failure is raised.
    """
    turns = asyncio.Semaphore(_MAX_CONCURRENT)

    async def take_turn(subject: S) -> T:
        async with turns:
            return await work(subject)

    ended = await asyncio.gather(*map(take_turn, subjects), return_exceptions=True)
    done = [each for each in ended if not isinstance(each, BaseException)]
    for each in ended:
        if isinstance(each, BaseException):
            raise each
    return done


def _has_data(origin: OriginState) -> bool:
    return bool(origin.local_storage or origin.indexed_db)


async def _read_origin(
    root: Session,
    context_id: str | None,
    origin: str,
    with_databases: bool,
    missing_parts: list[str],
) -> OriginState | None:
    """Read the storage of an origin, adding what could not be read to `missing_parts`.

    Returns:
        The data; None if nothing could be read.
    """
    read = None
    try:
        async with open_origin_storage(root, context_id, origin) as storage:
            items = msgspec.convert(await storage.read_items(), list[LocalStorageItem])
            read = OriginState(origin=origin, local_storage=items)
            if with_databases:
                databases, missing = await storage.read_databases()
                read.indexed_db = msgspec.convert(databases, list[Database])
                missing_parts += [f"{each} of {origin}" for each in missing]
    except ConnectionLost:
        raise
    except (OriginStorageError, WorldGoneError, CdpError) as error:
        missing_parts.append(f"{origin} ({str(error).rstrip('.')})")
    return read


async def _read_cookies(root: Session, context_id: str | None) -> list[Cookie]:
    """Return the cookies of a context.

    Source: CDP `Storage.getCookies`.
    """
    answer = await root.Storage.getCookies(browserContextId=context_id)
    # Cookies of an opaque partition, such as a sandboxed frame's, cannot be restored.
    return [
        _from_cdp_cookie(each) for each in answer["cookies"] if not each.get("partitionKeyOpaque")
    ]


def _from_cdp_cookie(cookie: cdp.Cookie) -> Cookie:
    partition = cookie.get("partitionKey")
    return Cookie(
        name=cookie["name"],
        value=cookie["value"],
        domain=cookie["domain"],
        path=cookie["path"],
        expires=cookie["expires"],
        http_only=cookie["httpOnly"],
        secure=cookie["secure"],
        same_site=cookie.get("sameSite", "Lax"),
        partition_key=partition["topLevelSite"] if partition else msgspec.UNSET,
        cross_site=partition["hasCrossSiteAncestor"] if partition else msgspec.UNSET,
    )


async def _write_cookies(root: Session, context_id: str | None, cookies: list[Cookie]) -> None:
    """Set the cookies that have not expired, and check that the browser kept them.

    Raises:
        CallError: The browser refused or dropped some of them.

    Source: CDP `Storage.setCookies`.
    """
    now = time.time()
    lasting = [each for each in cookies if each.expires < 0 or each.expires > now]
    if not lasting:
        return

    async def write(some: list[Cookie]) -> bool:
        params = [_to_cdp_cookie(each) for each in some]
        try:
            await root.Storage.setCookies(cookies=params, browserContextId=context_id)
        except ProtocolError:
            return False
        return True

    if not await write(lasting):
        # The error does not name the refused cookie, so set them one by one.
        for each in lasting:
            await write([each])
    # The browser drops some invalid cookies without an error.
    kept = {_get_cookie_key(each) for each in await _read_cookies(root, context_id)}
    wanted = {_get_cookie_key(each): each for each in lasting}
    if len(kept) < len(wanted):
        refused = [
            f'"{each.name}" of {each.domain}' for key, each in wanted.items() if key not in kept
        ]
        raise CallError(
            f"The browser refuses cookies of the storage state: {_join_and_count_rest(refused)}.",
            "Correct their attributes, or remove these cookies.",
        )


def _get_cookie_key(cookie: Cookie) -> tuple[object, ...]:
    """Return the fields that together identify a cookie."""
    partition = cookie.partition_key and (cookie.partition_key, cookie.cross_site is not False)
    return cookie.name, cookie.domain.lower(), cookie.path, partition


def _to_cdp_cookie(cookie: Cookie) -> cdp.CookieParam:
    parameters: cdp.CookieParam = {
        "name": cookie.name,
        "value": cookie.value,
        "domain": cookie.domain,
        "path": cookie.path,
        "httpOnly": cookie.http_only,
        "secure": cookie.secure,
        "sameSite": cookie.same_site,
    }
    if cookie.expires >= 0:
        parameters["expires"] = cookie.expires
    if cookie.partition_key is not msgspec.UNSET:
        parameters["partitionKey"] = {
            "topLevelSite": cookie.partition_key,
            "hasCrossSiteAncestor": cookie.cross_site is not False,
        }
    return parameters
