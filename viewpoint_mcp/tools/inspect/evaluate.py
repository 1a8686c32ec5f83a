"""The tool that runs JavaScript."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from viewpoint_mcp.tools.core.args import Args, Element
from viewpoint_mcp.tools.core.result import ToolResult, View
from viewpoint_mcp.tools.core.tool import page_tool
from viewpoint_mcp.tools.reply.sanitize import escape_headings
from viewpoint_mcp.tools.reply.saved_files import save

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page


class EvaluateArgs(Args):
    function: Annotated[
        str, Meta(description="() => value, (element) => value with ref, or expression")
    ]
    ref: str | None = None
    element: Element = None
    filename: str | None = None


@page_tool("browser_evaluate", title="Run JavaScript", kind="script")
async def evaluate(page: Page, args: EvaluateArgs) -> ToolResult:
    """Run JavaScript in the page; return its value."""
    element = await page.element(args.ref) if args.ref else None
    if args.filename is not None:
        page.files.inside(args.filename)  # refuse a wrong path before the script runs
    async with page.settled(patient=False):
        value = await page.evaluate(args.function, element)
    if value is None and page.blockers.reason() is None:
        return ToolResult("The page went to another document; the value is lost.", snapshot=True)
    if value is None:
        what = "file chooser" if page.blockers.chooser else "dialog"
        return ToolResult(
            f"The function waits for a {what}; its value is lost.", view=View(show=False)
        )
    view = View(show=False) if page.blockers.reason() else None
    if args.filename is not None:
        path = await save(page, value, "result", "result of a script", args.filename)
        return ToolResult(f"[Result]({path})", view=view)
    # An empty value would leave the reply without a section for the result.
    return ToolResult(within=partial(_fitted, page, escape_headings(value or '""')), view=view)


async def _fitted(page: Page, value: str, budget: int) -> str:
    """Return the value. If it exceeds the budget, save it to a file and return its beginning."""
    if len(value) <= budget:
        return value
    path = await save(page, value, "result", "result of a script")
    notice = (
        f"Cut to {budget:,} of {len(value):,} characters; the whole: {path}\n"
        "Read on: that file, or a function that returns less.\n\n"
    )
    return f"{notice}{value[: budget - len(notice) - 1]}…"
