"""Executor for calls without a session. Each call names its context by a handle."""

from __future__ import annotations

import asyncio
import secrets
import time
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from viewpoint_mcp.background_tasks import wait_despite_cancellation
from viewpoint_mcp.browser.client_workspace import Workspace
from viewpoint_mcp.browser.health.idle_timer import IdleTimer
from viewpoint_mcp.browser.supervisor import BrowserSupervisor
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.batch import Batch
from viewpoint_mcp.tools.core.executor import Executor
from viewpoint_mcp.tools.core.result import Failure, Reply, join_sections
from viewpoint_mcp.tools.core.runner import HandleContextInfo
from viewpoint_mcp.tools.core.sessionless_call_policy import (
    ActsInContext,
    ClosesContext,
    NeedsNoContext,
    NeedsSession,
    OpensContext,
)
from viewpoint_mcp.tools.core.tool import Tool
from viewpoint_mcp.tools.reply.error_reply import make_error_reply

if TYPE_CHECKING:
    from viewpoint_mcp.live_view.live_view import LiveView
    from viewpoint_mcp.live_view.live_views import LiveViews
    from viewpoint_mcp.tools.tracing.trace import Trace

_IDLE_LIMIT: Final = 1800.0  # seconds without a call after which a context is closed
_TOKEN_BYTES: Final = 16  # random bytes; every holder of a handle may use it


class _HandleContext:
    """The executor of the one context that a handle names, and its idle timer."""

    def __init__(self, name: str, executor: Executor, idle_timer: IdleTimer) -> None:
        self.name = name
        self.executor = executor
        self.idle_timer = idle_timer
        self.used_at = time.monotonic()

    async def run(self, tool: Tool[Any], args: Any) -> Reply:
        self.used_at = time.monotonic()
        with self.idle_timer.pause():
            return await self.executor.run(tool, args)

    async def close(self) -> None:
        await self.idle_timer.close()
        await self.executor.close()


