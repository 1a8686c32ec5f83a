"""Tools for mouse input on elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.args import Args, ElementDescription, ModifierKey, MouseButton, Ref
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page


class ClickArgs(Args):
    ref: Ref
    """Element to click. A ref, a locator or a CSS selector of one element."""
    element: ElementDescription = None
    button: MouseButton = "left"
    double_click: bool = False
    """Whether to click twice. The reply then names the text that the double click selected."""
    modifiers: list[ModifierKey] = msgspec.field(default_factory=list)
    """Keys to hold during the click. ControlOrMeta is Meta on macOS, else Control."""


class HoverArgs(Args):
    ref: Ref
    element: ElementDescription = None


class ScrollArgs(HoverArgs):
    to: Literal["up", "down", "left", "right", "top", "bottom"] | None = None
    """Direction in which to scroll the content of the element: by one page (`up`, `down`, `left`,
    `right`), or to an end (`top`, `bottom`). If omitted, the element itself is scrolled into view.
    """


class DragArgs(Args):
    start_ref: Ref
    """Element to drag. A ref, a locator or a CSS selector of one element."""
    end_ref: Ref
    """Element to drop it on. A ref, a locator or a CSS selector of one element."""
    start_element: ElementDescription = None
    """Description of the dragged element in words. It selects nothing."""
    end_element: ElementDescription = None
    """Description of the element to drop it on, in words. It selects nothing."""


class DropArgs(Args):
    ref: Ref
    """Element to drop on. A ref, a locator or a CSS selector of one element."""
    element: ElementDescription = None
    paths: list[str] = msgspec.field(default_factory=list)
    """Files and directories to drop, relative to the working directory or absolute. The roots of
    the client and `--allow-dir` allow more directories. Give `paths`, `data` or both."""
    data: Annotated[dict[str, str], Meta(description="Text by MIME type")] = msgspec.field(
        default_factory=dict
    )
    """Texts to drop, by MIME type, such as `{"text/plain": "hello"}`. `text` and `url` stand for
    `text/plain` and `text/uri-list`."""


@page_tool("browser_click", title="Click", kind="input", slim=())
async def click(page: Page, args: ClickArgs) -> ToolResult:
    """Click an element.

    The call scrolls the element into view and waits while it moves or something covers it that is
    likely to disappear, at most `--timeout-action` (5 s). If waiting cannot help, it fails at once.
    It makes sure that the element itself receives the click. Then it waits for the consequences:
    requests, navigations, timers and transitions. If a checkbox or radio button is hidden by
    styles, its label is clicked.

    Reply: the clicked element; a note if no script reacted and nothing changed; new tabs, dialogs,
    file choosers, downloads and console errors that the click caused; the changes of the page.

    Errors: another element covers it (the message names that element, with a ref); it is disabled,
    hidden or out of reach, or does not stop moving; the ref is stale. Nothing was clicked then.
    """
    element = await page.find_element(args.ref)
    async with page.settle_afterwards():
        await element.click(
            button=args.button,
            count=2 if args.double_click else 1,
            modifiers=args.modifiers,
        )
    if not args.double_click:
        return _make_result(page, f"Clicked {element.label}")
    text = f"Double-clicked {element.label}"
    if selected := await page.describe_selected_text(element.frame):
        return ToolResult(f"{text}\n{selected}", snapshot=True)
    return _make_result(page, text)


@page_tool("browser_hover", title="Hover", kind="view")
async def hover(page: Page, args: HoverArgs) -> ToolResult:
    """Hover over an element.

    The mouse stays there until the next mouse action, so that menus and tooltips stay open.
    Disabled elements can be hovered too.

    Reply: the element, and the changes of the page.

    Errors: as `browser_click`, except for disabled elements.
    """
    element = await page.find_element(args.ref)
    async with page.settle_afterwards():
        await element.hover()
    return _make_result(page, f"Hovered over {element.label}")


@page_tool("browser_scroll_into_view", title="Scroll", kind="view")
async def scroll_into_view(page: Page, args: ScrollArgs) -> ToolResult:
    """Scroll an element into view. With to, scroll inside it.

    Other tools scroll to their element themselves. Use this before a screenshot, to load more of a
    list that grows as it is scrolled, or to read a long list part by part. Without `to`, the
    element is moved to the centre of the viewport, in all scroll containers around it. With `to`,
    the content of the element is scrolled, else of the largest scroll container in it, else of the
    closest one around it.

    Reply: the scrolled element; with `to` also the distance, and how many pixels are left in that
    direction; then the changes of the page.

    Errors: the element is not drawn; with `to`, nothing scrolls there in that direction.
    """
    element = await page.find_element(args.ref)
    async with page.settle_afterwards():
        if args.to is not None:
            return ToolResult(await element.scroll_content(args.to), snapshot=True)
        await element.scroll_into_view()
    return ToolResult(f"Scrolled {element.label} into view", snapshot=True)


@page_tool("browser_drag", title="Drag", kind="input")
async def drag(page: Page, args: DragArgs) -> ToolResult:
    """Drag an element onto another.

    The call presses the mouse on the first element, moves it in steps, and releases it on the
    second one. It works with native drag and drop and with libraries that listen to the mouse. Both
    elements may be in different frames.

    Reply: both elements; that the page accepted the drop, or how far the element moved in its
    place; then the changes of the page.

    Errors: as `browser_click`, for both elements; the page does not accept the drop; both refs
    are the same element; a mouse button is down.
    """
    start, end = await page.find_element(args.start_ref), await page.find_element(args.end_ref)
    async with page.settle_afterwards():
        outcome = await start.drag_to(end)
    note = await start.describe_drag(outcome)
    return _make_result(page, f"Dragged {start.label} to {end.label}{note}")


@page_tool("browser_drop", title="Drop", kind="input", sinks=("paths", "data"))
async def drop(page: Page, args: DropArgs) -> ToolResult:
    """Drop files or data on an element.

    The drop comes from outside the browser, as from a file manager. Use `browser_file_upload` for a
    file input, and `browser_drag` for an element of the page.

    Reply: the dropped files and data, and the changes of the page.

    Errors: neither `paths` nor `data` is given; a file does not exist or may not be read; the page
    does not accept the drop; as `browser_click`.
    """
    if not args.paths and not args.data:
        raise CallError("browser_drop needs paths or data.", "Give the files or the data to drop.")
    paths = [page.files.resolve_to_read(name) for name in args.paths]
    element = await page.find_element(args.ref)
    async with page.settle_afterwards():
        await element.drop(paths, args.data)
    count = len(paths)
    files = [f"{count} file{'s' if count > 1 else ''}"] if count else []
    return ToolResult(
        f"Dropped {' and '.join([*files, *args.data])} on {element.label}", snapshot=True
    )


def _make_result(page: Page, text: str) -> ToolResult:
    reason = "; no script of the page reacted" if page.current_action.is_ignored_by_scripts else ""
    return ToolResult(text, text_if_unchanged=reason, snapshot=True)
