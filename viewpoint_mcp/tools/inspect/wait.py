"""The tool that waits for a text, an element or a URL, or for a time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from viewpoint_mcp.errors import CallError, PageTimeoutError
from viewpoint_mcp.page.shorten import shorten_url
from viewpoint_mcp.tools.core.args import Args
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page

MAX_WAIT = 30.0  # seconds
_URL_INTERVAL = 0.1  # seconds between two checks of the URL


class WaitForArgs(Args):
    time: Annotated[
        Annotated[float, Meta(ge=0)] | None, Meta(description="Seconds, at most 30")
    ] = None
    """Time to wait, in seconds. With other arguments, the maximum time for each of them. More than
    30 is reduced to 30. Without it, they are waited for up to 30 s."""
    text: str | None = None
    """Text that must appear anywhere on the page, also in frames and as the value of a field. Case
    matters, white space does not."""
    text_gone: str | None = None
    """Text that must disappear from the page. It is waited for after the others."""
    ref: Annotated[str | None, Meta(description="Locator or CSS to appear")] = None
    """Element that must appear: a locator such as `button "Save"`, or a CSS selector. Several may
    match."""
    url: Annotated[str | None, Meta(description="Part of the URL")] = None
    """Text that the URL of the page must contain. It is waited for first."""


@page_tool("browser_wait_for", title="Wait", kind="read", slim=("text", "time"))
async def wait_for(page: Page, args: WaitForArgs) -> ToolResult:
    """Wait until text or an element appears, text disappears, or for a time.

    Tools already wait for the consequences of their action, so this is needed only for slow ones,
    such as a report that the server prepares. Give at least one argument.

    Reply: the fulfilled condition, and the changes of the page.

    Errors: the text, element or URL has not appeared or disappeared in time. A dialog or file
    chooser ends the wait.
    """
    has_condition = any((args.text, args.text_gone, args.ref, args.url))
    if not has_condition and args.time is None:
        raise CallError("browser_wait_for needs text, textGone, ref, url or time.")
    limit = MAX_WAIT if args.time is None else min(args.time, MAX_WAIT)
    if not has_condition:
        await page.pause(limit)
        cut = f" (the maximum; you asked for {args.time:g} s)" if args.time != limit else ""
        return ToolResult(f"Waited for {limit:g} s{cut}", snapshot=True)
    if args.url:
        await _wait_for_url(page, args.url, limit)
    if args.ref:
        await page.elements.wait_until_found(args.ref, limit)
    if args.text:
        await page.wait_for_text(args.text, limit)
    if args.text_gone:
        await page.wait_for_text(args.text_gone, limit, until_gone=True)
    outcomes = [
        f"The URL is {shorten_url(page.url)}" if args.url else "",
        f"{args.ref} is there" if args.ref else "",
        f'"{args.text}" is there' if args.text else "",
        f'"{args.text_gone}" is gone' if args.text_gone else "",
    ]
    return ToolResult(" and ".join(filter(None, outcomes)), snapshot=True)


async def _wait_for_url(page: Page, part: str, timeout: float) -> None:
    """Wait until the URL of the page contains a text.

    Raises:
        PageError: It does not within the time; or the page is blocked.
    """
    deadline = asyncio.get_running_loop().time() + timeout
    while part not in page.url:
        if asyncio.get_running_loop().time() >= deadline:
            raise PageTimeoutError(
                f'The URL does not contain "{part}" after {timeout:g} s. It is '
                f"{shorten_url(page.url)}."
            )
        await page.pause(_URL_INTERVAL)
