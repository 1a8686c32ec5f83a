"""Async iterators over items that arrive during a block: events, and sessions of new targets."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Generic, Self, TypeVar

from cdp_protocol.errors import CallTimeout, CdpError
from cdp_protocol.events import Subscription, mistake

T = TypeVar("T")

Listen = Callable[[Callable[[T], None], Callable[[CdpError], None]], list[Subscription]]


class Arrivals(Generic[T]):
    """An async iterator over the items that arrive while its `async with` block is open, in order.

    No item is dropped, so unread items are kept until the block is left. Their number has no limit,
    because the reader task cannot wait: with a limit it would have to drop items or fail.

    Args:
        name: The name of the items for error messages, such as the name of an event.
        silence: Maximum time in seconds without an item. After it, the iteration raises
            `CallTimeout`; None for no limit.
    """

    def __init__(self, name: str, *, silence: float | None) -> None:
        self._name = name
        self._silence = silence
        self._arrived: deque[T] = deque()
        self._news = asyncio.Event()
        self._is_entered = False
        self._is_left = False
        self._error: Exception | None = None

    @property
    def waiting(self) -> int:
        """The number of items that arrived and were not read yet."""
        return len(self._arrived)

    async def __aenter__(self) -> Self:
        if self._is_entered:
            raise RuntimeError(f"These {self._name} were begun before; make others.")
        self._is_entered = True
        await self._begin()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._is_left = True
        self._arrived.clear()
        self._news.set()
        await self._end()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        """Wait for the next item and return it.

        Raises:
            StopAsyncIteration: The block was left, by another task for example.
            CallTimeout: No item arrived for `silence` seconds.
            ConnectionLost, SessionClosed: The connection or the session has ended, and all items
                that arrived before were returned.
        """
        while not self._arrived:
            if self._is_left:
                raise StopAsyncIteration
            if self._error is not None:
                raise self._error
            if not self._is_entered:
                raise RuntimeError(f"Iterate over {self._name} inside their `async with`.")
            self._news.clear()
            await self._wait()
        return self._arrived.popleft()

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(self._silence):
                await self._news.wait()
        except TimeoutError:
            raise CallTimeout(self._name, self._silence or 0.0) from None

    async def _begin(self) -> None:
        raise NotImplementedError

    async def _end(self) -> None:
        raise NotImplementedError

    def _put(self, value: T) -> None:
        if not self._is_left:
            self._arrived.append(value)
            self._news.set()

    def _fail(self, error: Exception) -> None:
        self._error = self._error or error
        self._news.set()


class EventStream(Arrivals[T]):
    """The parameters of every event of one name, made by `Session.events`.

    Args:
        name: The name of the event.
        listen: Subscribes to the event. It gets two functions: the first receives the parameters of
            each event, the second receives the error when the session ends.
        predicate: Selects events by their parameters; None for all.
        silence: As in `Arrivals`.
    """

    def __init__(
        self,
        name: str,
        *,
        listen: Listen[T],
        predicate: Callable[[T], bool] | None,
        silence: float | None,
    ) -> None:
        super().__init__(name, silence=silence)
        self._listen = listen
        self._predicate = predicate
        self._subscriptions: list[Subscription] = []

    async def _begin(self) -> None:
        hear = self._put if self._predicate is None else self._consider
        self._subscriptions = self._listen(hear, self._fail)

    async def _end(self) -> None:
        self._unsubscribe()

    def _fail(self, error: Exception) -> None:
        super()._fail(error)
        self._unsubscribe()  # Events that arrived before are still returned.

    def _unsubscribe(self) -> None:
        for subscription in self._subscriptions:
            subscription.close()

    def _consider(self, params: T) -> None:
        try:
            wanted = self._predicate is None or self._predicate(params)
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001
            # The error belongs to the iterating caller. It must not end the reader task.
            self._fail(mistake(error, self._name))
            return
        if wanted:
            self._put(params)
