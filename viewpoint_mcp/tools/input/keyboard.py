"""Tools for what a person does with the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from viewpoint_mcp.tools.core.args import Args, Element, Ref, Typed
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page


class TypeArgs(Args):
    text: Typed
    ref: Ref | None = None
    element: Element = None
    slowly: Annotated[bool, Meta(description="Key by key at the caret")] = False
    submit: Annotated[bool, Meta(description="Press Enter after it")] = False


class PressKeyArgs(Args):
    key: str


@page_tool("browser_type", title="Type", kind="input", slim=("ref", "submit"))
async def type_text(page: Page, args: TypeArgs) -> ToolResult:
    """Type into a text field, replacing its content; without ref at the caret."""
    from viewpoint_mcp.page.actions import focus, text_input

    is_named = args.ref is not None
    element = await (focus.focused_field(page) if args.ref is None else page.element(args.ref))
    note = await text_input.type_into(
        element, args.text, slowly=args.slowly, submit=args.submit, replace=is_named
    )
    return ToolResult(f"Typed into {element.label}{note and f'; {note}'}", snapshot=True)


@page_tool("browser_press_key", title="Press key", kind="input", slim=())
async def press_key(page: Page, args: PressKeyArgs) -> ToolResult:
    """Press a key, such as Enter, a or Control+ArrowLeft."""
    from viewpoint_mcp.input.keys import selects_all
    from viewpoint_mcp.page.actions import focus

    async with page.settled():
        await page.press(args.key)
    selected = await focus.selected(page, page.frames.main) if selects_all(args.key) else ""
    return ToolResult("\n".join(filter(None, (f"Pressed {args.key}", selected))), snapshot=True)
