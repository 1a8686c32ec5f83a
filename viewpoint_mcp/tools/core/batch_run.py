"""One run of a batch: performs its steps in order, and collects what each of them did."""

from __future__ import annotations

import textwrap
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from viewpoint_mcp import call_status
from viewpoint_mcp.browser.context import Context
from viewpoint_mcp.caller import ClientInputError
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.tools.core.batch import Batch, Step, describe_step
from viewpoint_mcp.tools.core.result import (
    Audio,
    Embedded,
    Failure,
    Image,
    Link,
    PageView,
    ToolResult,
)
from viewpoint_mcp.tools.reply.composer import MIN_BUDGET, Composer
from viewpoint_mcp.tools.tracing.call_observer import record_step

if TYPE_CHECKING:
    from viewpoint_mcp.tools.core.executor import Executor, Outcome

_MIN_STEP_BUDGET: Final = 300  # characters that each step may use
_NOT_SHOWN: Final = "Not shown, because the batch has used its budget. Call it alone."


class BatchRun:
    """One run of a batch.

    Args:
        executor: Performs the steps.
        composer: Renders their results.
        budget: Characters of the whole reply, for the content that steps read and the snapshot.

    Attributes:
        pages: The pages that steps acted on, with their contexts, in the order of first use.
        tabs_before: CDP target ids of the tabs that were open before, or were made active since.
        budget_left: The characters that are left of the budget.
    """

    def __init__(
        self, executor: Executor, composer: Composer, batch: Batch, *, budget: int
    ) -> None:
        self._executor = executor
        self._composer = composer
        self._batch = batch
        self.budget_left = budget
        self.pages: dict[Page, Context] = {}
        self.tabs_before: frozenset[str] = frozenset()
        self._lines: list[str] = []
        self._images: list[Image] = []
        self._links: list[Link] = []
        self._attachments: list[Audio | Embedded] = []
        self._code: list[str] = []
        self._last_context: Context | None = None
        self._last_result = ToolResult()
        self._shown_pages: set[Page] = set()  # pages whose state the reply shows
        self._changed_pages: set[Page] = set()  # those whose changes no step has shown yet
        self._pages_with_new_baseline: set[Page] = set()

    async def run_steps(self) -> ToolResult:
        """Run the steps until one fails. Return the results of all, one line each or more.

        Raises:
            ClientInputError: The first step needs input or a capability of the client.
        """
        self.tabs_before = self._executor.list_tab_ids()
        for number, step in enumerate(self._batch.steps, 1):
            count = len(self._batch.steps)
            call_status.set_call_status(f"Step {number} of {count} ({step.tool.name}) is running")
            running = self._run_step(number, step)
            failure = await record_step(step, running, lambda: self._lines[-1])
            if failure is not None:
                return replace(
                    self._make_result(self._describe_failure(number, failure.message)),
                    is_error=True,
                    error_code=failure.code,
                )
        return self._make_result("\n".join(self._lines))

    def choose_final_page(self) -> tuple[Context | None, Page | None]:
        """Return the context of the last step, and its active page if a step acted on it."""
        context = self._last_context
        if context is None or context.is_closed:
            context = self._executor.workspace.active_context
        if context is None:
            return None, None
        tab = context.active_tab
        page = tab.attached_page if tab is not None else None
        return context, page if page in self.pages else None

    def forget_new_baselines(self) -> None:
        """Forget the baselines that snapshot steps set, because the agent receives no reply."""
        for page in self._pages_with_new_baseline:
            page.baselines.current.forget()

    async def _run_step(self, number: int, step: Step) -> Failure | None:
        """Run a step; return None, or its failure."""
        try:
            return await self._executor.perform(
                step.tool,
                step.args_in(self._batch.context),
                partial(self._record, number, step),
                waits_for_elements=number > 1,
            )
        except ClientInputError as error:
            if number == 1:
                raise
            # The client would repeat the whole batch with its answer.
            return Failure(
                CallError.code,
                f"{error} Only the first step of a batch can ask the client. Call it alone.",
            )
        except Exception as error:  # noqa: BLE001 - `describe_exception` logs it
            return self._executor.describe_exception(step.tool, error)

    async def _record(self, number: int, step: Step, outcome: Outcome) -> Failure | None:
        """Add the result of a step to the reply; return its failure if the step failed."""
        self._note_places(step, outcome)
        result, page = outcome.result, outcome.page
        self._last_result = result
        if page is not None and (result.snapshot or result.view is not None):
            self._shown_pages.add(page)
        if page is not None and result.snapshot:
            self._changed_pages.add(page)
        if result.is_error:
            return Failure(result.error_code, result.text)
        budget = self._budget_of_step(number)
        is_omitted = result.view is not None and result.view.has_snapshot and budget < MIN_BUDGET
        rendered = await self._composer.render_step(
            replace(result, text=_NOT_SHOWN, view=None) if is_omitted else result, page, budget
        )
        content, snapshot = rendered.content, rendered.snapshot
        if page is not None and snapshot.new_baseline is not None:
            page.baselines.current.set_tree(*snapshot.new_baseline)
            self._pages_with_new_baseline.add(page)
        if page is not None and result.view is not None and snapshot.text:
            # The step asked what to show. The page may not be repeated, but changes elsewhere may.
            has_baseline = page.baselines.current.nodes_for(page.document_id) is not None
            if result.view.root is None or not has_baseline:
                self._changed_pages.discard(page)
        text = "\n".join(filter(None, (content.text, snapshot.text)))
        line = _render_step(number, step.tool.name, text)
        self._executor.remember_shown(outcome, line)
        self.budget_left -= len(line) + 1
        self._lines.append(line)
        self._images += content.images
        self._links += (*content.links, *snapshot.links)
        self._attachments += result.attachments
        self._code += result.code
        return None

    def _budget_of_step(self, number: int) -> int:
        """Return the characters for what a step reads, so that later steps have some left."""
        later_steps = len(self._batch.steps) - number
        reserved = MIN_BUDGET + later_steps * _MIN_STEP_BUDGET
        return max(self.budget_left - reserved, _MIN_STEP_BUDGET)

    def _note_places(self, step: Step, outcome: Outcome) -> None:
        if outcome.context is not None:
            self._last_context = outcome.context
            if step.tool.scope == "browser":
                # The next step counts the tabs as this one left them. Tabs that closed without a
                # step keep their index, so that no step selects another tab than was meant.
                outcome.context.list_tabs_and_remember_order()
            if (tab := outcome.context.active_tab) is not None:
                self.tabs_before |= {tab.target_id}  # the agent knows it; it is no popup
        if outcome.page is not None and outcome.context is not None:
            self.pages.setdefault(outcome.page, outcome.context)

    def _describe_failure(self, number: int, reason: str) -> str:
        count = len(self._batch.steps)
        name = describe_step(number, self._batch.steps[number - 1].tool.name)
        indented = reason.replace("\n", "\n  ")  # a page's text cannot look like another step
        lines = [f"{name} failed: {indented}"]
        if number + 1 == count:
            lines.append(f"Step {count} was not run.")
        elif number < count:
            lines.append(f"Steps {number + 1} to {count} were not run.")
        if self._lines:
            lines += ["Run before it:", *self._lines]
        return "\n".join(lines)

    def _make_result(self, text: str) -> ToolResult:
        _, page = self.choose_final_page()
        is_changed = page in self._changed_pages
        shows_state_only = page in self._shown_pages and not is_changed
        return ToolResult(
            text,
            snapshot=is_changed,
            view=PageView(has_snapshot=False) if shows_state_only else None,
            omits_open_tabs=self._last_result.omits_open_tabs,
            images=tuple(self._images),
            links=tuple(self._links),
            attachments=tuple(self._attachments),
            code=tuple(self._code),
        )


def _render_step(number: int, tool_name: str, text: str) -> str:
    """Return the result of one step, on one line or indented below its name.

    So no line of a page can look like another step.
    """
    label = f"{number}. {tool_name}:"
    if "\n" in text:
        return f"{label}\n{textwrap.indent(text, '  ')}"
    return f"{label} {text or 'done'}"
