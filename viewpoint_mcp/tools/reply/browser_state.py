"""The sections of a reply about the page and the browser: tabs, page, modal state, events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.accessibility.printing.sentence_quotes import escape_link_text, to_one_line
from viewpoint_mcp.page.shorten import shorten, shorten_title, shorten_url
from viewpoint_mcp.tools.reply.details.console_errors import render_new_errors

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace
    from viewpoint_mcp.browser.context import Context
    from viewpoint_mcp.browser.tabs.tab import Tab
    from viewpoint_mcp.page.page import Page

_MAX_TABS_LENGTH: Final = 8000  # characters of the list of tabs, before it is shortened
_MAX_SHORT_LENGTH: Final = 60  # characters of a title and of a URL in a shortened list
_MAX_TABS: Final = 50  # tabs in a shortened list, without the current one
_MAX_POPUPS: Final = 5  # popups of one call


async def describe_open_tabs(
    context: Context | None, tabs_before: frozenset[str], *, omits_list: bool
) -> str:
    """Return the list of open tabs; "" for a single tab or without a context.

    First, wait briefly until the URL of each new tab is known.

    Args:
        tabs_before: CDP target ids of the tabs that were open before the call.
        omits_list: Whether to omit the list; see `ToolResult.omits_open_tabs`.
    """
    if context is None:
        return ""
    for tab in [tab for tab in context.tabs if tab.target_id not in tabs_before]:
        await tab.wait_until_url_known()
    if len(context.tabs) == 1 or omits_list:
        return ""
    await context.refresh_tabs()
    return render_tabs(context)


def render_tabs(context: Context) -> str:
    """Return the open tabs, one per line.

    The context stores the order of this list, because later calls select tabs by its indexes.
    """
    if not context.tabs:
        return "No open tabs. Navigate to a URL to create one."
    tabs = context.list_tabs_and_remember_order()
    text = "\n".join(_render_tabs(tabs, context.active_tab))
    if len(text) > _MAX_TABS_LENGTH:
        lines = list(_render_tabs(tabs, context.active_tab, _MAX_SHORT_LENGTH))
        shown = [*lines[:_MAX_TABS], *(each for each in lines[_MAX_TABS:] if "(current)" in each)]
        more = len(lines) - len(shown)
        text = "\n".join([*shown, *([f"- and {more:,} more tabs"] if more else [])])
    return text


def _render_tabs(
    tabs: Iterable[Tab], active_tab: Tab | None, max_length: int | None = None
) -> Iterator[str]:
    """Yield the line of each tab.

    Args:
        max_length: Characters of a title and of a URL; None for the usual limits.
    """
    for index, tab in enumerate(tabs):
        current = "(current) " if tab is active_tab else ""
        crashed = (
            " [crashed]" if tab.attached_page and tab.attached_page.blockers.is_crashed else ""
        )
        dialog = " [dialog open]" if tab.dialog is not None else ""
        title, url = to_one_line(tab.title), shorten_url(tab.url)
        if max_length is not None:
            title, url = shorten(title, max_length), shorten(url, max_length)
        yield f"- {index}: {current}[{escape_link_text(title)}]({url}){crashed}{dialog}"


@dataclass(frozen=True, slots=True)
class PageAddress:
    """What a reply shows of a document, and what identifies it.

    Attributes:
        target_id: CDP target id of the tab.
        document_id: CDP `Network.LoaderId` of the document.
        webmcp_tools: The number of tools that the page offers; 0 without the capability.
    """

    target_id: str
    document_id: str
    url: str
    title: str
    http_status: int | None
    webmcp_tools: int = 0

    def describe(self) -> Iterator[str]:
        """Yield the URL, the title, an unusual status and offered tools, one per line."""
        yield f"- Page URL: {shorten_url(self.url)}"
        if self.title:
            yield f"- Page Title: {to_one_line(self.title)}"
        if self.http_status is not None and not 200 <= self.http_status <= 299:
            yield f"- HTTP status: {self.http_status}"
        if self.webmcp_tools:
            count = format_count(self.webmcp_tools, "webmcp tool")
            yield f"- {count} available on the page (browser_webmcp_list)"


async def find_page_address(page: Page, title: str | None) -> PageAddress:
    """Return the address of the page.

    Args:
        title: The title from the snapshot; None if the title must be requested from the page.
    """
    if title is None:
        title = await page.title()
    title = shorten_title(title)
    status = page.work_dispatcher.http_status
    tools = page.webmcp.tools.count if page.webmcp is not None else 0
    return PageAddress(page.target_id, page.document_id, page.url, title, status, tools)


def describe_page_state(page: Page, address: PageAddress | None, console_counts: str) -> str:
    """Return the address and status of the page, and counts of new kinds of console messages.

    Args:
        address: The address; None if the agent knows it.
        console_counts: See `describe_console_counts`.
    """
    lines = [] if address is None else [*address.describe()]
    if page.blockers.is_crashed:
        lines.append("- Page status: crashed")
    if console_counts:
        lines.append(console_counts)
    return "\n".join(lines)


def describe_console_counts(page: Page) -> str:
    """Return counts of the new kinds of console messages since the last call; "" for none."""
    errors, warnings = page.console.unreported.take_counts()
    counts = [
        format_count(count, noun)
        for count, noun in ((errors, "error"), (warnings, "warning"))
        if count
    ]
    return f"- Console: {', '.join(counts)}" if counts else ""


def describe_modal_states(places: Sequence[tuple[Page, Context | None]]) -> str:
    """Return the open dialogs and file choosers, each with the tool that answers it.

    Args:
        places: The pages that the call acted on, with their contexts, the last one at the end.
    """
    lines = []
    for page, context in reversed(places):
        is_last = page is places[-1][0]
        is_elsewhere = context is not None and context is not places[-1][1]
        where = f", with context {context.name}" if context is not None and is_elsewhere else ""
        blockers = page.blockers
        if blockers.dialog is not None and (is_last or is_elsewhere):
            lines.append(f"- [{blockers.dialog}]: can be handled by browser_handle_dialog{where}")
        if blockers.file_chooser is not None and (is_last or is_elsewhere):
            lines.append(f"- [File chooser]: can be handled by browser_file_upload{where}")
        if (
            is_last
            and context is not None
            and (elsewhere := context.describe_dialog_in_other_tab(page.target_id)) is not None
        ):
            lines.append(f"- [{elsewhere}]: select that tab, then use browser_handle_dialog")
    return "\n".join(lines)


def describe_events_since_last_reply(
    workspace: Workspace,
    context: Context | None,
    pages: Sequence[Page],
    page_with_address: Page | None,
) -> str:
    """Return the events since the last reply, one per line.

    Args:
        pages: The pages that the call acted on.
        page_with_address: The page whose address the reply shows, so that its navigation is no
            event.
    """
    events = _collect_events_since_last_reply(workspace, context, pages, page_with_address)
    return "\n".join(f"- {event}" for event in events)


def describe_popups(context: Context | None, tabs_before: frozenset[str]) -> str:
    """Return the tabs that the pages opened during the call, one per line.

    Args:
        tabs_before: CDP target ids of the tabs that were open before the call. Other tabs, except
            the active one, are popups.
    """
    if context is None:
        return ""
    lines = [
        f"- Popup opened as tab {index}: {shorten_url(tab.url)} (select it with browser_tabs)"
        for index, tab in enumerate(context.tabs)
        if tab.target_id not in tabs_before and tab is not context.active_tab
    ]
    more = len(lines) - _MAX_POPUPS
    return "\n".join([*lines[:_MAX_POPUPS], *([f"- and {more} more popups"] if more > 0 else [])])


def _collect_events_since_last_reply(
    workspace: Workspace,
    context: Context | None,
    pages: Sequence[Page],
    page_with_address: Page | None,
) -> Iterable[str]:
    if (loss := workspace.pop_loss_report()) is not None:
        yield loss
    if notice := workspace.pop_start_notice():
        yield notice
    for page in pages:
        yield from page.take_events(omits_navigation=page is page_with_address)
        yield from render_new_errors(page.console)
    if context is not None:
        yield from context.pop_events()
