"""Runs calls that belong to no session: each names the context that it acts in, by a handle."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any, Final

from msgspec.structs import replace

from viewpoint_mcp.browser.health.idle_timer import IdleTimer
from viewpoint_mcp.browser.supervisor import BrowserSupervisor
from viewpoint_mcp.browser.workspace import Workspace
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tasks import outlast_cancellation
from viewpoint_mcp.tools.browser.contexts import CreateArgs, NameArgs, SaveArgs, switch
from viewpoint_mcp.tools.browser.navigate import NavigateArgs
from viewpoint_mcp.tools.browser.tabs import TabsArgs
from viewpoint_mcp.tools.core.executor import Executor
from viewpoint_mcp.tools.core.result import Reply
from viewpoint_mcp.tools.core.tool import Tool
from viewpoint_mcp.tools.reply.composer import failure

_LIMIT: Final = 1800.0  # seconds that a context is kept without a call
_TOKEN: Final = 16  # bytes, all of them random: whoever has a handle may use it


class _Held:
    """What one handle stands for: a workspace with one context, which has the handle's name."""

    def __init__(self, acting: Executor, idleness: IdleTimer) -> None:
        self.acting = acting
        self.idleness = idleness

    async def run(self, tool: Tool[Any], args: Any) -> Reply:
        with self.idleness.call():
            return await self.acting.run(tool, args)


class SessionlessCalls:
    """Runs calls in the contexts that they name. A handle is a name and what nobody can guess, so
    whoever passes one was given it.

    Args:
        host: Has the browser.
        limit: Seconds without a call after which a context is closed.
    """

    def __init__(
        self, host: BrowserSupervisor, settings: Settings, *, limit: float = _LIMIT
    ) -> None:
        self._host = host
        self._settings = settings
        self._limit = limit
        self._held: dict[str, _Held] = {}
        self._nowhere = Executor(host.workspace(default=None), settings)

    async def run(self, tool: Tool[Any], args: Any) -> Reply:
        """Run a tool in the context that its arguments name, and compose the answer."""
        try:
            return await self._run(tool, args)
        except CallError as error:
            return failure(str(error))

    async def close(self) -> None:
        """Close all contexts. Idempotent."""
        for handle in list(self._held):
            await self._drop(handle)

    async def _run(self, tool: Tool[Any], args: Any) -> Reply:
        if isinstance(args, CreateArgs):
            return await self._begin(tool, args, args.name)
        if tool.name == switch.name:
            raise CallError(
                "No context is active for calls that belong to no session.",
                "Pass the handle as context with each call.",
            )
        if isinstance(args, SaveArgs):
            return await self._in(args.name, tool, args)
        if isinstance(args, NameArgs):
            self._find(args.name, tool)
            await self._drop(args.name)
            return Reply(f'### Result\nClosed context "{args.name}".')
        if not hasattr(args, "context"):
            return await self._nowhere.run(tool, args)
        if args.context is None and _opens_a_page(args):
            return await self._begin(tool, args, "page")
        return await self._in(args.context, tool, args)

    async def _in(self, handle: str | None, tool: Tool[Any], args: Any) -> Reply:
        held = self._find(handle, tool)
        reply = await held.run(tool, args)
        if reply.is_error and self._held.get(handle or "") is not held:
            raise self._no_such()  # what a session is told of a closed context means nothing here
        return reply

    async def _begin(self, tool: Tool[Any], args: Any, name: str) -> Reply:
        """Run a call in a context of its own, and tell the handle of that."""
        handle = f"{name}-{secrets.token_urlsafe(_TOKEN)}"
        if isinstance(args, CreateArgs):
            default, args = None, replace(args, name=handle)
        else:
            default, args = handle, replace(args, context=handle)
        workspace = self._host.workspace(default=default)
        idleness = IdleTimer(self._limit, lambda: self._expire(handle))
        held = self._held[handle] = _Held(Executor(workspace, self._settings), idleness)
        is_there = False
        try:
            reply = await held.run(tool, args)
            is_there = _is_of_use(workspace, reply)
        finally:
            if not is_there:  # nobody will ever learn of it
                await outlast_cancellation(asyncio.create_task(self._drop(handle)))
        if not is_there:
            return reply
        notice = (
            f'### Context\nThis call belongs to no session. Pass context: "{handle}" with every '
            "further call that is to act in the context made for it, which is closed after "
            f"{self._limit / 60:g} minutes without one."
        )
        return reply.begun_with(notice)

    def _find(self, handle: str | None, tool: Tool[Any]) -> _Held:
        if handle is None:
            raise CallError(
                f"{tool.name} needs to be told which context to act in, for the call belongs to no "
                "session.",
                "Pass the handle that browser_context_create replied with, or browser_navigate "
                "where it was called without one.",
            )
        held = self._held.get(handle)
        if held is None or handle in held.acting.workspace.identities.lost:
            raise self._no_such()
        return held

    def _no_such(self) -> CallError:
        return CallError(
            "There is no context of that handle: it was never given, or its context was closed, be "
            f"it after {self._limit / 60:g} minutes without a call or with the browser.",
            "Make another with browser_context_create, or by browser_navigate without context.",
        )

    async def _expire(self, handle: str) -> None:
        held = self._held[handle]
        if held.idleness.is_idle:
            del self._held[handle]
            await held.acting.close()

    async def _drop(self, handle: str) -> None:
        held = self._held.pop(handle, None)
        if held is not None:
            await held.idleness.close()
            await held.acting.close()


def _is_of_use(workspace: Workspace, reply: Reply) -> bool:
    """Whether a first call has left more than the next one would make anew."""
    context = workspace.active
    if context is None or not reply.is_error:
        return context is not None
    pages = (tab.page_now for tab in context.tabs)
    return any(page is not None and page.activity.status is not None for page in pages)


def _opens_a_page(args: Any) -> bool:
    return isinstance(args, NavigateArgs) or (isinstance(args, TabsArgs) and args.action == "new")
