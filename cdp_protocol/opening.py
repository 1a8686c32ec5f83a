"""What is about to be opened: `await` it, or `async with` it to have it closed again."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from typing import Any, Generic, Protocol, TypeVar


class Closable(Protocol):
    """What can be closed, any number of times."""

    async def close(self) -> None:
        """Let go of it."""


T = TypeVar("T", bound=Closable)


class Opening(Generic[T]):
    """Something about to be opened: awaitable, and a context manager that closes it at the end.

    Nothing happens before the one or the other. Each `await` opens another one.

    Args:
        open: Opens it. Failed or cancelled, it leaves nothing open.
    """

    def __init__(self, open: Callable[[], Coroutine[Any, Any, T]]) -> None:
        self._open = open
        self._opened: T | None = None

    def __await__(self) -> Generator[Any, None, T]:
        return self._open().__await__()

    async def __aenter__(self) -> T:
        self._opened = await self._open()
        return self._opened

    async def __aexit__(self, *_: object) -> None:
        if self._opened is not None:
            await self._opened.close()
