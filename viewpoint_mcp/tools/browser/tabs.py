"""Tools that list, open, select, resize and close tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from viewpoint_mcp.accessibility.printing.sentence_quotes import to_one_line
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.page.shorten import shorten_url
from viewpoint_mcp.tools.core.args import Args, ContextName
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.sessionless_call_policy import ActsInContext
from viewpoint_mcp.tools.core.structured_output import Output, Row
from viewpoint_mcp.tools.core.tool import browser_tool, page_tool
from viewpoint_mcp.tools.reply.browser_state import render_tabs

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace
    from viewpoint_mcp.browser.context import Context
    from viewpoint_mcp.browser.tabs.tab import Tab
    from viewpoint_mcp.page.page import Page

Pixels = Annotated[int, Meta(ge=1, le=16384)]


class TabsArgs(Args):
    action: Literal["list", "new", "close", "select"]
    """What to do. `list` changes nothing, `new` opens a tab and makes it active, `select` makes a
    tab active, `close` closes a tab."""
    index: Annotated[
        Annotated[int, Meta(ge=0)] | None, Meta(description="Active tab if omitted")
    ] = None
    """Number of the tab in the list that you saw last, from 0. `select` needs it; `close` closes
    the active tab if it is omitted, but a tab of the user only with its index; `list` and `new`
    ignore it."""
    url: str | None = None
    """URL that `new` opens, as in `browser_navigate`. An empty tab if omitted."""
    context: ContextName = None


class CloseArgs(Args):
    context: ContextName = None


class ResizeArgs(Args):
    width: Pixels
    """Width of the viewport in CSS pixels."""
    height: Pixels
    """Height of the viewport in CSS pixels."""


class TabRow(Row):
    index: int
    title: str
    url: str
    active: bool = False


class TabsOutput(Output):
    tabs: list[TabRow]


@browser_tool(
    "browser_tabs",
    title="Tabs",
    kind="state",
    output=TabsOutput,
    slim=("index",),
    sinks=("url",),
    sessionless=ActsInContext(can_open=lambda args: args.action == "new"),
)
async def manage_tabs(browser: Workspace, args: TabsArgs) -> ToolResult:
    """List, open, close or select tabs.

    Page tools act in the active tab of the context. A tab that a page opens does not become active;
    the reply to the action names it.

    Reply: the tabs with number, title and URL; the active one is marked `(current)`. With `new` and
    a `url` also a snapshot of the page. `structuredContent` has the same tabs as data. `list`
    starts no browser.

    Errors: no tab has this index, or it was closed since you saw the list; `close` without an index
    while a tab of the user of an attached browser is active; for `new`, the URL is malformed or not
    allowed, and no tab is opened.
    """
    if args.action == "list":
        # The user's browser has tabs before the server attaches to it. Otherwise, a list starts no
        # browser.
        has_tabs = browser.has_running_browser or browser.should_attach
        return await _make_tabs_result(
            await browser.get_context(args.context) if has_tabs else None
        )
    context = await browser.get_context(args.context)
    if args.index is not None or args.action == "close":
        await context.refresh_tabs()  # events of tabs arrive before the response to this
    if args.action == "new":
        previous_tab, page = context.active_tab, await context.new_page()
        if args.url:
            try:
                async with page.lock:
                    await page.navigate(args.url)
            except CallError:  # the URL is refused, and the agent did not request an empty tab
                await context.close_tab_or_fail(context.find_tab(page.target_id))
                if previous_tab in context.tabs:
                    context.active_tab = previous_tab
                raise
            return replace(await _make_tabs_result(context), page=page, snapshot=True)
    elif args.action == "select":
        if args.index is None:
            raise CallError(
                "browser_tabs needs an index for action select.",
                "Use action list to see the indexes.",
            )
        context.active_tab = context.get_listed_tab(args.index)
    elif args.index is not None:
        await context.close_tab_or_fail(context.get_listed_tab(args.index))
    else:
        await context.close_tab_or_fail(_get_active_tab_unless_opened_by_user(context))
    return await _make_tabs_result(context)


@page_tool("browser_resize", title="Resize", kind="view")
async def resize_viewport(page: Page, args: ResizeArgs) -> ToolResult:
    """Resize the viewport, in CSS pixels.

    The size holds for the tab until it is closed. The rest of an emulated device stays.

    Reply: the new size; then the changes of the page, such as a menu that became a button.
    """
    async with page.settle_afterwards():
        await page.emulation.resize_viewport(args.width, args.height)
    return ToolResult(f"Resized the viewport to {args.width} x {args.height}", snapshot=True)


@browser_tool("browser_close", title="Close tab", kind="state", sessionless=ActsInContext())
async def close_page(browser: Workspace, args: CloseArgs) -> ToolResult:
    """Close the active tab.

    A `beforeunload` dialog of the page is not shown. Another tab of the context becomes active. The
    browser keeps running. In an attached browser, a tab that the user opened stays open.

    Reply: that the tab was closed, that it is the user's and stays open, or that none is open. If
    several tabs remain, the reply lists them.
    """
    has_tabs = browser.has_running_browser or browser.should_attach
    context = await browser.get_context(args.context) if has_tabs else None
    if context is not None:
        await context.refresh_tabs()  # events of tabs arrive before the response to this
    if context is None or context.active_tab is None:
        return ToolResult("No page is open.", context=context)
    if context.active_tab.is_opened_by_user:
        index = _find_index_of_active_tab(context)
        return ToolResult(
            f"Left tab {index} open: the user opened it, not you. To close it nevertheless, use "
            f"browser_tabs with action close and index {index}.",
            context=context,
        )
    await context.close_tab_or_fail(context.active_tab)
    return ToolResult("Closed the page", context=context)


def _get_active_tab_unless_opened_by_user(context: Context) -> Tab | None:
    """Return the active tab, which may be closed; None if no tab is open.

    Raises:
        CallError: The user of an attached browser opened it.
    """
    if context.active_tab is not None and context.active_tab.is_opened_by_user:
        index = _find_index_of_active_tab(context)
        raise CallError(
            f"Tab {index} was opened by the user, not by you. It closes only with its index.",
            f"Pass index {index} to close it.",
        )
    return context.active_tab


def _find_index_of_active_tab(context: Context) -> int:
    """Return the index that `browser_tabs` accepts for the active tab from now on."""
    tabs = context.list_tabs_and_remember_order()
    return next(index for index, tab in enumerate(tabs) if tab is context.active_tab)


async def _make_tabs_result(context: Context | None) -> ToolResult:
    if context is None:
        text = "No open tabs. Navigate to a URL to create one."
        return ToolResult(text, omits_open_tabs=True, output=TabsOutput(tabs=[]))
    await context.refresh_tabs()
    rows = [
        TabRow(
            index=index,
            title=to_one_line(tab.title),
            url=shorten_url(tab.url),
            active=tab is context.active_tab,
        )
        for index, tab in enumerate(context.tabs)
    ]
    output = TabsOutput(tabs=rows)
    return ToolResult(render_tabs(context), omits_open_tabs=True, context=context, output=output)
