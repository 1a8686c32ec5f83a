"""Tools that select options and fill in forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from viewpoint_mcp.page.form_field import Field, FieldType
from viewpoint_mcp.tools.core.args import Args, Element, Ref, Typed
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page


class SelectOptionArgs(Args):
    ref: Ref
    values: Annotated[list[str], Meta(description="Option values or texts")]
    element: Element = None


class FormField(Args):
    name: str
    type: FieldType
    ref: Ref
    value: Annotated[
        Typed,
        Meta(description="Text, true, false, label, option or number"),
    ]
    element: Element = None


class FillFormArgs(Args):
    fields: Annotated[list[FormField], Meta(min_length=1)]


@page_tool("browser_select_option", title="Select", kind="input", slim=())
async def select_option(page: Page, args: SelectOptionArgs) -> ToolResult:
    """Select options of a list or dropdown."""
    element = await page.element(args.ref)
    return ToolResult(await element.select_options(args.values), snapshot=True)


@page_tool("browser_fill_form", title="Fill form", kind="input")
async def fill_form(page: Page, args: FillFormArgs) -> ToolResult:
    """Fill in several fields, or none if one is invalid."""
    fields = [Field(each.name, each.type, each.ref, each.value) for each in args.fields]
    notes = await page.fill_form(fields)
    count = f"{len(fields)} fields" if len(fields) > 1 else "1 field"
    return ToolResult("\n".join([f"Filled {count}", *notes]), snapshot=True)
