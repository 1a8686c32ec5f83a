"""Tools for localStorage and sessionStorage (`--caps storage`)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.tools.core.args import Args, NoArgs
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool
from viewpoint_mcp.tools.reply.file_saving import fit_page_text
from viewpoint_mcp.tools.reply.line_fitting import fit_first_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from viewpoint_mcp.page.page import Page
    from viewpoint_mcp.page.storage.web_storage import AreaName, Item

_MAX_LINE = 200  # characters of an item in a list that exceeds the budget


class KeyArgs(Args):
    key: str
    """Key of the item, in the same case."""


class ItemArgs(Args):
    key: str
    """Key of the new item, or of the one to replace."""
    value: str
    """Value of the item, as text. JSON is stored as it is."""


@page_tool(
    "browser_localstorage_list", title="List localStorage", kind="record", capability="storage"
)
async def list_local_storage(page: Page, args: NoArgs) -> ToolResult:
    """List the localStorage of the page.

    Acts on the origin of the main frame. All tabs of the context share it, and it outlives them.

    Reply: each item as `key=value`. If they exceed `--snapshot-budget`, long values are cut.

    Errors: the page has no localStorage, such as about:blank.
    """
    return await _list_items(page, "localStorage")


@page_tool(
    "browser_localstorage_get", title="Get localStorage item", kind="record", capability="storage"
)
async def get_local_storage_item(page: Page, args: KeyArgs) -> ToolResult:
    """Get an item of localStorage.

    Reply: the item as `key=value`, or that there is none. A value over `--snapshot-budget` is cut,
    and a file has all of it.

    Errors: the page has no localStorage, such as about:blank.
    """
    return await _get_item(page, "localStorage", args.key)


@page_tool(
    "browser_localstorage_set",
    title="Set localStorage item",
    kind="state",
    capability="storage",
    sinks=("key", "value"),
)
async def set_local_storage_item(page: Page, args: ItemArgs) -> ToolResult:
    """Set an item of localStorage.

    The page may show it after `browser_reload` only. Other tabs of the origin get a `storage`
    event.

    Reply: the key and the origin.

    Errors: the value does not fit; the page has no localStorage, such as about:blank.
    """
    changed = await page.web_storage("localStorage").set(args.key, args.value)
    return ToolResult(f'Set "{args.key}" in localStorage of {changed.origin}')


@page_tool(
    "browser_localstorage_delete",
    title="Delete localStorage item",
    kind="state",
    capability="storage",
)
async def delete_local_storage_item(page: Page, args: KeyArgs) -> ToolResult:
    """Delete an item of localStorage.

    Reply: the key and the origin, or that there is no such item.

    Errors: the page has no localStorage, such as about:blank.
    """
    return await _delete_item(page, "localStorage", args.key)


@page_tool(
    "browser_localstorage_clear", title="Clear localStorage", kind="state", capability="storage"
)
async def clear_local_storage(page: Page, args: NoArgs) -> ToolResult:
    """Clear the localStorage of the page.

    Reply: the number of items and the origin.

    Errors: the page has no localStorage, such as about:blank.
    """
    return await _clear(page, "localStorage")


@page_tool(
    "browser_sessionstorage_list", title="List sessionStorage", kind="record", capability="storage"
)
async def list_session_storage(page: Page, args: NoArgs) -> ToolResult:
    """List the sessionStorage of the page.

    Acts on the origin of the main frame. It belongs to the tab and ends with it.

    Reply: each item as `key=value`. If they exceed `--snapshot-budget`, long values are cut.

    Errors: the page has no sessionStorage, such as about:blank.
    """
    return await _list_items(page, "sessionStorage")


@page_tool(
    "browser_sessionstorage_get",
    title="Get sessionStorage item",
    kind="record",
    capability="storage",
)
async def get_session_storage_item(page: Page, args: KeyArgs) -> ToolResult:
    """Get an item of sessionStorage.

    Reply: the item as `key=value`, or that there is none. A value over `--snapshot-budget` is cut,
    and a file has all of it.

    Errors: the page has no sessionStorage, such as about:blank.
    """
    return await _get_item(page, "sessionStorage", args.key)


@page_tool(
    "browser_sessionstorage_set",
    title="Set sessionStorage item",
    kind="state",
    capability="storage",
    sinks=("key", "value"),
)
async def set_session_storage_item(page: Page, args: ItemArgs) -> ToolResult:
    """Set an item of sessionStorage.

    The page may show it after `browser_reload` only.

    Reply: the key and the origin.

    Errors: the value does not fit; the page has no sessionStorage, such as about:blank.
    """
    changed = await page.web_storage("sessionStorage").set(args.key, args.value)
    return ToolResult(f'Set "{args.key}" in sessionStorage of {changed.origin}')


@page_tool(
    "browser_sessionstorage_delete",
    title="Delete sessionStorage item",
    kind="state",
    capability="storage",
)
async def delete_session_storage_item(page: Page, args: KeyArgs) -> ToolResult:
    """Delete an item of sessionStorage.

    Reply: the key and the origin, or that there is no such item.

    Errors: the page has no sessionStorage, such as about:blank.
    """
    return await _delete_item(page, "sessionStorage", args.key)


@page_tool(
    "browser_sessionstorage_clear", title="Clear sessionStorage", kind="state", capability="storage"
)
async def clear_session_storage(page: Page, args: NoArgs) -> ToolResult:
    """Clear the sessionStorage of the page.

    Reply: the number of items and the origin.

    Errors: the page has no sessionStorage, such as about:blank.
    """
    return await _clear(page, "sessionStorage")


async def _list_items(page: Page, area: AreaName) -> ToolResult:
    items = await page.web_storage(area).list_items()
    if not items:
        return ToolResult(f"No {area} items found")
    return ToolResult(fit_text=partial(_fit_items, items, area))


async def _get_item(page: Page, area: AreaName, key: str) -> ToolResult:
    value = await page.web_storage(area).get(key)
    if value is None:
        return ToolResult(_describe_missing(area, key))
    text = f"{key}={value}"
    return ToolResult(fit_text=partial(fit_page_text, page, text, f"item of {area}"))


async def _delete_item(page: Page, area: AreaName, key: str) -> ToolResult:
    removed = await page.web_storage(area).remove(key)
    if not removed.item_count:
        return ToolResult(_describe_missing(area, key))
    return ToolResult(f'Deleted "{key}" from {area} of {removed.origin}')


async def _clear(page: Page, area: AreaName) -> ToolResult:
    cleared = await page.web_storage(area).clear()
    return ToolResult(
        f"Cleared {format_count(cleared.item_count, 'item')} from {area} of {cleared.origin}"
    )


def _describe_missing(area: AreaName, key: str) -> str:
    return f"{area} key '{key}' not found"


def _fit_items(items: Sequence[Item], area: AreaName, budget: int) -> str:
    """Return the items within the budget. If they exceed it, cut long values first."""
    lines = [f"{key}={value}" for key, value in items]
    if sum(map(len, lines)) + len(lines) > budget:
        lines = [
            f"{each[:_MAX_LINE]}… ({len(each):,} characters)" if len(each) > _MAX_LINE else each
            for each in lines
        ]
    return fit_first_lines(lines, f"browser_{area.lower()}_get shows a whole item.", budget)
