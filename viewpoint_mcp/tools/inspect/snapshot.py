"""The tool that takes snapshots of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.args import Args, Filename
from viewpoint_mcp.tools.core.result import PageView, ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page


class SnapshotArgs(Args):
    ref: Annotated[str | None, Meta(description="Element to return")] = None
    """Element to return, with its content. A ref, a locator or a CSS selector of one element. The
    whole page if omitted."""
    depth: Annotated[Annotated[int, Meta(ge=0)] | None, Meta(description="Levels to show")] = None
    """Maximum number of levels below the top level; 0 returns the top level only. Deeper elements
    are counted. All levels if omitted."""
    budget: Annotated[
        Annotated[int, Meta(ge=1000)] | None, Meta(description="Maximum characters")
    ] = None
    """Maximum number of characters, at most `--snapshot-budget`, which is also the default. The
    headings and controls of the main part are printed before long lists and texts."""
    all_refs: Annotated[bool, Meta(description="Refs for all elements")] = False
    """Whether to give refs to headings, paragraphs, lists and other structure too. If omitted, only
    elements that can be acted on have refs."""
    boxes: Annotated[bool, Meta(description="Add [box=x,y,w,h]")] = False
    """Whether to print the position and size of each element, in CSS pixels of the viewport of its
    frame."""
    hidden: Annotated[bool, Meta(description="Invisible elements too")] = False
    """Whether to print the elements that no person sees, such as skip links, marked `[hidden]`. If
    omitted, they are counted at the end of the tree."""
    text: Annotated[bool, Meta(description="Plain text without refs, to read")] = False
    """Whether to return plain text instead of the tree: headings, paragraphs, lists, rows of tables
    as lines, links by their text, code with its line breaks. It has no refs. Excludes `depth`,
    `allRefs` and `boxes`."""
    filename: Filename = None


@page_tool("browser_snapshot", title="Snapshot", kind="read", slim=())
async def take_snapshot(page: Page, args: SnapshotArgs) -> ToolResult:
    """Return the page as a tree. ref takes its [ref=...], a locator (button "Save") or CSS.

    The tree has a line for each element: role, name, states, and a ref if it can be acted on. It
    includes frames and shadow roots, and leaves out what a person cannot see. Replies to
    actions already show the changes of the page, so a snapshot after each action is not necessary.
    A snapshot of the whole page or of a part updates the baseline of these changes. A page
    that is still loading gets up to 2 s to show content.

    Reply: URL, title, the HTTP status if it is not 2xx, new console errors and warnings; then the
    tree as YAML, or plain text with `text`. A tree over the budget is shortened: every omission is
    counted, and a file has all of it. Replies to actions show a long page as an overview; this tool
    shows all of it.

    Errors: the ref is stale or the selector does not match exactly one element; the page does not
    answer.
    """
    if args.text and (args.depth is not None or args.all_refs or args.boxes):
        raise CallError("text excludes depth, allRefs and boxes.", "Use ref to read a part.")
    root = await page.find_element(args.ref) if args.ref else None
    return ToolResult(
        view=PageView(
            root=root,
            depth=args.depth,
            budget=args.budget,
            all_refs=args.all_refs,
            boxes=args.boxes,
            hidden=args.hidden,
            is_text=args.text,
            filename=args.filename,
        )
    )
