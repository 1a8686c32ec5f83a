"""What a page is made with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from viewpoint_mcp.config.settings import ConsoleLevel, OriginRules, Timeouts
from viewpoint_mcp.files.places import Files
from viewpoint_mcp.page import navigation
from viewpoint_mcp.page.emulation.emulation import ContextEmulation


def _explain(reason: str, _url: str) -> str:
    return navigation.explain(reason)


def _find_no_dialog() -> str | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """Everything that a page needs to know of its tab, its context and its browser.

    Args:
        target_id: CDP `Target.TargetID` of the tab.
        context: The `c` component of its refs.
        number: The `p` component; never used twice in a context.
        context_name: Name of its browser context, for the records of files.
        files: Where its pictures go, and what it may read.
        emulation: The device that its context emulates.
        is_users: Whether the tab belongs to the user, who continues to use it.
        rules: Where it may navigate.
        origins: Collects the origins of its documents.
        console_level: Default minimum level of the console messages that a reply lists.
        explain: Returns what a network error at a URL means.
        find_dialog_elsewhere: Names a dialog that is open in another tab, if there is one.
        on_interruption: Called when a dialog, a crash or the end of the page interrupts it.
        check_browser: Returns once the browser has answered, or is given up. None to blame the page
            for every command without an answer.
    """

    target_id: str
    context: int
    number: int
    context_name: str
    timeouts: Timeouts
    files: Files
    emulation: ContextEmulation
    is_users: bool = False
    rules: OriginRules = field(default_factory=OriginRules)
    origins: set[str] = field(default_factory=set)
    console_level: ConsoleLevel = "info"
    explain: Callable[[str, str], str] = _explain
    find_dialog_elsewhere: Callable[[], str | None] = _find_no_dialog
    on_interruption: Callable[[], None] | None = None
    check_browser: Callable[[], Awaitable[None]] | None = None
