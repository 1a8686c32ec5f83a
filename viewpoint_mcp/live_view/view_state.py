"""What a viewer gets beside the picture: tabs, dialog, notice, calls and control."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from viewpoint_mcp.accessibility.printing.invisible_characters import remove_invisible
from viewpoint_mcp.accessibility.printing.sentence_quotes import to_one_line
from viewpoint_mcp.live_view.call_list import ListedCall

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace
    from viewpoint_mcp.browser.tabs.tab import Tab

_MAX_TEXT = 500  # characters of a title or a URL
_MAX_MESSAGE = 5000  # characters of a dialog


class ViewedTab(Struct, frozen=True, rename="camel"):
    """A tab of the client.

    Args:
        id: Its CDP target id.
        is_agents: Whether the agent uses it: the active tab of the active context.
        is_shown: Whether the picture shows it.
    """

    id: str
    title: str
    url: str
    is_agents: bool
    is_shown: bool


class ViewedDialog(Struct, frozen=True, rename="camel"):
    """The dialog that is open in the tab that is shown."""

    kind: str
    message: str
    default_text: str


class ViewState(Struct, frozen=True, rename="camel"):
    """The state of a view. Equal states look the same to a viewer.

    Args:
        is_pinned: Whether the person chose the tab; else the view follows the agent.
        controller: The viewer that has control; "" if none has.
        notice: Why there is no current picture, or what the page waits for; "" for nothing.
        awaits_files: Whether a file chooser is open.
        calls: The latest calls, the oldest first.
    """

    tabs: list[ViewedTab]
    is_pinned: bool
    dialog: ViewedDialog | None
    notice: str
    awaits_files: bool
    controller: str
    calls: list[ListedCall]


def read_state(
    workspace: Workspace,
    shown: Tab | None,
    *,
    pinned: bool,
    controller: str,
    calls: list[ListedCall],
) -> ViewState:
    """Return the state of a view now.

    Args:
        shown: The tab that the view shows.
        pinned: Whether the person chose that tab.
    """
    active = workspace.active_context
    agents = None if active is None else active.active_tab
    page = None if shown is None else shown.attached_page
    blockers = None if page is None else page.blockers
    dialog = None if shown is None else shown.dialog
    return ViewState(
        tabs=[
            ViewedTab(
                each.target_id,
                to_one_line(each.title[:_MAX_TEXT]),
                each.url[:_MAX_TEXT],
                is_agents=each is agents,
                is_shown=each is shown,
            )
            for each in workspace.tabs
        ],
        is_pinned=pinned,
        dialog=None
        if dialog is None
        else ViewedDialog(
            dialog.kind,
            remove_invisible(dialog.message[:_MAX_MESSAGE]),
            remove_invisible(dialog.default_prompt[:_MAX_MESSAGE]),
        ),
        notice=_describe_trouble(workspace, shown),
        awaits_files=blockers is not None and blockers.file_chooser is not None,
        controller=controller,
        calls=calls,
    )


def _describe_trouble(workspace: Workspace, shown: Tab | None) -> str:
    if not workspace.has_running_browser:
        return "No browser is running. The picture appears when the agent opens a page."
    if shown is None:
        return "No tab is open. The picture appears when the agent opens one."
    page = shown.attached_page
    if page is None:
        return "The agent does not use this tab yet."
    if page.blockers.is_crashed:
        return "The page crashed. The agent can load it again."
    if page.blockers.is_closed:
        return "The page was closed."
    return ""
