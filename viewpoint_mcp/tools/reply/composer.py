"""Composer of replies from the result of a tool and the state of the page and the browser.

Each step is a function from one value to the next:

    ToolResult     -> `render_text_and_screenshot`: text, images and data within the budget
    Page, PageView -> `snapshot_section`: capture, choose, render, fit: the section "Snapshot"
    Context        -> `browser_state`: the sections "Open tabs", "Page", "Modal state", "Events"
    all of these   -> `Composer`: sections joined to one text, images, links, data: a Reply
    Reply          -> `Reply.clean_texts`: secrets masked, invisible characters escaped

Each section passes text of pages through `heading_escaping`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from viewpoint_mcp.browser.client_workspace import Workspace
from viewpoint_mcp.browser.context import Context
from viewpoint_mcp.config.settings import CodegenLanguage, ImageResponses, Settings
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.tools.core.result import (
    Failure,
    FittedText,
    Image,
    Link,
    Reply,
    ToolResult,
    join_sections,
)
from viewpoint_mcp.tools.core.structured_output import Output
from viewpoint_mcp.tools.reply.browser_state import (
    PageAddress,
    describe_console_counts,
    describe_events_since_last_reply,
    describe_modal_states,
    describe_open_tabs,
    describe_page_state,
    describe_popups,
    find_page_address,
)
from viewpoint_mcp.tools.reply.image_response import render_screenshot
from viewpoint_mcp.tools.reply.missed_events import MissedEvents
from viewpoint_mcp.tools.reply.snapshot_mode import choose_view
from viewpoint_mcp.tools.reply.snapshot_section import SnapshotSection, render_snapshot_section

MIN_BUDGET: Final = 1000
"""Characters that a content gets at least, even if the other content of a reply has used all."""


class Composer:
    """Composes the replies for one reader.

    Args:
        pass_on: Called when a reply is complete, with its pages and the events that it reported.

    Attributes:
        missed: What the replies to other readers have reported since the last reply.
    """

    def __init__(
        self,
        workspace: Workspace,
        settings: Settings,
        pass_on: Callable[[Sequence[Page], str], object] = lambda *_: None,
    ) -> None:
        self._workspace = workspace
        self._settings = settings
        self._pass_on = pass_on
        self.missed = MissedEvents()
        # The last ones that a reply showed.
        self._known_address: PageAddress | None = None
        self._known_tabs = ""
        self._replaced_directory = settings.replaced_directory  # None once a reply explained it

    async def compose(
        self,
        result: ToolResult,
        context: Context | None,
        page: Page | None,
        tabs_before: frozenset[str],
        *,
        other_pages: Mapping[Page, Context] = MappingProxyType({}),
        budget: int | None = None,
    ) -> Reply:
        """Return the reply to a call.

        Args:
            context: The context whose tabs are listed; None if no browser runs.
            page: The page that the call acted on; None for none.
            tabs_before: CDP target ids of the tabs that were open before the call.
            other_pages: Pages that the call acted on before, with their contexts. Their events and
                modal states are reported.
            budget: Characters for the result and the snapshot; None for `--snapshot-budget`.

        Raises:
            ViewpointError: The snapshot that the call requests could not be taken or saved.
        """
        limit = self._settings.snapshot_budget if budget is None else max(budget, MIN_BUDGET)
        content = await render_text_and_screenshot(result, self._settings, limit)
        tabs = await describe_open_tabs(context, tabs_before, omits_list=result.omits_open_tabs)
        view = choose_view(result, self._settings.snapshot_mode)
        snapshot = await render_snapshot_section(
            page, view, self._settings, limit, is_requested=result.view is not None
        )
        places = {**other_pages, **({page: context} if page is not None else {})}
        shown_page = page if view is not None or result.is_error else None
        address = await self._find_unknown_address(shown_page, snapshot, result)
        counts = describe_console_counts(shown_page) if shown_page else ""
        events = self._describe_events(context, [*places], page if address else None, tabs_before)
        are_tabs_known = tabs == self._known_tabs and not _is_state_requested(result)
        sections = {
            "Error" if result.is_error else "Result": content.text
            + (result.text_if_unchanged if snapshot.is_unchanged else ""),
            "Ran Playwright code": render_code(result.code, self._settings.codegen),
            "Open tabs": "" if are_tabs_known else tabs,
            "Page": describe_page_state(shown_page, address, counts) if shown_page else "",
            "Modal state": describe_modal_states([*places.items()]),
            "Snapshot": snapshot.text,
            "Events": _join(*events),
        }
        # If the call is cancelled before this line, the agent sees nothing, so nothing is known.
        self._known_address = address or self._known_address
        if not result.omits_open_tabs:
            self._known_tabs = tabs
        _set_baseline(page, snapshot)
        self._pass_on([*places], _join(counts, events.new))
        return _make_reply(result, content, snapshot, self._explain_directory(sections))

    def _describe_events(
        self,
        context: Context | None,
        pages: Sequence[Page],
        page_with_address: Page | None,
        tabs_before: frozenset[str],
    ) -> _Events:
        new = describe_events_since_last_reply(self._workspace, context, pages, page_with_address)
        missed = self.missed.describe(pages, page_with_address, new)
        return _Events(missed, new, describe_popups(context, tabs_before) if pages else "")

    def _explain_directory(self, sections: dict[str, str]) -> dict[str, str]:
        """Add an event to the first reply that names a file outside the working directory."""
        directory = self._replaced_directory
        if directory is None or not any(str(directory) in text for text in sections.values()):
            return sections
        self._replaced_directory = None
        events = _join(sections["Events"], f"- {self._settings.directory_notice}")
        return {**sections, "Events": events}

    async def _find_unknown_address(
        self, page: Page | None, snapshot: SnapshotSection, result: ToolResult
    ) -> PageAddress | None:
        """Return the address of the page; None if the last reply about a page showed it.

        A requested snapshot and an error always show it.
        """
        if page is None:
            return None
        address = await find_page_address(page, snapshot.title)
        is_new = address != self._known_address
        return address if is_new or _is_state_requested(result) else None

    async def render_step(self, result: ToolResult, page: Page | None, budget: int) -> RenderedStep:
        """Return the content of one step of a batch, without the state of the page.

        Args:
            page: The page that the step acted on; None for none.
            budget: Characters for what the step reads.

        Raises:
            ViewpointError: The snapshot that the step requests could not be taken or saved.
        """
        content = await render_text_and_screenshot(result, self._settings, budget)
        snapshot = await render_snapshot_section(
            page, result.view, self._settings, budget, is_requested=True
        )
        return RenderedStep(content, snapshot)


class _Events(NamedTuple):
    """The section Events.

    Attributes:
        missed: What replies to other readers reported; see `MissedEvents`.
        new: What no reply has reported yet.
        popups: The tabs that the pages opened. Every reader sees them in the list of tabs.
    """

    missed: str
    new: str
    popups: str


def _join(*lines: str) -> str:
    return "\n".join(filter(None, lines))


def _is_state_requested(result: ToolResult) -> bool:
    """Return whether a reply shows the tabs and the page's address even if the agent knows them."""
    return result.is_error or (result.view is not None and result.view.has_snapshot)


