"""The tool that answers dialogs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewpoint_mcp.tools.core.args import Args, Typed
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page


class HandleDialogArgs(Args):
    accept: bool
    prompt_text: Typed | None = None


@page_tool(
    "browser_handle_dialog",
    title="Answer dialog",
    kind="input",
    waits=False,
    answers="dialog",
    slim=("promptText",),
)
async def handle_dialog(page: Page, args: HandleDialogArgs) -> ToolResult:
    """Answer the open dialog, else the next one."""
    dialog = await page.handle_dialog(accept=args.accept, prompt_text=args.prompt_text)
    verb = "Accepted" if args.accept else "Dismissed"
    if dialog is None:
        return ToolResult(f"No dialog is open; the next one will be {verb.lower()}, once.")
    return ToolResult(f"{verb} the {dialog}", snapshot=True)
