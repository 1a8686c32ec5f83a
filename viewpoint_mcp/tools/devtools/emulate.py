"""The tool that changes what the tabs of a context emulate (`--caps devtools`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewpoint_mcp.config.emulation.parsers import parse_size
from viewpoint_mcp.tools.core.args import Args
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page


class EmulateArgs(Args):
    viewport: str
    """Size of the viewport in CSS pixels, such as `390x844`."""


@page_tool("browser_emulate", title="Emulate", kind="view", capability="devtools")
async def emulate(page: Page, args: EmulateArgs) -> ToolResult:
    """Emulate another device, place or connection.

    Reply: what is emulated; then the changes of the page.

    Errors: a value is malformed.
    """
    width, height = parse_size(args.viewport)
    async with page.settle_afterwards():
        await page.emulation.resize_viewport(width, height)
    return ToolResult(f"Emulated: viewport {width}x{height}", snapshot=True)
