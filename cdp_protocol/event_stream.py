"""Async iterators over items that arrive during a block: events, and sessions of new targets."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Generic, Self, TypeVar

from cdp_protocol.errors import CallTimeout, CdpError
from cdp_protocol.events import Subscription, make_predicate_error_raisable

T = TypeVar("T")

Subscribe = Callable[[Callable[[T], None], Callable[[CdpError], None]], list[Subscription]]


class ItemStream(Generic[T]):
    """An async iterator over the items that arrive while its `async with` block is open, in order.

    No item is dropped, so unread items are kept until the block is left. Their number has no limit,
    because the reader task cannot wait: with a limit it would have to drop items or fail.

    Args:
        item_name: The name of the items for error messages, such as the name of an event.
        silence: Maximum time in seconds without an item. After it, the iteration raises
            `CallTimeout`; None for no limit.
    """

    def __init__(self, item_name: str, *, silence: float | None) -> None:
        self._name = item_name
        self._silence = silence
        self._unread: deque[T] = deque()
        self._has_changed = asyncio.Event()
        self._is_entered = False
        self._is_closed = False
        self._error: Exception | None = None

    @property
    def waiting(self) -> int:
        """The number of items that arrived and were not read yet."""
        return len(self._unread)

    async def __aenter__(self) -> Self:
        if self._is_entered:
            raise RuntimeError(
                f"This iteration over {self._name} was already started. Create a new one."
            )
        self._is_entered = True
        await self._start_receiving()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._is_closed = True
        self._unread.clear()
        self._has_changed.set()
        await self._stop_receiving()

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
        while not self._unread:
            if self._is_closed:
                raise StopAsyncIteration
            if self._error is not None:
                raise self._error
            if not self._is_entered:
                raise RuntimeError(f"Iterate over {self._name} inside its `async with`.")
            self._has_changed.clear()
            await self._wait_for_item()
        return self._unread.popleft()

    async def _wait_for_item(self) -> None:
        try:
            async with asyncio.timeout(self._silence):
                await self._has_changed.wait()
        except TimeoutError:
            raise CallTimeout(self._name, self._silence or 0.0) from None

    async def _start_receiving(self) -> None:
        raise NotImplementedError

    async def _stop_receiving(self) -> None:
        raise NotImplementedError

    def _add_item(self, item: T) -> None:
        if not self._is_closed:
            self._unread.append(item)
            self._has_changed.set()

    def _fail(self, error: Exception) -> None:
        self._error = self._error or error
        self._has_changed.set()


class EventStream(ItemStream[T]):
    """The parameters of every event of one name, made by `Session.events`.

    Args:
        name: The name of the event.
        subscribe: Subscribes to the event. It gets two functions: the first receives the parameters
            of each event, the second receives the error when the session ends.
        predicate: Selects events by their parameters; None for all.
        silence: As in `ItemStream`.
    """

    def __init__(
        self,
        name: str,
        *,
        subscribe: Subscribe[T],
        predicate: Callable[[T], bool] | None,
        silence: float | None,
    ) -> None:
        super().__init__(name, silence=silence)
        self._subscribe = subscribe
        self._predicate = predicate
        self._subscriptions: list[Subscription] = []

    async def _start_receiving(self) -> None:
        on_event = self._add_item if self._predicate is None else self._on_event
        self._subscriptions = self._subscribe(on_event, self._fail)

    async def _stop_receiving(self) -> None:
        self._unsubscribe()

    def _fail(self, error: Exception) -> None:
        super()._fail(error)
        self._unsubscribe()  # Events that arrived before are still returned.

    def _unsubscribe(self) -> None:
        for subscription in self._subscriptions:
            subscription.close()

    def _on_event(self, params: T) -> None:
        try:
            is_selected = self._predicate is None or self._predicate(params)
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001
            # The error belongs to the iterating caller. It must not end the reader task.
            self._fail(make_predicate_error_raisable(error, self._name))
            return
        if is_selected:
            self._add_item(params)
