"""The tool that waits for a text or for a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.args import Args
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page

MAX_WAIT = 30.0  # seconds


class WaitForArgs(Args):
    time: Annotated[
        Annotated[float, Meta(ge=0)] | None, Meta(description="Seconds, at most 30")
    ] = None
    """Time to wait, in seconds. With `text` or `textGone`, the maximum time for each of them. More
    than 30 is reduced to 30. Without it, texts are waited for up to 30 s."""
    text: str | None = None
    """Text that must appear anywhere on the page, also in frames. Case matters, white space does
    not."""
    text_gone: str | None = None
    """Text that must disappear from the page. If `text` is given too, it is waited for first."""


@page_tool("browser_wait_for", title="Wait", kind="read", slim=("text", "time"))
async def wait_for(page: Page, args: WaitForArgs) -> ToolResult:
    """Wait until text appears or disappears, or for a time.

    Tools already wait for the consequences of their action, so this is needed only for slow ones,
    such as a report that the server prepares. Give at least one argument.

    Reply: the fulfilled condition, and the changes of the page.

    Errors: the text has not appeared or disappeared in time. A dialog or file chooser ends the
    wait.
    """
    texts = [text for text in (args.text, args.text_gone) if text]
    if not texts and args.time is None:
        raise CallError("browser_wait_for needs text, textGone or time.")
    limit = MAX_WAIT if args.time is None else min(args.time, MAX_WAIT)
    if not texts:
        await page.pause(limit)
        cut = f" (the maximum; you asked for {args.time:g} s)" if args.time != limit else ""
        return ToolResult(f"Waited for {limit:g} s{cut}", snapshot=True)
    if args.text:
        await page.wait_for_text(args.text, limit)
    if args.text_gone:
        await page.wait_for_text(args.text_gone, limit, until_gone=True)
    outcomes = [
        f'"{args.text}" is there' if args.text else "",
        f'"{args.text_gone}" is gone' if args.text_gone else "",
    ]
    return ToolResult(" and ".join(filter(None, outcomes)), snapshot=True)