class SessionlessCallExecutor:
    """Runs calls without a session, by the policies that their tools declare.

    A handle is a name with a random part, so only a client that received it can send it.

    Args:
        supervisor: The browser of the server.
        idle_limit: Seconds without a call after which a context is closed.
        live_views: Makes the live view of each context; None for none.
    """

    def __init__(
        self,
        supervisor: BrowserSupervisor,
        settings: Settings,
        *,
        idle_limit: float = _IDLE_LIMIT,
        live_views: LiveViews | None = None,
    ) -> None:
        self._supervisor = supervisor
        self._settings = settings
        self._idle_limit = idle_limit
        self._live_views = live_views
        self._contexts: dict[str, _HandleContext] = {}
        self._numbers = count(1)
        self._contextless_executor = Executor(
            supervisor.make_workspace(default_name=None), settings
        )

    async def run(self, tool: Tool[Any], args: Any) -> Reply:
        """Run a tool by its policy, and compose the reply. Failures become replies."""
        try:
            if isinstance(args, Batch):
                args.check_sessionless()
            return await self._choose_context_and_run(tool, args)
        except CallError as error:
            return make_error_reply(Failure.from_error(error))

    def find_trace(self, arguments: object) -> Trace | None:
        """Return the trace of the context that the arguments of a call name; None for none."""
        executor = self._find_executor(arguments)
        return None if executor is None else executor.find_trace(arguments)

    def find_live_view(self, arguments: object) -> LiveView | None:
        """Return the live view of the context that the arguments of a call name; None for none."""
        executor = self._find_executor(arguments)
        return None if executor is None else executor.find_live_view(arguments)

    def list_tab_ids(self) -> frozenset[str]:
        """Return the CDP target ids of the open tabs of all contexts."""
        ids = (each.executor.list_tab_ids() for each in self._contexts.values())
        return frozenset().union(*ids)

    def list_handle_contexts(self) -> list[HandleContextInfo]:
        """Return the open contexts, oldest first."""
        return [
            HandleContextInfo(each.name, handle, len(each.executor.list_tab_ids()), each.used_at)
            for handle, each in self._contexts.items()
        ]

    async def close(self) -> None:
        """Close all contexts. Idempotent."""
        for handle in list(self._contexts):
            await self._close_context_of_handle(handle)

    async def _choose_context_and_run(self, tool: Tool[Any], args: Any) -> Reply:
        match tool.sessionless:
            case NeedsSession(message, hint):
                raise CallError(message, hint)
            case NeedsNoContext():
                return await self._contextless_executor.run(tool, args)
            case OpensContext(argument):
                name = getattr(args, argument)
                return await self._run_in_new_context(
                    tool, args, argument, name, opens_default_context=False
                )
            case ClosesContext(argument):
                return await self._close_context(tool, getattr(args, argument))
            case ActsInContext(argument, can_open):
                handle = getattr(args, argument)
                if handle is None and can_open(args):
                    return await self._run_in_new_context(
                        tool, args, argument, "page", opens_default_context=True
                    )
                return await self._run_in_context(handle, tool, args)

    async def _run_in_context(self, handle: str | None, tool: Tool[Any], args: Any) -> Reply:
        context = self._find_context(handle, tool)
        reply = await context.run(tool, args)
        if reply.is_error and self._contexts.get(handle or "") is not context:
            # The context was closed during the call. The error of the workspace would refer to
            # other contexts, which a client without a session does not know.
            raise self._make_unknown_handle_error()
        return reply

    async def _run_in_new_context(
        self,
        tool: Tool[Any],
        args: Any,
        handle_argument: str,
        handle_prefix: str,
        *,
        opens_default_context: bool,
    ) -> Reply:
        """Run a call in a new context, and add its handle to the reply.

        Close the context if the call fails before it has created state worth keeping.

        Args:
            handle_argument: The argument that receives the handle.
            handle_prefix: The first part of the handle.
            opens_default_context: Whether the workspace creates the context, not the tool.
        """
        handle = f"{handle_prefix}-{secrets.token_urlsafe(_TOKEN_BYTES)}"
        workspace = self._supervisor.make_workspace(
            default_name=handle if opens_default_context else None
        )
        idle_timer = IdleTimer(self._idle_limit, lambda: self._close_if_idle(handle))
        name = f"{handle_prefix}:{next(self._numbers)}"
        executor = Executor(workspace, self._settings, handle=handle, live_views=self._live_views)
        context = _HandleContext(name, executor, idle_timer)
        self._contexts[handle] = context
        is_kept = False
        try:
            reply = await context.run(tool, replace(args, **{handle_argument: handle}))
            is_kept = _has_state_to_keep(workspace, reply)
        finally:
            if not is_kept:  # the client never receives the handle
                await wait_despite_cancellation(
                    asyncio.create_task(self._close_context_of_handle(handle))
                )
        if not is_kept:
            return reply
        return reply.with_preface(
            f'### Context\nThis call has no session. Pass context: "{handle}" in each further call '
            "that acts in its context. The context is closed after "
            f"{self._idle_limit / 60:g} minutes without a call."
        )

    async def _close_context(self, tool: Tool[Any], handle: str) -> Reply:
        self._find_context(handle, tool)
        await self._close_context_of_handle(handle)
        return Reply(join_sections({"Result": f'Closed context "{handle}".'}))

    def _find_executor(self, arguments: object) -> Executor | None:
        handle = arguments.get("context") if isinstance(arguments, dict) else None
        context = self._contexts.get(handle) if isinstance(handle, str) else None
        return None if context is None else context.executor

    def _find_context(self, handle: str | None, tool: Tool[Any]) -> _HandleContext:
        if handle is None:
            raise CallError(
                f"{tool.name} needs a context, because the call has no session.",
                "Pass the handle from the reply of browser_context_create, or of browser_navigate "
                "without context.",
            )
        context = self._contexts.get(handle)
        if context is None or handle in context.executor.workspace.identities.loss_causes:
            raise self._make_unknown_handle_error()
        return context

    def _make_unknown_handle_error(self) -> CallError:
        return CallError(
            "No context has this handle. The handle is wrong, or its context was closed, after "
            f"{self._idle_limit / 60:g} minutes without a call or with the browser.",
            "Create one with browser_context_create, or with browser_navigate without context.",
        )

    async def _close_if_idle(self, handle: str) -> None:
        context = self._contexts[handle]
        if context.executor.workspace.is_handed_over:
            with context.idle_timer.pause():
                return  # the timer starts again
        if not context.idle_timer.has_running_calls:
            del self._contexts[handle]
            await context.executor.close()  # not the timer, which runs this method

    async def _close_context_of_handle(self, handle: str) -> None:
        context = self._contexts.pop(handle, None)
        if context is not None:
            await context.close()


def _has_state_to_keep(workspace: Workspace, reply: Reply) -> bool:
    """Return whether a first call created state worth keeping.

    A failed call did so if one of its pages has loaded a document over HTTP.
    """
    context = workspace.active_context
    if context is None or not reply.is_error:
        return context is not None
    pages = (tab.attached_page for tab in context.tabs)
    return any(page is not None and page.work_dispatcher.http_status is not None for page in pages)
