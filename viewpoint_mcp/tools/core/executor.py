"""Executor of tool calls for one client.

It serialises calls per page, applies time limits, composes replies, and translates errors.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from viewpoint_mcp.browser.client_workspace import Workspace
from viewpoint_mcp.browser.context import Context
from viewpoint_mcp.caller import ClientInputError, caller
from viewpoint_mcp.config.settings import Settings, SnapshotMode
from viewpoint_mcp.errors import TAKE_NEW_SNAPSHOT, ModalOpenError, ViewpointError
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.tools.core.batch import Batch
from viewpoint_mcp.tools.core.batch_run import BatchRun
from viewpoint_mcp.tools.core.result import Failure, Reply, ToolResult
from viewpoint_mcp.tools.core.tool import Tool
from viewpoint_mcp.tools.guards.call_guards import CallGuards
from viewpoint_mcp.tools.reply.composer import compose_plain_reply
from viewpoint_mcp.tools.reply.error_reply import describe_exception, make_error_reply
from viewpoint_mcp.tools.reply.readers import Readers
from viewpoint_mcp.tools.reply.stale_refs import add_suggestions
from viewpoint_mcp.tools.tracing.call_observer import observe_on_browser, observe_on_page

if TYPE_CHECKING:
    from viewpoint_mcp.live_view.live_view import LiveView
    from viewpoint_mcp.live_view.live_views import LiveViews
    from viewpoint_mcp.tools.codegen.recorder import SessionRecorder
    from viewpoint_mcp.tools.core.runner import HandleContextInfo
    from viewpoint_mcp.tools.tracing.trace import Trace

T = TypeVar("T")

# Seconds beyond the longest wait of a tool. Only a call that hangs reaches this limit.
_TIME_LIMIT_MARGIN = 60.0
_READING = frozenset({"read", "record"})  # kinds of tools that change nothing
_ACTIONS = frozenset({"input", "navigate", "view"})  # kinds of tools that a video can show


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one tool call, and the places that a reply to it shows.

    Attributes:
        context: The context whose tabs are listed; None if no browser runs.
        page: The page that the call acted on; None for none.
        tabs_before: CDP target ids of the tabs that were open before the call.
        is_plain: Whether the tool has nothing to do with the browser.
    """

    result: ToolResult
    context: Context | None = None
    page: Page | None = None
    tabs_before: frozenset[str] = frozenset()
    is_plain: bool = False


@dataclass(slots=True)
class ClientState:
    """The state of one client, which client tools read and change.

    Attributes:
        workspace: The contexts and tabs of the client.
        settings: The settings of the server.
        recorder: The recorder of its session; None if the server generates no code.
        handle: The secret name of its only context, if the client has no session; else None.
        live_view: Shows its tabs to a person, who can take control. `await live_view.open()`
            returns a secret URL. None if the server has no live views.
        trace: The trace that records its calls; None for none.
    """

    workspace: Workspace
    settings: Settings
    recorder: SessionRecorder | None
    handle: str | None
    live_view: LiveView | None = None
    trace: Trace | None = None


