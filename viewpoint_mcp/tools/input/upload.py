"""The tool that uploads files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from viewpoint_mcp.tools.core.args import Args
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page


class FileUploadArgs(Args):
    paths: Annotated[list[str], Meta(description="Files, one directory, or none to cancel")] = (
        msgspec.field(default_factory=list)
    )


@page_tool("browser_file_upload", title="Upload", kind="input", answers="chooser", slim=("paths",))
async def file_upload(page: Page, args: FileUploadArgs) -> ToolResult:
    """Answer the open file chooser or fill the file input."""
    return ToolResult(await page.upload(args.paths), snapshot=True)
