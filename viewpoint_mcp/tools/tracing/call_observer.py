"""The observer of the current call, which a trace sets. Without a trace, no call has one.

The executor and the batches report to it what they are about to do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace
    from viewpoint_mcp.browser.context import Context
    from viewpoint_mcp.page.page import Page
    from viewpoint_mcp.tools.core.batch import Step
    from viewpoint_mcp.tools.core.result import Failure
    from viewpoint_mcp.tools.core.tool import Tool


class CallObserver(Protocol):
    """Observes one call."""

    def observe_on_page(
        self, tool: Tool[Any], page: Page, context: Context
    ) -> AbstractAsyncContextManager[None]:
        """Observe a page tool, which runs on the page in the block."""

    def observe_on_browser(
        self, tool: Tool[Any], args: Any, workspace: Workspace
    ) -> AbstractAsyncContextManager[None]:
        """Observe a browser tool, which runs in the block."""

    async def record_step(
        self, step: Step, running: Awaitable[Failure | None], read_text: Callable[[], str]
    ) -> Failure | None:
        """Record a step of a batch, and return the failure that `running` returns.

        Args:
            running: Runs the step.
            read_text: Returns the text of the step, if it succeeded.
        """


_current: ContextVar[CallObserver | None] = ContextVar("call_observer", default=None)


def get_call_observer() -> CallObserver | None:
    """Return the observer of the current call; None if no trace records it."""
    return _current.get()


def set_call_observer(observer: CallObserver | None) -> Callable[[], None]:
    """Set the observer of the current call. Return a function that restores the former one."""
    token = _current.set(observer)
    return lambda: _current.reset(token)


def observe_on_page(
    tool: Tool[Any], page: Page, context: Context
) -> AbstractAsyncContextManager[None]:
    """Return the context manager around a call on a page; see `CallObserver`."""
    observer = _current.get()
    return nullcontext() if observer is None else observer.observe_on_page(tool, page, context)


def observe_on_browser(
    tool: Tool[Any], args: Any, workspace: Workspace
) -> AbstractAsyncContextManager[None]:
    """Return the context manager around a call of a browser tool; see `CallObserver`."""
    observer = _current.get()
    return nullcontext() if observer is None else observer.observe_on_browser(tool, args, workspace)


async def record_step(
    step: Step, running: Awaitable[Failure | None], read_text: Callable[[], str]
) -> Failure | None:
    """Run a step of a batch, and record it if a trace runs; see `CallObserver`."""
    observer = _current.get()
    return await (running if observer is None else observer.record_step(step, running, read_text))
