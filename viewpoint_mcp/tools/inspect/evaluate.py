"""The tool that runs JavaScript."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from viewpoint_mcp.tools.core.args import Args, ElementDescription, Filename, Ref
from viewpoint_mcp.tools.core.result import PageView, ToolResult
from viewpoint_mcp.tools.core.tool import page_tool
from viewpoint_mcp.tools.reply.file_saving import fit_page_text, save_page_file

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page


class EvaluateArgs(Args):
    function: Annotated[
        str, Meta(description="Function () => value, with ref (element) => value, or expression")
    ]
    """JavaScript to run: a function, which is called (with the element, if `ref` is given), an
    expression, or statements, whose last value is the result. Promises are awaited. With `ref`,
    statements are not allowed."""
    ref: Ref | None = None
    """Element to pass to the function, in whose frame it then runs. A ref, a locator or a CSS
    selector of one element. If omitted, the function runs in the main frame without an argument."""
    element: ElementDescription = None
    filename: Filename = None


@page_tool("browser_evaluate", title="Run JavaScript", kind="script", sinks=("function",))
async def evaluate_script(page: Page, args: EvaluateArgs) -> ToolResult:
    """Run JavaScript in the page; return its value.

    The script runs in the main world of the page, with the page's variables and with a user
    gesture. It may run for 22 s, including the promises that it awaits. An endless script is
    stopped.

    Reply: the value as JSON or, for other values, as text: nodes, dates, maps, sets, errors,
    functions and circular objects are readable. Invisible characters, such as zero-width spaces,
    are printed as JSON escapes. A value over `--snapshot-budget` is cut, and a file has all of it,
    without escapes. The reply has no snapshot.

    Errors: the script is malformed, threw (with its message and stack), or did not end in time. If
    the page navigates or opens a dialog meanwhile, the value is lost, and the reply reports this.
    """
    element = await page.find_element(args.ref) if args.ref else None
    if args.filename is not None:
        page.files.resolve_to_write(args.filename)  # refuse a wrong path before the script runs
    async with page.settle_afterwards(is_patient=False):
        value = await page.evaluate(args.function, element)
    if value is None and page.blockers.blocking_error() is None:
        return ToolResult("The page navigated, so the value is lost.", snapshot=True)
    if value is None:
        what = "file chooser" if page.blockers.file_chooser else "dialog"
        return ToolResult(
            f"The function waits for a {what}; its value is lost.",
            view=PageView(has_snapshot=False),
        )
    view = PageView(has_snapshot=False) if page.blockers.blocking_error() else None
    if args.filename is not None:
        path = await save_page_file(page, value, "result", "result of a script", args.filename)
        return ToolResult(f"[Result]({path})", view=view)
    # An empty value would leave the reply without a section for the result.
    text = value or '""'
    return ToolResult(fit_text=partial(fit_page_text, page, text, "result of a script"), view=view)
