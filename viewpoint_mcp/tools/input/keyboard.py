"""Tools for keyboard input."""

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
    slowly: Annotated[bool, Meta(description="Press key by key at the caret")] = False
    submit: Annotated[bool, Meta(description="Press Enter afterwards")] = False


class PressKeyArgs(Args):
    key: str


@page_tool("browser_type", title="Type", kind="input", slim=("ref", "submit"))
async def type_text(page: Page, args: TypeArgs) -> ToolResult:
    """Replace the text of a field. Without ref, type at the caret."""
    element = await (page.focused_field() if args.ref is None else page.element(args.ref))
    note = await element.type_text(
        args.text, slowly=args.slowly, submit=args.submit, replace=args.ref is not None
    )
    return ToolResult(f"Typed into {element.label}{note and f'; {note}'}", snapshot=True)


@page_tool("browser_press_key", title="Press key", kind="input", slim=())
async def press_key(page: Page, args: PressKeyArgs) -> ToolResult:
    """Press a key, such as Enter or Control+ArrowLeft."""
    async with page.settled():
        selects_all = await page.press(args.key)
    selection = await page.describe_selection() if selects_all else ""
    return ToolResult("\n".join(filter(None, (f"Pressed {args.key}", selection))), snapshot=True)
