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
    """Files to upload, or one directory for an input that accepts a directory. Paths are relative
    to the working directory or absolute; the roots of the client and `--allow-dir` allow more
    directories. `[]` cancels the open chooser."""


@page_tool(
    "browser_file_upload",
    title="Upload",
    kind="input",
    answers_modal="chooser",
    slim=("paths",),
    sinks=("paths",),
)
async def upload_files(page: Page, args: FileUploadArgs) -> ToolResult:
    """Answer the open file chooser or fill the file input.

    If a click has opened a file chooser, the reply to it has a Modal state section, and this call
    answers the chooser. If none is open, the call fills the only enabled file input of the page,
    visible or not, in any frame.

    Reply: the files and the input; a note if the input requests other types of files; then the
    changes of the page.

    Errors: a file does not exist or may not be read; the input accepts one file only, or one
    directory; no chooser is open and the page has no file input, or several (the message lists
    them). The chooser stays open after an error.
    """
    return ToolResult(await page.upload_files_and_describe_result(args.paths), snapshot=True)
