"""Calls of the tools that the documents of a page offer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from cdp_protocol import CallTimeout, CdpError, ProtocolError, Session
from viewpoint_mcp.accessibility.printing.invisible_characters import remove_invisible
from viewpoint_mcp.background_tasks import (
    BackgroundTasks,
    cancel_and_wait,
    wait_for_task_or_event,
)
from viewpoint_mcp.errors import PageChangedError, PageError, PageTimeoutError
from viewpoint_mcp.page.shorten import shorten
from viewpoint_mcp.page.webmcp.offered_tools import OfferedTool, OfferedTools

if TYPE_CHECKING:
    from cdp_protocol.types.runtime import RemoteObject
    from cdp_protocol.types.web_mcp import ToolRespondedEvent
    from viewpoint_mcp.page.services import PageServices

_MAX_TIME: Final = 22.0  # seconds; many clients wait only 30 s for a reply
_NAVIGATION_GRACE: Final = 1.0  # seconds in which Chromium ends the call of a left document
_CANCEL_TIMEOUT: Final = 1.0  # seconds; a page whose script does not end cannot cancel
_MAX_EVENT: Final = 300  # characters of a late result
_LOOK_FIRST: Final = "It may have had an effect. Look at the page before you call it again."
_HAS_API: Final = "() => [window.isSecureContext, 'modelContext' in document]"

OutcomeKind = Literal["completed", "failed", "cancelled", "left", "filled", "blocked"]


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """How a call ended.

    Attributes:
        kind: "completed" with an output; "failed" with an error text; "cancelled" by the page;
            "left" if the page navigated without a result; "filled" if the form waits to be
            submitted; "blocked" if a dialog or file chooser opened first.
        output: JSON value that the tool returned.
        error: Why it failed, as the page or the browser states it.
    """

    kind: OutcomeKind
    output: Any = None
    error: str = ""


@dataclass(slots=True)
class _Invocation:
    """One call of a tool.

    Attributes:
        id: The id that the page gave it; "" before it has received the call.
        is_awaited: Whether the tool call still waits for it. A later result becomes an event.
    """

    tool: OfferedTool
    id: str = ""
    outcome: ToolOutcome | None = None
    is_awaited: bool = True
    ended: asyncio.Event = field(default_factory=asyncio.Event)


class WebMcp:
    """The tools that the documents of one page offer.

    Attributes:
        tools: These tools.
    """

    def __init__(self, services: PageServices) -> None:
        self._services = services
        self.tools = OfferedTools(services.frames)
        self._invocations: dict[str, _Invocation] = {}
        self._tasks = BackgroundTasks()
        self._starting: asyncio.Task[None] | None = None
        self._early_responses: dict[str, ToolRespondedEvent] = {}

    def subscribe(self, session: Session) -> Awaitable[None]:
        """Track the tools of a target, and the results of their calls.

        Source: CDP `WebMCP.toolResponded`.
        """
        session.on(session.WebMCP.toolResponded, self._on_responded)
        return self.tools.subscribe(session)

    async def explain_absence(self) -> str:
        """Return why the main document cannot offer tools; "" if it can.

        Raises:
            PageError: The browser has no WebMCP, the page is blocked, or it did not answer.
        """
        if not self.tools.is_supported:
            raise PageError(
                "This browser cannot call the tools of pages: its DevTools protocol lacks the "
                "domain WebMCP.",
                "Use a newer Chromium; 156 has it.",
            )
        is_secure, has_api = await self._services.call_source(self._services.frames.main, _HAS_API)
        if has_api:
            return ""
        if not is_secure:
            return "WebMCP needs a page with https, or one of this machine (localhost)."
        raise PageError(
            "The page cannot offer tools: WebMCP is switched off in this browser.",
            "Start the browser with --enable-features=WebMCP, or enable "
            "chrome://flags/#enable-webmcp-testing in it.",
        )

    async def call(self, tool: OfferedTool, params: Mapping[str, Any]) -> ToolOutcome:
        """Call a tool, within `settle_afterwards`.

        Args:
            params: Its input.

        Raises:
            PageChangedError: The page no longer offers the tool.
            PageTimeoutError: The tool did not end in time. It was cancelled.
            PageError: The page is blocked, crashed, or was closed.
        """
        action = self._services.current_action
        await action.record_state_before_events(self._services.frames.get(tool.frame_id))
        invocation = _Invocation(tool)
        # The page may open a dialog before this task has the id of the call.
        self._starting = starting = asyncio.create_task(self._start(invocation, params))
        try:
            outcome = await action.perform_until_dialog(
                self._wait_for_outcome(invocation, starting)
            )
        except asyncio.CancelledError:  # by the client
            self._tasks.start(self._cancel_after_start(invocation, starting))
            raise
        finally:
            invocation.is_awaited = False
        return outcome or ToolOutcome("blocked")

    async def close(self) -> None:
        """Cancel the running tasks. Idempotent."""
        await self.tools.close()
        await self._tasks.close()
        if self._starting is not None:
            await cancel_and_wait(self._starting)

    async def _start(self, invocation: _Invocation, params: Mapping[str, Any]) -> None:
        """Send a call to the page, and set its id.

        Source: CDP `WebMCP.invokeTool`.
        """
        tool = invocation.tool
        # A form answers its last call only. A document that was left answers none.
        self._invocations = {
            each.id: each
            for each in self._invocations.values()
            if each.tool is not tool and not each.tool.document_left.is_set()
        }
        self._early_responses.clear()
        try:
            answer = await tool.session.WebMCP.invokeTool(
                frameId=tool.frame_id, toolName=tool.name, input=dict(params)
            )
        except ProtocolError as error:
            raise PageChangedError(
                f'The page no longer offers the tool "{tool.name}" ({error.message}).',
                "See its tools with browser_webmcp_list.",
            ) from error
        invocation.id = answer["invocationId"]
        self._invocations[invocation.id] = invocation
        if (response := self._early_responses.get(invocation.id)) is not None:
            self._on_responded(response)

    async def _wait_for_outcome(
        self, invocation: _Invocation, starting: asyncio.Task[None]
    ) -> ToolOutcome:
        await asyncio.wait({starting})
        if starting.cancelled():  # by `close`
            return ToolOutcome("left")
        starting.result()
        tool = invocation.tool
        if tool.is_submitted_by_hand:
            # The page fills in the form, or refuses the input, before it runs this.
            await tool.session.Runtime.evaluate(expression="0")
            return invocation.outcome or ToolOutcome("filled")
        limit = min(self._services.timeouts.script, _MAX_TIME)
        waiting = asyncio.ensure_future(invocation.ended.wait())
        try:
            await wait_for_task_or_event(waiting, tool.document_left, limit)
            if tool.document_left.is_set():
                await asyncio.wait({waiting}, timeout=_NAVIGATION_GRACE)
        finally:
            await cancel_and_wait(waiting)
        if invocation.outcome is not None:
            return invocation.outcome
        if tool.document_left.is_set():
            return ToolOutcome("left")
        name = f'tool "{tool.name}"'
        if await self._cancel(invocation):
            message = f"The {name} did not end within {limit:g} s and was cancelled."
        else:
            message = f"The script of the {name} ran for {limit:g} s and was stopped."
        raise PageTimeoutError(message, _LOOK_FIRST)

    async def _cancel_after_start(
        self, invocation: _Invocation, starting: asyncio.Task[None]
    ) -> None:
        with suppress(CdpError, PageError):
            await asyncio.shield(starting)
            await self._cancel(invocation)

    async def _cancel(self, invocation: _Invocation) -> bool:
        """Cancel a call. If a script blocks the page, stop it and return False.

        Source: CDP `WebMCP.cancelInvocation`, `Runtime.terminateExecution`.
        """
        session, params = invocation.tool.session, {"invocationId": invocation.id}
        self._invocations.pop(invocation.id, None)
        try:
            await session.send("WebMCP.cancelInvocation", params, timeout=_CANCEL_TIMEOUT)
        except ProtocolError:
            return True  # it ended meanwhile
        except CallTimeout:
            with suppress(CallTimeout):
                await session.send("Runtime.terminateExecution", timeout=_CANCEL_TIMEOUT)
            return False
        return True

    def _on_responded(self, event: ToolRespondedEvent) -> None:
        invocation = self._invocations.pop(event["invocationId"], None)
        if invocation is None:
            # The response can be read before the answer to invokeTool.
            if self._starting is not None and not self._starting.done():
                self._early_responses[event["invocationId"]] = event
            return
        outcome = _read_outcome(event)
        if invocation.tool.document_left.is_set() and not outcome.output:
            # Chromium ends the call with an empty list, or with an error if the origin differs.
            outcome = ToolOutcome("left")
        invocation.outcome = outcome
        invocation.ended.set()
        if not invocation.is_awaited and outcome.kind != "left":
            is_private = self._services.handovers.private_time.is_now
            self._services.events.append(
                f'The tool "{invocation.tool.name}" of the page ended while a person acted.'
                if is_private
                else _describe_late_outcome(invocation.tool, outcome)
            )


def _read_outcome(event: ToolRespondedEvent) -> ToolOutcome:
    if event["status"] == "Completed":
        return ToolOutcome("completed", event.get("output"))
    if event["status"] == "Canceled":
        return ToolOutcome("cancelled", error=event.get("errorText", ""))
    exception = event.get("exception")
    error = event.get("errorText") or (_describe_exception(exception) if exception else "")
    return ToolOutcome("failed", error=error)


def _describe_exception(exception: RemoteObject) -> str:
    if exception.get("subtype") == "error":
        return exception["description"]
    value = exception.get("value", exception.get("description", ""))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _describe_late_outcome(tool: OfferedTool, outcome: ToolOutcome) -> str:
    """Return a sentence about a result that came after the reply to its call."""
    name = f'The tool "{tool.name}" of the page'
    if outcome.kind == "cancelled":
        return f"{name} was cancelled by the page."
    is_completed = outcome.kind == "completed"
    value = outcome.output if is_completed else outcome.error
    text = shorten(json.dumps(value, ensure_ascii=False), _MAX_EVENT)
    quoted = " ".join(remove_invisible(text).split())
    return f"{name} {'returned' if is_completed else 'failed'}; text of the page: {quoted}"
