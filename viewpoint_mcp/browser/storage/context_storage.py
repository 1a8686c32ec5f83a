"""The storage of a context: collected from the browser, restored or replaced."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec

from cdp_protocol import CdpError, ConnectionLost, Session
from viewpoint_mcp.browser.storage import state_file
from viewpoint_mcp.browser.storage.cookies import CookieStore
from viewpoint_mcp.browser.storage.origin_storage import OriginStorageError, open_origin_storage
from viewpoint_mcp.browser.storage.state_file import (
    Database,
    LocalStorageItem,
    OriginState,
    StorageState,
    join_and_count_rest,
)
from viewpoint_mcp.errors import BrowserError, CallError
from viewpoint_mcp.page.isolated_world import WorldGoneError

S = TypeVar("S")
T = TypeVar("T")

_MAX_CONCURRENT = 4  # origins; each needs a renderer process meanwhile


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
        return _count_parts(len(self.state.cookies), len(self.state.origins))

    def encode(self) -> bytes:
        """Return the content of a state file; see `state_file.encode_state`."""
        return state_file.encode_state(self.state)

    @property
    def missing_text(self) -> str:
        """The first five gaps and the number of others, as text; "" without gaps."""
        return join_and_count_rest(self.missing_parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedStorage:
    """The parts of a storage state that replaced the storage of a context.

    Attributes:
        cookie_count: The cookies that were set.
        expired_count: The cookies that were skipped, because they have expired.
        origin_count: The origins whose data was restored.
        missing_parts: Parts that were not replaced, a clause each.
        unsupported_parts: Parts of the file that only Playwright restores.
    """

    cookie_count: int
    expired_count: int
    origin_count: int
    missing_parts: list[str]
    unsupported_parts: list[str]

    def __str__(self) -> str:
        return _count_parts(self.cookie_count, self.origin_count)

    @property
    def missing_text(self) -> str:
        """The first five gaps and the number of others, as text; "" without gaps."""
        return join_and_count_rest(self.missing_parts)


class ContextStorage:
    """The cookies and the storage of one context.

    Args:
        root: The root CDP session of the browser.
        context_id: CDP `Browser.BrowserContextID`; None for the browser's default context.
        collect_origins: Returns the set of origins that may have stored data. Origins that are
            restored are added to it.

    Attributes:
        cookies: The cookies.
    """

    def __init__(
        self, root: Session, context_id: str | None, collect_origins: Callable[[], set[str]]
    ) -> None:
        self._root = root
        self._context_id = context_id
        self._collect_origins = collect_origins
        self.cookies = CookieStore(root, context_id)

    async def collect(self, *, with_databases: bool) -> CollectedStorage:
        """Read the cookies, and the storage of the origins.

        An origin that cannot be read becomes a gap.

        Args:
            with_databases: Read IndexedDB as well.

        Raises:
            BrowserError: The browser does not answer, or nothing at all could be read.
        """
        collected = CollectedStorage(StorageState())

        async def read(origin: str) -> OriginState | None:
            return await self._read_origin(origin, with_databases, collected.missing_parts)

        collected.state.cookies = await self.cookies.read()
        try:
            found = await _run_with_limited_concurrency(read, sorted(self._collect_origins()))
        except CdpError as error:
            raise BrowserError(f"The storage state could not be read: {error}") from error
        collected.state.origins = [each for each in found if each and _has_data(each)]
        if found and not any(found) and not collected.state.cookies:
            raise BrowserError(
                f"Nothing could be read, so nothing is saved: {collected.missing_text}.",
                "Try again, or close the pages of these origins first.",
            )
        return collected

    async def restore(self, state: StorageState) -> None:
        """Restore a storage state into a context in which no page has run yet.

        Raises:
            CallError: The browser refuses a cookie, or an origin's data.
            BrowserError: The browser does not answer.
        """

        async def write(origin: OriginState) -> None:
            items, databases = state_file.encode_items(origin), state_file.encode_databases(origin)
            async with open_origin_storage(self._root, self._context_id, origin.origin) as storage:
                await storage.restore(items, databases)

        self._collect_origins().update(each.origin for each in state.origins)
        await self.cookies.restore(state.cookies)
        await _write_origins(write, state.origins)

    async def replace_from_file(self, path: Path) -> ReplacedStorage:
        """Replace the cookies and the storage of all origins by those of a storage state file.

        If the file is malformed, or the browser refuses one of its cookies, nothing changes.

        Raises:
            CallError: The file cannot be read or is malformed, or the browser refuses a cookie or
                an origin's data.
            BrowserError: The browser does not answer.
        """
        state = await asyncio.to_thread(state_file.read_state, path)
        missing_parts: list[str] = []

        async def write(origin: OriginState) -> None:
            items, databases = state_file.encode_items(origin), state_file.encode_databases(origin)
            async with open_origin_storage(self._root, self._context_id, origin.origin) as storage:
                missing = await storage.replace(items, databases)
                missing_parts.extend(f"{each} of {origin.origin}" for each in missing)

        origins = self._collect_origins()
        origins.update(each.origin for each in state.origins)
        count = await self.cookies.replace(state.cookies)
        states = {each.origin: each for each in state.origins}
        await _write_origins(
            write, [states.get(each) or OriginState(origin=each) for each in sorted(origins)]
        )
        return ReplacedStorage(
            cookie_count=count,
            expired_count=len(state.cookies) - count,
            origin_count=len(state.origins),
            missing_parts=missing_parts,
            unsupported_parts=state.unsupported_parts,
        )

    async def _read_origin(
        self, origin: str, with_databases: bool, missing_parts: list[str]
    ) -> OriginState | None:
        """Read the storage of an origin, adding what could not be read to `missing_parts`.

        Returns:
            The data; None if nothing could be read.
        """
        read = None
        try:
            async with open_origin_storage(self._root, self._context_id, origin) as storage:
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


async def _write_origins(
    write: Callable[[OriginState], Awaitable[None]], origins: Iterable[OriginState]
) -> None:
    """Call `write` for each origin, a few at once.

    Raises:
        CallError: The browser refuses an origin's data.
        BrowserError: The browser does not answer.
    """

    async def write_translating_errors(origin: OriginState) -> None:
        try:
            await write(origin)
        except (OriginStorageError, WorldGoneError) as error:
            raise CallError(
                f"The storage state's data of {origin.origin} was not restored: {error}."
            ) from None

    try:
        await _run_with_limited_concurrency(write_translating_errors, origins)
    except CdpError as error:
        raise BrowserError(f"The storage state was not restored: {error}") from error


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


def _count_parts(cookies: int, origins: int) -> str:
    return (
        f"{cookies:,} cookie{'' if cookies == 1 else 's'} and "
        f"the storage of {origins:,} origin{'' if origins == 1 else 's'}"
    )
