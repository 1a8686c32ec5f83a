"""The tool that runs several tool calls in one request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewpoint_mcp.tools.core.batch import BatchArgs
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import batch_tool

if TYPE_CHECKING:
    from viewpoint_mcp.tools.core.batch_run import BatchRun


@batch_tool("browser_batch", title="Batch", kind="script", slim=())
async def run_batch(batch: BatchRun, args: BatchArgs) -> ToolResult:
    """Run tool calls in order until one fails; the reply shows the final page. Use it whenever you
    know the next steps. As ref of an element not seen yet, pass a locator: button "Save", link
    "Edit" in row "Anna".

    All arguments are checked before the first call runs. Each call waits for its consequences and
    has its limits, as a single call has. An element that a later call names by a locator or a CSS
    selector may appear late: it is waited for, at most `--timeout-action` (5 s). Use
    `browser_wait_for` as a step for slower ones.

    Reply: a line for each call, with the content that reading calls (`browser_snapshot`,
    `browser_find`, `browser_evaluate`, ...) return; then the state of the page once, with its
    changes since you last saw it. `--snapshot-budget` limits all of it together.

    Errors: before the first call runs, each call with an unknown tool or invalid arguments. Later,
    the call that failed, why, the results of the calls before it, and the calls that were not run;
    then the state of the page. A dialog or file chooser stops all calls but those that answer it.
    """
    return await batch.run_steps()
