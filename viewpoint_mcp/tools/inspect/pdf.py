"""The tool that saves the page as PDF (`--caps pdf`)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.accessibility.printing.sentence_quotes import to_one_line
from viewpoint_mcp.files.records import FileDescription
from viewpoint_mcp.tools.core.args import Args, Filename
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool
from viewpoint_mcp.tools.reply.file_saving import link_saved_file

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page


class PdfSaveArgs(Args):
    filename: Filename = None
    """File to save the PDF in, relative to the working directory or absolute; `.pdf` is added if it
    has no suffix. A new file in `--output-dir` if omitted."""
    format: Annotated[
        str | None, Meta(description="Paper size: Letter, Legal, Tabloid, Ledger, A0 to A6")
    ] = None
    """Paper size, in any case. The size in the page's CSS if omitted, else Letter."""
    landscape: bool = False
    """Whether to print in landscape orientation."""
    print_background: bool = False
    """Whether to print background colours and images."""
    scale: Annotated[float, Meta(ge=0.1, le=2)] = 1
    """Scale of the content."""
    page_ranges: Annotated[str | None, Meta(description="Pages to print, such as 1-3, 5")] = None
    """Pages to print, from 1: single pages and ranges, separated by commas. `2-` prints from page 2
    to the end. All if omitted."""
    margin: Annotated[str | None, Meta(description="CSS margin, such as 1cm or 10mm 20mm")] = None
    """Margins: one to four lengths in px, in, cm or mm, in the order of CSS (top, right, bottom,
    left). The margins in the page's CSS if omitted, else 1 cm."""


@page_tool("browser_pdf_save", title="Save as PDF", kind="read", capability="pdf")
async def save_pdf(page: Page, args: PdfSaveArgs) -> ToolResult:
    """Save the page as a PDF file.

    The page is printed with its print styles, or with the media type of `browser_emulate_media`.

    Reply: the path, the number of pages and the paper size. A client that supports resource links
    gets a link to the file.

    Errors: the format, ranges or margins are malformed, or leave nothing to print (the message
    states the number of pages); printing exceeds `--timeout-navigation`.
    """
    printed = await page.capture.print_pdf(
        paper_format=args.format,
        landscape=args.landscape,
        print_background=args.print_background,
        scale=args.scale,
        page_ranges=args.page_ranges,
        margin=args.margin,
    )
    about = FileDescription(
        kind="pdf", url=page.url, title=to_one_line(await page.title()), context=page.context_name
    )
    if args.filename:
        name = args.filename if Path(args.filename).suffix else f"{args.filename}.pdf"
        path = await asyncio.to_thread(page.files.save_as, printed.data, name, about)
    else:
        path = await asyncio.to_thread(page.files.save, printed.data, "pdf", about)
    size = (
        f" ({format_count(printed.page_count, 'page')}, {printed.paper_name})"
        if printed.page_count
        else ""
    )
    text = f"PDF saved to {page.files.format_path_for_reply(path)}{size}"
    return ToolResult(text, links=await link_saved_file(page, path))
