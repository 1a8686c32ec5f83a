"""Events: typed names, subscriptions, and waiting for one event."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Generator
from typing import Any, Generic, TypeVar

from cdp_protocol.errors import CallTimeout, CdpError

log = logging.getLogger(__name__)

P = TypeVar("P")


class Event(Generic[P]):
    """The name of an event and, for type checkers, the type of its parameters.

    Args:
        name: The name on the wire: "Page.loadEventFired".
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name}>"


class Subscription:
    """A registered handler. `close()` removes it at once and permanently."""

    __slots__ = ("_handler", "_listeners", "_topic")

    def __init__(self, listeners: Listeners, topic: str, handler: Callable[[Any], object]) -> None:
        self._listeners = listeners
        self._topic = topic
        self._handler: Callable[[Any], object] | None = handler

    @property
    def is_active(self) -> bool:
        """Whether the handler is still called."""
        return self._handler is not None

    def close(self) -> None:
        """Remove the handler. Idempotent; the handler itself may call it too."""
        if self._handler is not None:
            self._handler = None
            self._listeners.remove(self._topic, self)

    def deliver(self, value: Any) -> None:
        """Call the handler and log its exceptions, because no caller could handle them."""
        if self._handler is None:
            return
        try:
            self._handler(value)
        except (Exception, asyncio.CancelledError):
            # A CancelledError here comes from a task whose result the handler read. It must not
            # cancel the reader task.
            log.exception("A handler of %s failed", self._topic)


class Listeners:
    """Subscriptions by topic, in the order in which they were added."""

    __slots__ = ("_topics",)

    def __init__(self) -> None:
        # The tuples are replaced, never changed, so handlers may subscribe and close during a call.
        self._topics: dict[str, tuple[Subscription, ...]] = {}

    def add(self, topic: str, handler: Callable[[Any], object]) -> Subscription:
        """Call `handler` with each value that is published on `topic` from now on.

        Raises:
            TypeError: The handler is a coroutine function, which the reader task cannot await.
        """
        reject_coroutine_function(handler, topic)
        subscription = Subscription(self, topic, handler)
        self._topics[topic] = (*self._topics.get(topic, ()), subscription)
        return subscription

    def remove(self, topic: str, subscription: Subscription) -> None:
        """Remove a subscription from a topic."""
        remaining = tuple(s for s in self._topics.get(topic, ()) if s is not subscription)
        if remaining:
            self._topics[topic] = remaining
        else:
            self._topics.pop(topic, None)

    def publish(self, topic: str, value: Any) -> None:
        """Call all handlers of `topic` with a value."""
        for subscription in self._topics.get(topic, ()):
            subscription.deliver(value)


def reject_coroutine_function(
    function: Callable[..., object],
    topic: str,
    *,
    role: str = "handler",
    alternative: str = "Start a task in it, and keep a reference to the task.",
) -> None:
    """Raise TypeError if a handler is a coroutine function, which the reader task cannot await.

    Args:
        function: The function to check.
        topic: The event, for the error message.
        role: The role of the function, for the error message.
        alternative: A sentence that proposes an alternative, for the error message.
    """
    if inspect.iscoroutinefunction(function):
        raise TypeError(
            f"The {role} of {topic} must be a plain function, because the reader task cannot await"
            f" it. {alternative}"
        )


def reject_coroutine_predicate(predicate: Callable[..., object] | None, topic: str) -> None:
    """Raise TypeError if a predicate is a coroutine function.

    Calling it returns a coroutine, which always counts as true.
    """
    if predicate is not None:
        alternative = "Check only the parameters, or filter in the loop over `events`."
        reject_coroutine_function(predicate, topic, role="predicate", alternative=alternative)


def make_predicate_error_raisable(error: BaseException, event_name: str) -> Exception:
    """Return the exception of a predicate in a form that can be raised in the waiting task.

    The waiting task would misread a CancelledError as its own cancellation, and a StopIteration as
    the end of an iteration. So both are wrapped in a RuntimeError.
    """
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    wrapped = RuntimeError(f"The predicate of {event_name} raised {error!r}.")
    wrapped.__cause__ = error
    return wrapped


class Expectation(Generic[P]):
    """An expected event: the block subscribes on entry, and the event is awaited inside it.

    async with session.expect("Page.loadEventFired") as loaded:
        await session.send("Page.navigate", {"url": url})
        await loaded

    Made by `Session.expect`. The time limit counts from the entry of the block.
    """

    def __init__(
        self,
        name: str,
        *,
        subscribe: Callable[[Callable[[P], None], Callable[[CdpError], None]], list[Subscription]],
        predicate: Callable[[P], bool] | None,
        timeout: float,
    ) -> None:
        self._name = name
        self._subscribe = subscribe
        self._predicate = predicate
        self._timeout = timeout
        self._subscriptions: list[Subscription] = []
        self._future: asyncio.Future[P] | None = None
        self._deadline = 0.0

    async def __aenter__(self) -> Expectation[P]:
        loop = asyncio.get_running_loop()
        self._future = loop.create_future()
        self._deadline = loop.time() + self._timeout
        self._subscriptions = self._subscribe(self._on_event, self._fail)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._unsubscribe()
        if self._future is not None:
            self._future.cancel()

    def __await__(self) -> Generator[Any, None, P]:
        """Wait for the event.

        Returns:
            The event's parameters.

        Raises:
            CallTimeout: The event did not arrive in time.
            ConnectionLost, SessionClosed: The connection or the session ended before the event.
        """
        return self._wait_for_event().__await__()

    async def _wait_for_event(self) -> P:
        if self._future is None or self._future.cancelled():
            raise RuntimeError(f"Await {self._name} inside its `async with session.expect(...)`.")
        limit = asyncio.timeout_at(self._deadline)
        try:
            async with limit:
                # The shield keeps the future usable: after a cancelled wait, the block may await
                # the event again.
                return await asyncio.shield(self._future)
        except TimeoutError:
            if not limit.expired():
                raise  # The predicate raised it.
            raise CallTimeout(self._name, self._timeout) from None

    def _on_event(self, params: P) -> None:
        if self._future is None or self._future.done():
            return
        try:
            is_selected = self._predicate is None or self._predicate(params)
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001
            # The error belongs to the waiting caller. It must not end the reader task.
            self._fail(make_predicate_error_raisable(error, self._name))
            return
        if is_selected:
            self._future.set_result(params)
            self._unsubscribe()

    def _fail(self, error: Exception) -> None:
        if self._future is not None and not self._future.done():
            self._future.set_exception(error)
            self._future.exception()
            self._unsubscribe()

    def _unsubscribe(self) -> None:
        for subscription in self._subscriptions:
            subscription.close()
