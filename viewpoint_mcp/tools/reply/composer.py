"""Composes the reply to a call: what the tool said, and what the browser shows now, in sections."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import partial

from viewpoint_mcp.accessibility.capture import Capture
from viewpoint_mcp.browser.context import Context
from viewpoint_mcp.browser.workspace import Workspace
from viewpoint_mcp.config.settings import ImageResponses, Settings, SnapshotMode
from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.page.shorten import shorten_url
from viewpoint_mcp.tools.core.output import Output
from viewpoint_mcp.tools.core.result import Fitted, Image, Reply, ToolResult, View
from viewpoint_mcp.tools.inspect.console import new_errors
from viewpoint_mcp.tools.reply.image_response import deliver
from viewpoint_mcp.tools.reply.page_text import one_line
from viewpoint_mcp.tools.reply.resource_links import link_to
from viewpoint_mcp.tools.reply.snapshot_mode import AFTER_ACTIONS, Shot, changes, shows_all
from viewpoint_mcp.tools.reply.snapshot_section import show, within_budget
from viewpoint_mcp.tools.reply.tab_list import list_tabs

log = logging.getLogger(__name__)


class Composer:
    """Turns results into replies for one client."""

    def __init__(self, workspace: Workspace, settings: Settings) -> None:
        self._workspace = workspace
        self._settings = settings
        self._names_pictures = settings.image_responses in (
            ImageResponses.FILE,
            ImageResponses.INLINE,
        )

    async def compose(
        self, result: ToolResult, context: Context | None, page: Page | None, before: frozenset[str]
    ) -> Reply:
        """Return the reply to a call.

        Args:
            context: Whose tabs are told; None when no browser runs.
            page: The page that the call acted on.
            before: Target ids of the tabs that were open before the call.
        """
        text, images, output = await self._said(result)
        links = result.links if result.screenshot is None or self._names_pictures else ()
        sections = {"Error" if result.is_error else "Result": text}
        if context is not None:
            for tab in [tab for tab in context.tabs if tab.target_id not in before]:
                await tab.until_known()
        if context is not None and len(context.tabs) != 1 and not result.lists_tabs:
            await context.refresh()
            sections["Open tabs"] = list_tabs(context)
        view = self._view(result)
        shot = Shot()
        if page is not None:
            if view:
                shot = await self._look(page, view, is_asked_for=result.view is not None)
                if view.filename is not None:
                    links = await link_to(page, view.filename)
            if view or result.is_error:
                sections["Page"] = await _page_state(page, shot.title)
            sections["Modal state"] = "\n".join(_modal_state(page, context))
            sections["Snapshot"] = shot.text
        sections["Events"] = "\n".join(
            f"- {event}" for event in self._events(context, page, before)
        )
        # A call that ends before here is not answered, and what it saw nobody learns.
        shot.learn()
        data = None
        if output is not None and not result.is_error:
            data = output.told(_join({**sections, "Result": ""}))
        return Reply(
            _join(sections), images, links, result.is_error, data, attached=result.attached
        )

    async def _said(self, result: ToolResult) -> tuple[str, tuple[Image, ...], Output | None]:
        told = result.within(self._settings.snapshot_budget) if result.within else result.text
        told = told if isinstance(told, str | Fitted) else await told
        text, output = (told, result.output) if isinstance(told, str) else (told.text, told.output)
        if result.screenshot is None:
            return text, result.images, output
        first, images = await deliver(result.screenshot, self._settings.image_responses)
        return f"{first}\n{text}" if first and text else first, images, output

    def _view(self, result: ToolResult) -> View | None:
        if result.view is not None:
            return result.view
        if not result.snapshot:
            return None
        return AFTER_ACTIONS[self._settings.snapshot_mode]

    async def _look(self, page: Page, view: View, *, is_asked_for: bool) -> Shot:
        if not view.show or page.blockers.reason() is not None:
            return Shot()
        if page.blockers.unresponsive and not is_asked_for:
            return Shot("None is taken: the page does not answer.")
        document = page.document
        try:
            taken = await page.snapshot(
                view.root, all_refs=view.all_refs, boxes=view.boxes or self._settings.snapshot_boxes
            )
            if page.document != document or taken.gone:
                document = ""  # whichever of them it shows
            text = await self._told(taken, view, page, document)
        except ViewpointError as error:
            if is_asked_for:
                raise
            return Shot(f"None could be taken: {error}")
        is_known = (
            document and shows_all(view) and self._settings.snapshot_mode is SnapshotMode.DIFF
        )
        learn = partial(page.baseline.learn, taken.nodes, document) if is_known else None
        return Shot(text, None if view.root or taken.gone else taken.title, learn)

    async def _told(self, taken: Capture, view: View, page: Page, document: str) -> str:
        budget = self._settings.snapshot_budget
        if view.changes and (told := changes(taken, page.baseline, document)) is not None:
            sentence, lines = told
            if not lines:
                return sentence
            text, _ = await within_budget(lines, taken, view, page, budget)
            return f"{sentence}\n```yaml\n{text}\n```"
        return await show(taken, view, page, budget) + taken.notice

    def _events(
        self, context: Context | None, page: Page | None, before: frozenset[str]
    ) -> Iterable[str]:
        if (loss := self._workspace.take_loss()) is not None:
            yield loss
        if page is not None:
            yield from page.take_events()
            yield from new_errors(page.console)
        if context is not None:
            yield from context.take_events()
        if context is not None and page is not None:
            for index, tab in enumerate(context.tabs):
                if tab.target_id not in before and tab is not context.active:
                    url = shorten_url(tab.url)
                    yield f"Popup opened as tab {index}: {url} (select it with browser_tabs)"


def failure(text: str) -> Reply:
    """Return the reply to a call that reached no page."""
    return Reply(_join({"Error": text}), is_error=True)


def failed(name: str, error: Exception, limit: float | None) -> Reply:
    """Return the reply to a call that raised, and log what is a fault of ours.

    Args:
        name: The tool's.
        limit: Seconds after which it was given up, where it was.
    """
    if isinstance(error, ViewpointError):
        return failure(str(error))
    if isinstance(error, TimeoutError) and limit is not None:
        log.error("%s took longer than %g s", name, limit, exc_info=error)
        return failure(f"{name} was given up after {limit:g} s.")
    log.error("%s failed", name, exc_info=error)
    return failure(f"{name} failed by a fault of this server; its log tells more.")


async def _page_state(page: Page, title: str | None) -> str:
    lines = [f"- Page URL: {shorten_url(page.url)}"]
    if title is None:
        title = await page.title()
    if title:
        lines.append(f"- Page Title: {one_line(title)}")
    if page.blockers.crashed:
        lines.append("- Page status: crashed")
    status = page.activity.status
    if status is not None and not 200 <= status <= 299:
        lines.append(f"- HTTP status: {status}")
    errors, warnings = page.console.take_counts()
    if errors or warnings:
        lines.append(f"- Console: {errors} errors, {warnings} warnings")
    return "\n".join(lines)


def _modal_state(page: Page, context: Context | None) -> Iterable[str]:
    open_now = page.blockers
    if open_now.dialog is not None:
        yield f"- [{open_now.dialog}]: can be handled by browser_handle_dialog"
    if open_now.chooser is not None:
        yield "- [File chooser]: can be handled by browser_file_upload"
    if context is not None and (elsewhere := context.dialog_beside(page.target_id)) is not None:
        yield f"- [{elsewhere}]: select that tab, then use browser_handle_dialog"


def _join(sections: dict[str, str]) -> str:
    return "\n".join(f"### {title}\n{text}" for title, text in sections.items() if text)
