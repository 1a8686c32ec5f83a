"""A blocking client for programs without asyncio. It runs the asyncio client in a thread.

    from cdp_protocol import sync

    with sync.connect("http://127.0.0.1:9222") as browser:
        page = browser.attach(browser.Target.createTarget(url="about:blank"))
        page.Page.enable()
        with page.expect(page.Page.loadEventFired) as loaded:
            page.Page.navigate(url="https://example.org")
            print(loaded()["timestamp"])

Type checkers do not know the domain attributes of this client. It has no event handlers, because
they would run in another thread. Iterate over `events` instead.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager
from functools import partial, wraps
from typing import Any, ParamSpec, Self, TypeVar

from cdp_protocol import browser, domains, running_browser, session
from cdp_protocol.awaitable_opening import Opening
from cdp_protocol.events import Event
from cdp_protocol.io_stream import DEFAULT_PIECE_SIZE
from cdp_protocol.launching import launch as launching

T = TypeVar("T")
P = ParamSpec("P")


class EventLoopThread:
    """A background thread with an event loop that runs the asyncio client."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="cdp", daemon=True)
        self._thread.start()

    def run(self, function: Callable[[], Awaitable[T]]) -> T:
        """Call a function in the event loop, await its result, and return it.

        Ctrl+C cancels the awaited work. On Windows, Ctrl+C takes effect only after that work ends.

        Raises:
            RuntimeError: The caller runs in the event loop's thread, or the browser was closed.
        """
        if threading.current_thread() is self._thread:
            raise RuntimeError(
                "A predicate cannot wait for calls, because the reader task runs it."
            )
        if self.is_closed:
            raise RuntimeError("This browser is closed. Connect again.")

        async def await_result() -> T:
            return await function()

        future = asyncio.run_coroutine_threadsafe(await_result(), self._loop)
        try:
            return future.result()
        finally:
            future.cancel()

    def run_cleanup(self, cleanup: Callable[[], Awaitable[object]]) -> None:
        """Run a cleanup in the event loop; do nothing after `close`, which released everything."""
        if not self.is_closed:
            self.run(cleanup)

    @property
    def is_closed(self) -> bool:
        return self._loop.is_closed()

    def close(self) -> None:
        """Cancel all tasks, wait until they end, then stop the event loop. Idempotent."""
        if not self.is_closed:
            self.run(self._cancel_all_tasks)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    async def _cancel_all_tasks(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._loop.shutdown_asyncgens()


class Session:
    """A blocking CDP session with one target.

    Its methods do and raise the same as those of the asyncio `Session`, which documents them.

    Attributes:
        session: The asyncio session. It has the other attributes: `session_id`, `target_info`,
            `closed`, `timeout`, `parent` and `connection`; for a browser also `endpoint` and
            `process`.
    """

    def __init__(self, asynchronous: session.Session, loop: EventLoopThread) -> None:
        self.session = asynchronous
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        """Return a domain. Its commands block: `page.Page.navigate(url=url)` returns the result."""
        if not name[:1].isupper():
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        # The stub `domains.pyi` declares the typed domains only.
        return domains.Domain(name, self.send)  # type: ignore[attr-defined]

    def send(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> dict[str, Any]:
        """Send a command and return the result object of its response."""
        return self._loop.run(lambda: self.session.send(method, params, timeout=timeout))

    def attach(self, target: str | Mapping[str, object]) -> Session:
        """Attach to a target. Use the session in `with` to detach at the end of the block."""
        return Session(self._loop.run(lambda: self.session.attach(target)), self._loop)

    @contextmanager
    def expect(
        self,
        event: str | Event[Any],
        predicate: Callable[[Any], bool] | None = None,
        *,
        timeout: float | None = None,
    ) -> Iterator[Callable[[], dict[str, Any]]]:
        """Subscribe to an event before an action; call the yielded function to wait for it."""
        with self._enter_async_block(
            self.session.expect(event, predicate, timeout=timeout)
        ) as expected:
            yield lambda: self._loop.run(lambda: expected)

    @contextmanager
    def events(
        self,
        event: str | Event[Any],
        predicate: Callable[[Any], bool] | None = None,
        *,
        silence: float | None = None,
    ) -> Iterator[Iterator[dict[str, Any]]]:
        """Yield an iterator over the parameters of the events that arrive inside the `with` block.

        Args:
            event: The name of the event, or the event of a domain.
            predicate: Selects events by their parameters; None for all.
            silence: Maximum time in seconds without a selected event. After it, the iteration
                raises `CallTimeout`; None for no limit.
        """
        with self._enter_async_block(
            self.session.events(event, predicate, silence=silence)
        ) as arrivals:
            yield self._iterate_async_items(arrivals)

    @contextmanager
    def auto_attach(self, **options: Any) -> Iterator[Iterator[Session]]:
        """Attach to all existing and new targets, and iterate over their sessions.

        Args:
            options: The options of the asyncio `Session.auto_attach`.
        """
        with self._enter_async_block(self.session.auto_attach(**options)) as arrivals:
            yield map(partial(Session, loop=self._loop), self._iterate_async_items(arrivals))

    def read(self, handle: str, *, size: int = DEFAULT_PIECE_SIZE) -> Iterator[bytes]:
        """Read a stream of the browser in pieces; close it at its end or when the loop is left."""
        pieces = self.session.read(handle, size=size)
        try:
            while piece := self._loop.run(lambda: anext(pieces, b"")):
                yield piece
        finally:
            self._loop.run_cleanup(pieces.aclose)

    def close(self) -> None:
        """Detach from the target, which keeps running. Idempotent."""
        self._loop.run_cleanup(self.session.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _iterate_async_items(self, items: AsyncIterator[T]) -> Iterator[T]:
        # Not a generator: an exception such as CallTimeout ends a generator, and the caller could
        # not continue the iteration.
        end: Any = object()
        return iter(lambda: self._loop.run(lambda: anext(items, end)), end)

    @contextmanager
    def _enter_async_block(self, block: AbstractAsyncContextManager[T, Any]) -> Iterator[T]:
        value = self._loop.run(block.__aenter__)
        try:
            yield value
        finally:
            self._loop.run_cleanup(lambda: block.__aexit__(None, None, None))


class Browser(Session):
    """The blocking root session, which reaches the browser itself."""

    session: browser.Browser

    def close(self) -> None:
        """Close the connection and stop the background thread. Idempotent.

        End the browser too if this program launched it.
        """
        if not self._loop.is_closed:
            try:
                super().close()
            finally:
                self._loop.close()


def _make_blocking(open_browser: Callable[P, Opening[browser.Browser]]) -> Callable[P, Browser]:
    @wraps(open_browser)
    def open_blocking_browser(*args: P.args, **kwargs: P.kwargs) -> Browser:
        loop = EventLoopThread()
        try:
            return Browser(loop.run(lambda: open_browser(*args, **kwargs)), loop)
        except BaseException:
            loop.close()
            raise

    return open_blocking_browser


connect = _make_blocking(running_browser.connect)
launch = _make_blocking(launching.launch)