class Executor:
    """Runs tool calls in the workspace of one client.

    Args:
        workspace: The contexts and tabs of the client.
        handle: See `ClientState`.
        live_views: Makes the live view of the client; None for none.
    """

    def __init__(
        self,
        workspace: Workspace,
        settings: Settings,
        *,
        handle: str | None = None,
        live_views: LiveViews | None = None,
    ) -> None:
        self.workspace = workspace
        self._settings = settings
        self._readers = Readers(workspace, settings)
        self._guards = CallGuards(settings)
        self._recorder = _make_recorder(workspace, settings)
        live_view = live_views.make_view(workspace) if live_views is not None else None
        workspace.open_live_view = live_view.open if live_view is not None else None
        self._client = ClientState(workspace, settings, self._recorder, handle, live_view)
        timeouts = settings.timeouts
        self._time_limit = (
            max(timeouts.launch, timeouts.attach)
            + timeouts.navigation
            + _TIME_LIMIT_MARGIN
            + self._guards.time_for_user
        )

    async def run(self, tool: Tool[Any], args: Any) -> Reply:
        """Run a tool and compose the reply. Failures become replies.

        Args:
            args: The parsed arguments; a `Batch` for a tool that runs one.

        Raises:
            ClientInputError: The tool needs input or a capability of the client.
        """
        try:
            if isinstance(args, Batch):
                with self.workspace.pause_idle_timer():
                    return await self._run_batch(tool, args)
            return await self.perform(tool, args, self._compose)
        except ClientInputError:
            raise
        except Exception as error:  # noqa: BLE001 - `describe_exception` logs it
            return make_error_reply(self.describe_exception(tool, error))

    async def perform(
        self,
        tool: Tool[Any],
        args: Any,
        finish: Callable[[Outcome], Awaitable[T]],
        *,
        waits_for_elements: bool = False,
    ) -> T:
        """Run a tool within its time limit, and return what `finish` makes of its outcome.

        A failure on a page is an outcome too. `finish` runs before the next call on that page.

        Args:
            waits_for_elements: Whether the tool waits for elements that do not exist yet.

        Raises:
            Exception: The call failed otherwise; see `describe_exception`.
        """
        try:
            async with asyncio.timeout(self._time_limit_of(tool)):
                if tool.scope == "client":
                    result = await tool(self._client, args)
                    tabs = self.list_tab_ids()
                    return await finish(Outcome(result, self.workspace.active_context, None, tabs))
                if tool.scope == "plain":
                    return await finish(Outcome(await tool(caller(), args), is_plain=True))
                with self.workspace.pause_idle_timer():
                    if tool.scope == "browser":
                        return await finish(await self._run_on_browser(tool, args))
                    return await self._run_on_page(tool, args, finish, waits_for_elements)
        finally:  # before a call that waits for the page continues, so that it reports this one
            if tool.kind not in _READING:
                self._readers.note_call(tool.name)

    def describe_exception(self, tool: Tool[Any], error: Exception) -> Failure:
        """Return why a call failed that raised; see `error_reply.describe_exception`."""
        if isinstance(error, ViewpointError) and tool.scope != "plain":
            self.workspace.explain_loss(error)
        return describe_exception(tool.name, error, self._time_limit_of(tool))

    def find_trace(self, _arguments: object) -> Trace | None:
        """Return the trace that records a call with these arguments; None for none."""
        return self._client.trace

    def find_live_view(self, _arguments: object) -> LiveView | None:
        """Return the live view that lists a call with these arguments; None for none."""
        return self._client.live_view

    def list_tab_ids(self) -> frozenset[str]:
        """Return the CDP target ids of the open tabs."""
        return frozenset(tab.target_id for tab in self.workspace.tabs)

    def list_handle_contexts(self) -> list[HandleContextInfo]:
        """Return nothing: only clients without a session have handles."""
        return []

    async def close(self) -> None:
        """Close the contexts and the live view of the client, and save its trace. Idempotent."""
        if self._client.live_view is not None:
            await self._client.live_view.close()
        await self.workspace.close()
        trace, self._client.trace = self._client.trace, None
        if trace is not None:
            await trace.save_at_end()

    def _time_limit_of(self, tool: Tool[Any]) -> float | None:
        return tool.time_limit or (None if tool.scope == "plain" else self._time_limit)

    async def _compose(self, outcome: Outcome) -> Reply:
        if outcome.is_plain:
            return compose_plain_reply(outcome.result)
        reply = await self._readers.composer.compose(
            outcome.result, outcome.context, outcome.page, outcome.tabs_before
        )
        self.remember_shown(outcome, reply.text)
        return reply

    def remember_shown(self, outcome: Outcome, text: str) -> None:
        """Remember for the guards what a reply shows of the page that a call acted on."""
        self._guards.remember_shown(outcome.page, outcome.context, text)

    async def _run_batch(self, tool: Tool[Any], batch: Batch) -> Reply:
        """Run the steps of a batch, and compose one reply with the state after the last one."""
        run = BatchRun(self, self._readers.composer, batch, budget=self._settings.snapshot_budget)
        try:
            result = await tool(run, batch)
            context, page = run.choose_final_page()
            async with asyncio.timeout(self._time_limit), page.lock if page else nullcontext():
                reply = await self._readers.composer.compose(
                    result,
                    context,
                    page,
                    run.tabs_before,
                    other_pages={p: c for p, c in run.pages.items() if p is not page},
                    budget=run.budget_left,
                )
                # The steps were remembered one by one.
                self._guards.remember_shown(page, context, reply.text.replace(result.text, ""))
                return reply
        except BaseException:
            run.forget_new_baselines()
            raise

    async def _run_on_browser(self, tool: Tool[Any], args: Any) -> Outcome:
        tabs_before = self.list_tab_ids()
        note = await self._guards.check_on_browser(tool, args, self.workspace)
        async with observe_on_browser(tool, args, self.workspace):
            if self._recorder is not None:
                result = await self._recorder.run_on_browser(tool, args)
            else:
                result = await tool(self.workspace, args)
        if note and result.page is not None:
            result.page.add_event(note)
        elif note:
            result = replace(result, text=f"{result.text}\n{note}")
        context = result.context or self.workspace.active_context
        return Outcome(result, context, result.page, tabs_before)

    async def _run_on_page(
        self,
        tool: Tool[Any],
        args: Any,
        finish: Callable[[Outcome], Awaitable[T]],
        waits_for_elements: bool,
    ) -> T:
        context = await self.workspace.get_context(tool.context_name(args))
        page = await context.get_active_page()
        _raise_if_handed_over(tool, page)
        tabs_before = self.list_tab_ids()
        async with (
            self._page_lock(tool, page),
            self._page_load_slot(tool),
            observe_on_page(tool, page, context),
        ):
            try:
                _raise_if_handed_over(tool, page)
                _raise_if_page_closed_or_modal_open(tool, page)
                await self._guards.check_on_page(tool, args, page)
                with (
                    page.elements.wait_for_missing() if waits_for_elements else nullcontext(),
                    self._show_in_video(tool, page, context),
                ):
                    if self._recorder is not None:
                        result = await self._recorder.run_on_page(tool, args, page, context)
                    else:
                        result = await tool(page, args)
                return await finish(Outcome(result, context, page, tabs_before))
            except ViewpointError as error:
                if context.is_closed or page.blockers.connection_lost is not None:
                    raise  # the page has no state that the reply could show
                description = getattr(args, "element", None)
                await add_suggestions(error, page, context, self.workspace.identities, description)
                result = self._make_error_result(error)
                return await finish(Outcome(result, context, page, tabs_before))

    def _make_error_result(self, error: ViewpointError) -> ToolResult:
        """Return the result of a failed call. If the agent needs the current page, show it."""
        shows_page = (
            error.hint == TAKE_NEW_SNAPSHOT
            and self._settings.snapshot_mode is not SnapshotMode.NONE
        )
        if shows_page:
            error.hint = None
        return ToolResult(str(error), snapshot=shows_page, is_error=True, error_code=error.code)

    def _show_in_video(
        self, tool: Tool[Any], page: Page, context: Context
    ) -> AbstractContextManager[None]:
        if tool.kind not in _ACTIONS or not tool.waits_for_page:
            return nullcontext()
        return self.workspace.show_action_in_video(context, page, tool.title)

    @staticmethod
    def _page_lock(tool: Tool[Any], page: Page) -> AbstractAsyncContextManager[Any]:
        return page.lock if tool.waits_for_page else nullcontext()

    def _page_load_slot(self, tool: Tool[Any]) -> AbstractAsyncContextManager[Any]:
        return (
            self.workspace.wait_for_page_load_slot() if tool.kind == "navigate" else nullcontext()
        )