def _set_baseline(page: Page | None, snapshot: SnapshotSection) -> None:
    if page is not None and snapshot.new_baseline is not None:
        page.baselines.current.set_tree(*snapshot.new_baseline)


def render_code(lines: Sequence[str], language: CodegenLanguage) -> str:
    """Return lines of Playwright code as a code block; "" for none."""
    fence = "js" if language == "typescript" else language
    return "\n".join([f"```{fence}", *lines, "```"]) if lines else ""


def _make_reply(
    result: ToolResult,
    content: FittedResult,
    snapshot: SnapshotSection,
    sections: Mapping[str, str],
) -> Reply:
    data = None
    if result.is_error:
        failure = Failure(result.error_code, content.text)
        data = failure.to_json(join_sections({**sections, "Error": ""}))
    elif content.output is not None:
        data = content.output.to_json(join_sections({**sections, "Result": ""}))
    return Reply(
        join_sections(sections),
        content.images,
        (*content.links, *snapshot.links),
        result.is_error,
        data,
        result.attachments,
        result.error_code if result.is_error else None,
    )


def compose_plain_reply(result: ToolResult) -> Reply:
    """Return the reply of a tool without a browser. It contains only the result."""
    data = None if result.output is None else result.output.to_json("")
    if result.is_error:
        data = Failure(result.error_code, result.text).to_json()
    return Reply(
        result.text,
        result.images,
        result.links,
        result.is_error,
        data,
        result.attachments,
        result.error_code if result.is_error else None,
    )


@dataclass(frozen=True, slots=True)
class FittedResult:
    """The result of a tool, limited by the budget and the settings."""

    text: str
    images: tuple[Image, ...]
    links: tuple[Link, ...]
    output: Output | None


@dataclass(frozen=True, slots=True)
class RenderedStep:
    """The content of one step of a batch."""

    content: FittedResult
    snapshot: SnapshotSection


async def render_text_and_screenshot(
    result: ToolResult, settings: Settings, budget: int
) -> FittedResult:
    """Render the text of a result within the budget, and render its screenshot.

    Args:
        budget: Characters of a text that can be long.
    """
    fitted = result.fit_text(budget) if result.fit_text else result.text
    if not isinstance(fitted, str | FittedText):
        fitted = await fitted
    text, output = (
        (fitted.text, fitted.output) if isinstance(fitted, FittedText) else (fitted, result.output)
    )
    if result.screenshot is None:
        return FittedResult(text, result.images, result.links, output)
    mode = settings.image_responses
    about, images = await render_screenshot(result.screenshot, mode)
    links = result.links if mode in (ImageResponses.FILE, ImageResponses.INLINE) else ()
    if about and text:
        about = f"{about}\n{text}"
    return FittedResult(about, images, links, output)
