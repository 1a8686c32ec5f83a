"""The tool that answers dialogs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewpoint_mcp.tools.core.args import Args, TypedText
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page


class HandleDialogArgs(Args):
    accept: bool
    """`true` presses OK (for `beforeunload`: leaves the page). `false` presses Cancel."""
    prompt_text: TypedText | None = None
    """Text to enter in a prompt before OK. The prompt's default text if omitted. Other dialogs
    ignore it. The name of a secret is replaced with its value."""


@page_tool(
    "browser_handle_dialog",
    title="Answer dialog",
    kind="input",
    waits_for_page=False,
    answers_modal="dialog",
    slim=("promptText",),
    sinks=("prompt_text",),
)
async def handle_dialog(page: Page, args: HandleDialogArgs) -> ToolResult:
    """Answer the open dialog, else the next one.

    A page that shows an alert, confirm, prompt or `beforeunload` dialog stops until the dialog is
    answered. All other tools then fail at once and name the dialog. If no dialog is open, the call
    prepares the answer to the next dialog of the page, and the answer is used once. Call it before
    the action if you know that a dialog will open.

    Reply: the answered dialog with its text, then the changes of the page.
    """
    dialog = await page.answer_current_or_next_dialog(
        accept=args.accept, prompt_text=args.prompt_text
    )
    verb = "Accepted" if args.accept else "Dismissed"
    if dialog is None:
        return ToolResult(f"No dialog is open. The next dialog will be {verb.lower()}.")
    return ToolResult(f"{verb} the {dialog}", snapshot=True)
