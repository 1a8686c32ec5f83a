"""The tool that saves the page as PDF (`--caps pdf`)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from viewpoint_mcp.accessibility.outline import plural
from viewpoint_mcp.files.records import About
from viewpoint_mcp.tools.core.args import Args
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool
from viewpoint_mcp.tools.reply.saved_files import link_to

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page


class PdfSaveArgs(Args):
    filename: str | None = None
    format: Annotated[
        str | None, Meta(description="Paper size: Letter, Legal, Tabloid, Ledger, A0 to A6")
    ] = None
    landscape: bool = False
    print_background: bool = False
    scale: Annotated[float, Meta(ge=0.1, le=2)] = 1
    page_ranges: Annotated[str | None, Meta(description="Pages to print, such as 1-3, 5")] = None
    margin: Annotated[str | None, Meta(description="CSS margin, such as 1cm or 10mm 20mm")] = None


@page_tool("browser_pdf_save", title="Save as PDF", kind="read", capability="pdf")
async def save(page: Page, args: PdfSaveArgs) -> ToolResult:
    """Save the page as a PDF file."""
    printed = await page.capture.pdf(
        paper_format=args.format,
        landscape=args.landscape,
        background=args.print_background,
        scale=args.scale,
        ranges=args.page_ranges,
        margin=args.margin,
    )
    about = About(kind="pdf", url=page.url, title=await page.title(), context=page.context_name)
    if args.filename:
        name = args.filename if Path(args.filename).suffix else f"{args.filename}.pdf"
        path = await asyncio.to_thread(page.files.save_as, printed.data, name, about)
    else:
        path = await asyncio.to_thread(page.files.save, printed.data, "pdf", about)
    size = f" ({plural(printed.pages, 'page')}, {printed.paper})" if printed.pages else ""
    text = f"PDF saved to {page.files.shown(path)}{size}"
    return ToolResult(text, links=await link_to(page, path))