def _make_recorder(workspace: Workspace, settings: Settings) -> SessionRecorder | None:
    """Return the recorder of the session; None if the server generates no code."""
    if not settings.has_test_support:
        return None
    from viewpoint_mcp.tools.codegen.recorder import SessionRecorder

    return SessionRecorder(workspace, settings)


def _raise_if_handed_over(tool: Tool[Any], page: Page) -> None:
    """Raise an error if a person acts on the page. A tool may answer a dialog or chooser of it."""
    error = page.handovers.error
    if error is not None and not (tool.answers_modal and page.blockers.blocking_error()):
        raise error


def _raise_if_page_closed_or_modal_open(tool: Tool[Any], page: Page) -> None:
    """Raise an error if the page is closed, or if a dialog or file chooser blocks the tool.

    A page may close while a call waits for its turn. An open dialog blocks all tools except those
    that answer dialogs. An open file chooser blocks all tools except those that answer choosers or
    dialogs, because an answer to the next dialog can be prepared.
    """
    reason = page.blockers.blocking_error()
    if reason is not None and page.blockers.is_closed:
        raise reason
    answers = ("dialog",) if page.blockers.dialog is not None else ("dialog", "chooser")
    if isinstance(reason, ModalOpenError) and tool.answers_modal not in answers:
        raise reason
