"""Tools that select options and fill in forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from viewpoint_mcp.page.form_field_to_fill import FieldToFill, FieldType
from viewpoint_mcp.tools.core.args import Args, ElementDescription, Ref, TypedText
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page


class SelectOptionArgs(Args):
    ref: Ref
    """List, dropdown, or element that opens a list. A ref, a locator or a CSS selector of one
    element."""
    values: Annotated[list[str], Meta(description="Option values or texts")]
    """Options to select, each by its text or its value. All other options are deselected, so `[]`
    clears a list of several choices. A list of one choice accepts exactly one."""
    element: ElementDescription = None


class FormField(Args):
    name: str
    """Your name for the field. Replies and errors use it; it selects nothing."""
    type: FieldType
    """Kind of the field: `textbox` (also search, date, colour and number fields), `checkbox` (also
    switches), `radio`, `combobox` (any list) or `slider`."""
    ref: Ref
    """The field. A ref, a locator or a CSS selector of one element."""
    value: Annotated[
        TypedText,
        Meta(description="Text, true, false, label, option or number"),
    ]
    """Content, by type. `textbox`: the text, which replaces the content (for a date `2026-01-31`, a
    time `13:45`, a colour `#ff0000`). `checkbox`: `true` or `false`. `radio`: `true`, or the label
    of a button of the group. `combobox`: text or value of an option. `slider`: a number. The name
    of a secret is replaced with its value."""
    element: ElementDescription = None
    """Description of the field in words. It selects nothing."""


class FillFormArgs(Args):
    fields: Annotated[list[FormField], Meta(min_length=1)]
    """Fields to fill in, in this order. At least one."""


@page_tool("browser_select_option", title="Select", kind="input", slim=())
async def select_option(page: Page, args: SelectOptionArgs) -> ToolResult:
    """Select options of a list or dropdown.

    Works on `<select>`, on `<input list>`, and on lists that the page draws itself: the call opens
    such a list, scrolls through it for up to 10 s, types to filter it if it is editable, and clicks
    the options. A list of several choices that it opened is closed in the end.

    Reply: the selected options, or a note that they were selected already or that the page still
    shows another one; then the changes of the page.

    Errors: the option does not exist (the message lists the options), is disabled, or was not kept
    by the page; the list accepts one choice only; the element is not a list of options.
    """
    element = await page.find_element(args.ref)
    return ToolResult(await element.select_options(args.values), snapshot=True)


@page_tool("browser_fill_form", title="Fill form", kind="input", sinks=("fields",))
async def fill_form(page: Page, args: FillFormArgs) -> ToolResult:
    """Fill in several fields, or none if one is invalid.

    All fields are checked before the first one is filled: existence, kind, value, and whether they
    accept input. If any check fails, nothing is filled. A field that depends on an earlier choice
    of the same call is checked when its turn comes. Fields are filled with mouse and keyboard, and
    the call waits for requests between them. It does not submit the form.

    Reply: the number of filled fields; a line for each field that holds another value than
    requested, such as a number that the page has formatted, or that had the value already; then the
    changes of the page.

    Errors: with "Nothing was filled", every wrong field and its reason. If a field fails later, the
    message names the fields that were filled and those that were not. If a dialog opens in between,
    the call stops with the same list.
    """
    fields = [FieldToFill(each.name, each.type, each.ref, each.value) for each in args.fields]
    notes = await page.fill_form_and_describe_differences(fields)
    count = f"{len(fields)} fields" if len(fields) > 1 else "1 field"
    return ToolResult("\n".join([f"Filled {count}", *notes]), snapshot=True)
