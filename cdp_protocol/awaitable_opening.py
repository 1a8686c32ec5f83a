"""An operation that opens a resource: `await` it, or use it in `async with` to close it again."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from typing import Any, Generic, Protocol, TypeVar


class Closable(Protocol):
    """A resource that can be closed."""

    async def close(self) -> None:
        """Release the resource. Idempotent."""


T = TypeVar("T", bound=Closable)


class Opening(Generic[T]):
    """An operation that opens a resource, such as a connection, a browser or a session.

    `await` it to get the open resource. Or use it in `async with`, which closes the resource at the
    end of the block. Nothing happens before that. Each `await` opens a new resource.

    Args:
        open_resource: Opens the resource. If it fails or is cancelled, it must leave nothing open.
    """

    def __init__(self, open_resource: Callable[[], Coroutine[Any, Any, T]]) -> None:
        self._open = open_resource
        self._resource: T | None = None

    def __await__(self) -> Generator[Any, None, T]:
        return self._open().__await__()

    async def __aenter__(self) -> T:
        self._resource = await self._open()
        return self._resource

    async def __aexit__(self, *_: object) -> None:
        if self._resource is not None:
            await self._resource.close()
