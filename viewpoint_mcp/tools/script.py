"""The tool that runs JavaScript."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from viewpoint_mcp.page.page import Page
from viewpoint_mcp.tools.args import Args, Element
from viewpoint_mcp.tools.registry import page_tool
from viewpoint_mcp.tools.result import ToolResult, View


class EvaluateArgs(Args):
    function: Annotated[
        str, Meta(description="() => value, (element) => value with ref, or an expression")
    ]
    ref: Annotated[str | None, Meta(description="Element to pass to the function")] = None
    element: Element = None


@page_tool("browser_evaluate", title="Run JavaScript", kind="script")
async def evaluate(page: Page, args: EvaluateArgs) -> ToolResult:
    """Run JavaScript in the page and return its value."""
    element = await page.element(args.ref) if args.ref else None
    async with page.settled(patient=False):
        value = await page.evaluate(args.function, element)
    if value is None:
        what = "file chooser" if page.interruptions.chooser else "dialog"
        return ToolResult(
            f"The function waits for a {what}; its value is lost.", view=View(show=False)
        )
    # An empty string would leave the reply without a result.
    view = View(show=False) if page.interruptions.reason() else None
    return ToolResult(value or '""', view=view)
