"""Tools for mouse input at coordinates, for agents that work with screenshots (`--caps vision`).

Coordinates are CSS pixels from the upper left corner of the viewport.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from viewpoint_mcp.tools.core.args import Args, ElementDescription, MouseButton
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page

_CLICKS = {1: "Clicked", 2: "Double-clicked", 3: "Triple-clicked"}


class ClickXyArgs(Args):
    x: float
    """Horizontal position: CSS pixels from the left edge of the viewport."""
    y: float
    """Vertical position: CSS pixels from the upper edge of the viewport."""
    element: ElementDescription = None
    """Description of the point in words. It selects nothing."""
    button: MouseButton = "left"
    click_count: Annotated[int, Meta(ge=1, le=3)] = 1
    """Number of clicks: 2 for a double click, 3 to select a paragraph."""
    delay: Annotated[float, Meta(ge=0, le=10_000, description="Milliseconds to hold")] = 0
    """Time to hold the button down, in milliseconds, for each click."""


class MoveXyArgs(Args):
    x: float
    """Horizontal position: CSS pixels from the left edge of the viewport."""
    y: float
    """Vertical position: CSS pixels from the upper edge of the viewport."""
    element: ElementDescription = None
    """Description of the point in words. It selects nothing."""


class DragXyArgs(Args):
    start_x: float
    """Horizontal position of the start: CSS pixels from the left edge of the viewport."""
    start_y: float
    """Vertical position of the start: CSS pixels from the upper edge of the viewport."""
    end_x: float
    """Horizontal position of the end: CSS pixels from the left edge of the viewport."""
    end_y: float
    """Vertical position of the end: CSS pixels from the upper edge of the viewport."""
    element: ElementDescription = None
    """Description of the point in words. It selects nothing."""


class ButtonArgs(Args):
    button: MouseButton = "left"


class WheelArgs(Args):
    delta_x: float = 0
    """Distance to scroll to the right, in CSS pixels; negative for left. At most 1,000,000."""
    delta_y: float = 0
    """Distance to scroll down, in CSS pixels; negative for up. At most 1,000,000."""


@page_tool("browser_mouse_click_xy", title="Click at", kind="input", capability="vision")
async def click_at_point(page: Page, args: ClickXyArgs) -> ToolResult:
    """Click a point, in CSS pixels of the viewport.

    The click is sent at once, whatever is at the point. A screenshot with `scale: css` has one
    pixel for each CSS pixel, so its coordinates can be used as they are.

    Reply: the point and the element that was there before the click; after several clicks, the
    selected text; then the changes of the page.

    Errors: the point is outside the viewport (the message states its size); a mouse button is down.
    """
    async with page.settle_afterwards():
        point = await page.mouse.click(
            args.x, args.y, button=args.button, count=args.click_count, delay=args.delay / 1000
        )
    lines = [f"{_CLICKS[args.click_count]} at {point}"]
    if args.click_count > 1:
        lines.append(await page.describe_selected_text(point.frame))
    return ToolResult("\n".join(filter(None, lines)), snapshot=True)


@page_tool("browser_mouse_move_xy", title="Move mouse", kind="view", capability="vision")
async def move_mouse(page: Page, args: MoveXyArgs) -> ToolResult:
    """Move the mouse to a point.

    Buttons that `browser_mouse_down` pressed stay down, so that several moves draw or drag.

    Reply: the point and the element there, and the changes of the page.

    Errors: the point is outside the viewport.
    """
    async with page.settle_afterwards():
        point = await page.mouse.move(args.x, args.y)
    return ToolResult(f"Moved the mouse to {point}", snapshot=True)


@page_tool("browser_mouse_drag_xy", title="Drag at", kind="input", capability="vision")
async def drag_between_points(page: Page, args: DragXyArgs) -> ToolResult:
    """Drag from one point to another.

    The left button is pressed at the start, moved in steps, and released at the end.

    Reply: both points with the elements that were there; that the page accepted the drop, or how
    far the first element moved in its place; then the changes of the page.

    Errors: a point is outside the viewport; both points are the same; a mouse button is down; the
    page started a drag and accepts no drop there.
    """
    start, end = (args.start_x, args.start_y), (args.end_x, args.end_y)
    async with page.settle_afterwards():
        first, last, outcome = await page.mouse.drag(start, end)
    note = await page.mouse.describe_drag(first, outcome)
    return ToolResult(f"Dragged from {first} to {last}{note}", snapshot=True)


@page_tool("browser_mouse_down", title="Press mouse", kind="input", capability="vision")
async def press_button(page: Page, args: ButtonArgs) -> ToolResult:
    """Press and hold a mouse button at the current position.

    Move the mouse there first. Tools that click or drag fail while a button is down.

    Reply: the button, the point and the element there, and the changes of the page.

    Errors: the button is down already.
    """
    async with page.settle_afterwards():
        point = await page.mouse.down(args.button)
    return ToolResult(f"Pressed the {args.button} button at {point}", snapshot=True)


@page_tool("browser_mouse_up", title="Release mouse", kind="input", capability="vision")
async def release_button(page: Page, args: ButtonArgs) -> ToolResult:
    """Release a held mouse button.

    Reply: the button, the point and the element there, a note if the page accepts no drop there,
    and the changes of the page.

    Errors: the button is not down.
    """
    async with page.settle_afterwards():
        point, outcome = await page.mouse.up(args.button)
    refused = "; the page did not accept the drop" if outcome.is_refused else ""
    return ToolResult(f"Released the {args.button} button at {point}{refused}", snapshot=True)


@page_tool("browser_mouse_wheel", title="Scroll wheel", kind="input", capability="vision")
async def turn_wheel(page: Page, args: WheelArgs) -> ToolResult:
    """Scroll at the current mouse position.

    The wheel event goes to the element below the mouse, as in maps and editors that handle it
    themselves. Use `browser_scroll_into_view` to scroll an element of a snapshot.

    Reply: the scrolled element and the distance, or that nothing has scrolled so far; then the
    changes of the page.

    Errors: both distances are 0, or one is too large.
    """
    async with page.settle_afterwards():
        turned = await page.mouse.wheel(args.delta_x, args.delta_y)
    return ToolResult(turned, snapshot=True)
