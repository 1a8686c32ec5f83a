"""The section of a reply that shows the page, in four steps from the page to a text.

    capture_page   Page           -> CapturedPage      the accessibility tree and its document
    find_changes   CapturedPage   -> RenderedChanges   or None, to show the whole view
    render_nodes   CapturedPage   -> YAML              whole or with shortened names
    make_overview  YAML, length   -> YAML              the beginning of long parts, with counts

The first step is in `snapshot_capture`, the second in `snapshot_mode`, the others in
`snapshot_text`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from viewpoint_mcp.accessibility.diff.drawing_changes import Drawing
from viewpoint_mcp.accessibility.known.tree_index import TreeIndex
from viewpoint_mcp.config.settings import Settings, SnapshotMode
from viewpoint_mcp.errors import BrowserLostError, DirectoryNotWritableError, ViewpointError
from viewpoint_mcp.page.page import Page
from viewpoint_mcp.page.snapshot.blank_page import NO_CONTENT
from viewpoint_mcp.tools.core.result import Link, PageView
from viewpoint_mcp.tools.reply.file_saving import link_saved_file
from viewpoint_mcp.tools.reply.heading_escaping import escape_page_text
from viewpoint_mcp.tools.reply.snapshot_capture import CapturedPage, capture_page
from viewpoint_mcp.tools.reply.snapshot_mode import (
    RenderedChanges,
    describe_painting,
    find_changes,
    find_tree_seen,
)
from viewpoint_mcp.tools.reply.snapshot_text import (
    fit_changes,
    fit_plain_text,
    render_whole,
    render_within_budget,
    save_snapshot,
)


@dataclass(frozen=True, slots=True)
class SnapshotSection:
    """The section about the snapshot, with facts from its capture.

    Attributes:
        text: The section; "" for none.
        title: The title of the page; None if the capture does not contain it.
        links: The link to the file of the snapshot, if the call names a file.
        new_baseline: The tree, the document (CDP `Network.LoaderId`) and the drawings of the next
            baseline, set once the reply is complete. None if the baseline stays as it is.
        is_unchanged: Whether the page shows what it showed at its last snapshot.
    """

    text: str = ""
    title: str | None = None
    links: tuple[Link, ...] = ()
    new_baseline: tuple[TreeIndex, str, Mapping[int, Drawing]] | None = None
    is_unchanged: bool = False


async def render_snapshot_section(
    page: Page | None,
    view: PageView | None,
    settings: Settings,
    budget: int,
    *,
    is_requested: bool,
) -> SnapshotSection:
    """Return the section that shows the page in a view.

    The section is empty without a page or a view, or if the view shows no snapshot. It is also
    empty while a modal state blocks the page, and after the page was closed or crashed.

    Args:
        budget: Characters of the snapshot.
        is_requested: Whether the call requests the snapshot. Otherwise a failure does not fail the
            call, and the section reports it.

    Raises:
        ViewpointError: The requested snapshot could not be taken or saved.
    """
    if (
        page is None
        or view is None
        or not view.has_snapshot
        or page.blockers.blocking_error() is not None
    ):
        return SnapshotSection()
    try:
        if page.blockers.is_unresponsive and not is_requested and not await _check_answers(page):
            return SnapshotSection("No snapshot: the page does not respond.")
        captured = await capture_page(page, view, boxes=view.boxes or settings.snapshot_boxes)
        text, is_unchanged = await _render_snapshot(captured, min(view.budget or budget, budget))
    except ViewpointError as error:
        if is_requested or isinstance(error, BrowserLostError):
            raise
        return SnapshotSection(f"No snapshot: {error}")
    capture, document = captured.capture, captured.document_id
    seen = find_tree_seen(captured) if settings.snapshot_mode is SnapshotMode.DIFF else None
    if seen is None:
        page.baselines.current.note_partial_view(capture.nodes)
    drawings = page.baselines.current.drawings if view.root else capture.drawings
    return SnapshotSection(
        text,
        None if view.root or capture.is_document_gone else capture.title,
        () if view.filename is None else await link_saved_file(page, view.filename),
        (seen, document, drawings) if document and seen is not None else None,
        is_unchanged,
    )


async def _check_answers(page: Page) -> bool:
    """Return whether a page that did not answer a command answers again."""
    return await page.blockers.run_unless_blocked(page.blockers.check_page_answers())


async def _render_snapshot(captured: CapturedPage, budget: int) -> tuple[str, bool]:
    """Return the text of the section, and whether the page is unchanged."""
    if not captured.view.only_changes:
        return await _render_view(captured, budget), False
    page_state = captured.capture, captured.page.baselines.current, captured.document_id
    changes, painting = find_changes(*page_state), describe_painting(*page_state)
    if changes is not None and not changes.yaml:
        exception = f", except: {painting}" if painting else ""
        return f"{changes.introduction.removesuffix('.')}{exception}.", not painting
    text = await (
        _render_view(captured.fold_known_parts(), budget)
        if changes is None
        else _render_changes(changes, captured, budget)
    )
    return f"{text}\nAlso: {painting}." if painting else text, False


async def _render_changes(changes: RenderedChanges, captured: CapturedPage, budget: int) -> str:
    text = await fit_changes(changes.yaml, captured, budget)
    return f"{changes.introduction}\n```yaml\n{text}\n```"


async def _render_view(captured: CapturedPage, budget: int) -> str:
    view, page = captured.view, captured.page
    reason = await _explain_blank(captured)
    below = (f"\n{reason}" if reason else "") + captured.capture.elements_without_ref_notice
    if view.filename is not None or view.to_file:
        try:
            path = await save_snapshot(render_whole(captured), captured)
        except DirectoryNotWritableError as error:
            below += f"\n{error}"
        else:
            return f"- [Snapshot]({page.files.format_path_for_reply(path)}){below}"
    if view.is_text:
        return escape_page_text(await fit_plain_text(captured, budget)) + (reason and f"\n{reason}")
    text = await render_within_budget(captured, budget)
    return f"```yaml\n{text}{captured.capture.hidden_elements_comment}\n```{below}"


async def _explain_blank(captured: CapturedPage) -> str:
    """Return why a snapshot is empty or shows only that the page is loading; "" otherwise."""
    nodes, page = captured.capture.nodes, captured.page
    if captured.view.root is not None:
        return "" if nodes else NO_CONTENT
    if nodes and not page.current_action.is_blank_after_action:
        return ""
    return await page.explain_blank_page(is_empty=not nodes)
