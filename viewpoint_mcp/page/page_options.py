"""The options of a page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from viewpoint_mcp.accessibility.search.playwright_locator import DEFAULT_TEST_IDS
from viewpoint_mcp.config.settings import ConsoleLevel, OriginRules, Timeouts
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.page import navigation
from viewpoint_mcp.page.emulation.context_emulation import ContextEmulation
from viewpoint_mcp.page.handover.private_time import PrivateTime


def _explain_error_without_url(error: str, _url: str) -> str:
    return navigation.explain_network_error(error)


def _find_no_dialog() -> str | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """The properties of a page's tab, browser context and browser.

    Args:
        target_id: CDP `Target.TargetID` of the tab.
        context_number: The `c` component of its refs.
        page_number: The `p` component of its refs. A context uses each number once.
        context_name: Name of its browser context, for the records of saved files.
        timeouts: The time limits of its actions and navigations.
        files: The directories for its screenshots, and the files that it may read.
        emulation: The device that its context emulates.
        is_users_tab: Whether the tab belongs to the user, who continues to use it.
        origin_rules: The origins that it may open.
        visited_origins: The set to which the origins of its documents are added.
        console_level: Default minimum level of the console messages that a reply lists.
        test_ids: Names of the attributes that `getByTestId` searches.
        has_test_support: Whether locators can be generated, and pages verified.
        has_webmcp: Whether the tools that its documents offer can be called.
        explain_network_error: Returns the meaning of a network error at a URL.
        find_dialog_elsewhere: Returns a description of a dialog that is open in another tab, or
            None.
        on_interruption: Called when a dialog, a file chooser, a crash or the end of the page blocks
            it.
        private_time: The times in which a person acts in its browser context.
        before_navigation: Called with each URL that the page is to open for the agent; None for
            nothing.
        on_document_request: Called with the URL of each document that the tab or a frame requests.
        check_browser: Returns once the browser has answered, or is considered lost. If None, a
            command without an answer always counts as a failure of the page.
    """

    target_id: str
    context_number: int
    page_number: int
    context_name: str
    timeouts: Timeouts
    files: FileAccess
    emulation: ContextEmulation
    is_users_tab: bool = False
    origin_rules: OriginRules = field(default_factory=OriginRules)
    visited_origins: set[str] = field(default_factory=set)
    console_level: ConsoleLevel = "info"
    test_ids: tuple[str, ...] = DEFAULT_TEST_IDS
    has_test_support: bool = False
    has_webmcp: bool = False
    explain_network_error: Callable[[str, str], str] = _explain_error_without_url
    find_dialog_elsewhere: Callable[[], str | None] = _find_no_dialog
    on_interruption: Callable[[], None] | None = None
    private_time: PrivateTime = field(default_factory=PrivateTime)
    before_navigation: Callable[[str], Awaitable[None]] | None = None
    on_document_request: Callable[[str], None] | None = None
    check_browser: Callable[[], Awaitable[None]] | None = None
