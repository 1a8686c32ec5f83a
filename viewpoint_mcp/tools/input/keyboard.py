"""Tools for keyboard input."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from viewpoint_mcp.tools.core.args import Args, ElementDescription, Ref, TypedText
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page


class TypeArgs(Args):
    text: TypedText
    """Text to type. `""` clears the field. The name of a secret is replaced with its value."""
    ref: Ref | None = None
    """Field, or its label. A ref, a locator or a CSS selector of one element. If omitted, the field
    that has the focus, and its content stays."""
    element: ElementDescription = None
    slowly: Annotated[bool, Meta(description="Press key by key at the caret")] = False
    """Whether to press one key for each character, for pages that listen to keys. The text is then
    inserted at the caret and does not replace the content."""
    submit: Annotated[bool, Meta(description="Press Enter afterwards")] = False
    """Whether to press Enter afterwards. Enter is not pressed if a dialog has opened meanwhile."""


class SelectTextArgs(Args):
    ref: Ref
    """Field, editor, or any element that shows the text. A ref, a locator or a CSS selector of one
    element."""
    text: Annotated[TypedText, Meta(min_length=1)]
    """Text to select, as the element shows it. The name of a secret is replaced with its value."""
    occurrence: Annotated[
        Annotated[int, Meta(ge=1)] | None, Meta(description="Which one, from 1")
    ] = None
    """Number of the occurrence, from 1. Needed only if the text occurs several times."""
    element: ElementDescription = None


class PressKeyArgs(Args):
    key: str
    """Key, or modifiers and a key joined by `+`: `Enter`, `Escape`, `F5`, `a`, `Control+ArrowLeft`,
    `Shift++`. Modifiers are Alt, Control, Meta, Shift and ControlOrMeta (Meta on macOS, else
    Control). Names are those of `KeyboardEvent.key` and `code`, in any case; `Esc`, `Return`, `Del`
    and similar aliases work."""


@page_tool("browser_type", title="Type", kind="input", slim=("ref", "submit"), sinks=("text",))
async def type_text(page: Page, args: TypeArgs) -> ToolResult:
    """Replace the text of a field. Without ref, type at the caret.

    The text arrives at once, as if it were pasted, with input events but without key events;
    `slowly` sends keys. Fields with a value format (date, time, colour, range) accept the value in
    HTML's form, such as `2026-01-31`. Use `browser_fill_form` for several fields.

    Reply: the field, and a note if it holds something else afterwards, for example because the page
    formats or shortens it. The content of password fields is never shown.

    Errors: the element is not a text field, is disabled or read-only, does not accept the focus, or
    does not accept the text. Without `ref`: no field has the focus.
    """
    element = await (page.find_focused_field() if args.ref is None else page.find_element(args.ref))
    note = await element.type_text(
        args.text, slowly=args.slowly, submit=args.submit, replace=args.ref is not None
    )
    return ToolResult(f"Typed into {element.label}{note and f'; {note}'}", snapshot=True)


@page_tool("browser_select_text", title="Select text", kind="input")
async def select_text(page: Page, args: SelectTextArgs) -> ToolResult:
    """Select text in a field, editor or page, so that browser_type without ref replaces it.

    Use it to change a part of a long text: select the part, then type. `browser_press_key` with
    `Delete` deletes it. A field or editor gets the focus. Text in the page is selected with the
    mouse, as a person does.

    Reply: the selected text, and the changes of the page.

    Errors: the element does not contain the text (the message quotes its content, but never a
    password); it contains the text several times; the element is disabled, or of a type without
    text, such as a date.
    """
    element = await page.find_element(args.ref)
    return ToolResult(await element.select_text(args.text, args.occurrence), snapshot=True)


@page_tool("browser_press_key", title="Press key", kind="input", slim=(), sinks=("key",))
async def press_key(page: Page, args: PressKeyArgs) -> ToolResult:
    """Press a key, such as Enter or Control+a.

    The key goes to the element that has the focus. Use `browser_type` to enter text.

    Reply: the key; for a key that selects all, the beginning of the selected text; for a key that
    copies (Control+c, Control+x), the whole copied text. With both, you read the whole text of an
    editor that shows only the lines in view. After that; for a key without effect, the
    element with the focus; then the changes of the page.

    Errors: the key does not exist (the message suggests similar names).
    """
    from viewpoint_mcp.input.keys import copies_text
    from viewpoint_mcp.tools.reply.file_saving import fit_page_text

    read_copied_text = await page.start_reading_copied_text() if copies_text(args.key) else None
    async with page.settle_afterwards():
        selects_all = await page.press_key_and_detect_select_all(args.key)
    if read_copied_text is not None and (copied := await read_copied_text()):
        text = f"Pressed {args.key}\nCopied:\n{copied}"
        return ToolResult(fit_text=partial(fit_page_text, page, text, "copied text"), snapshot=True)
    selection = await page.describe_selected_text() if selects_all else ""
    receiver = ""
    if not selection and page.current_action.has_had_no_consequence:
        receiver = await page.describe_key_receiver()
    return ToolResult(
        "\n".join(filter(None, (f"Pressed {args.key}", selection))),
        text_if_unchanged=receiver and f"; {receiver}",
        snapshot=True,
    )
