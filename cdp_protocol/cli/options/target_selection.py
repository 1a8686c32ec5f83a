"""Selection of the target that the user names, and of the session for a command."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from cdp_protocol.cli import output
from cdp_protocol.cli.run_command import Failure, print_note
from cdp_protocol.errors import ProtocolError
from cdp_protocol.sanitize.terminal_escaping import escape_control_characters

if TYPE_CHECKING:
    from cdp_protocol.browser import Browser
    from cdp_protocol.session import Session

T = TypeVar("T")
Target = Mapping[str, Any]

METHOD_NOT_FOUND = -32601
MAX_URL_WIDTH = 100  # columns of a URL in a message
MIN_ID_PREFIX = 4  # minimum characters of an abbreviated id

# Target types that are hidden by default: containers of pages, and the browser's user interface.
HIDDEN_TYPES = frozenset({"browser", "tab", "browser_ui"})


async def list_targets(browser: Session, *, include_hidden: bool = False) -> list[Target]:
    """Return the targets of a browser, pages first, then in the order of their ids.

    The browser's own order changes with the use of targets. In the order of ids, a number in the
    list of `cdp targets` names the same target in the next command.

    Args:
        browser: The root session.
        include_hidden: Whether to include the target types that are hidden by default.
    """
    targets = (await browser.send("Target.getTargets", {"filter": [{}]}))["targetInfos"]
    visible = [target for target in targets if include_hidden or target["type"] not in HIDDEN_TYPES]
    return sorted(visible, key=lambda target: (target["type"] != "page", target["targetId"]))


def choose_target(targets: Sequence[Target], word: str) -> Target:
    """Return the target that a word names.

    Args:
        targets: The targets in the order of `cdp targets`.
        word: The number of the target there, its id or the beginning of the id, or a part of its
            URL or title.

    Raises:
        Failure: The word matches no target, or several targets.
    """
    if word.isdecimal() and 1 <= int(word) <= len(targets):
        return targets[int(word) - 1]
    for matches in (_has_exact_id, _has_id_prefix, _matches_url_or_title):
        matching = [target for target in targets if matches(target, word)]
        if len(matching) == 1:
            return matching[0]
        if matching:
            raise Failure(
                f'"{word}" matches {len(matching)} targets:\n{_format_targets(targets, matching)}'
            )
    if not targets:
        raise Failure(f'No target matches "{word}": the browser has no targets.')
    raise Failure(
        f'No target has "{word}" as its number, id, URL or title:\n'
        + _format_targets(targets, targets)
    )


@asynccontextmanager
async def attach_by_name(browser: Browser, word: str) -> AsyncIterator[Session]:
    """Attach to the named target during the block; "browser" yields the root session instead."""
    if word == "browser":
        yield browser
        return
    target = choose_target(await list_targets(browser), word)
    async with browser.attach(target) as session:
        yield session


async def run_on_target(
    browser: Browser,
    word: str | None,
    function: Callable[[Session], Awaitable[T]],
    *,
    advice: str = "Choose one with --target",
) -> T:
    """Call a function with the session of the named target, and return its result.

    Without a name, call it with the root session. If the browser itself lacks the command, call it
    again with a session of the only page.

    Args:
        browser: The root session.
        word: The name of the target, as for `choose_target`, or "browser"; None for no name.
        function: The function. It sends its command first, because it may be called a second time.
        advice: The advice in the error message if the browser has several pages.

    Raises:
        Failure: No target was named, the browser lacks the command, and it has no page or several.
    """
    if word is not None:
        async with attach_by_name(browser, word) as session:
            return await function(session)
    try:
        return await function(browser)
    except ProtocolError as error:
        if error.code != METHOD_NOT_FOUND:
            raise
        page = await _find_only_page(browser, error, advice)
    url = output.truncate(escape_control_characters(page["url"]), MAX_URL_WIDTH)
    print_note(f"Using the only page, {url}")
    async with browser.attach(page) as session:
        return await function(session)


async def _find_only_page(browser: Browser, error: ProtocolError, advice: str) -> Target:
    targets = await list_targets(browser)
    pages = [target for target in targets if target["type"] == "page"]
    if len(pages) == 1:
        return pages[0]
    problem = f"The browser itself has no {error.method}, but a target may have it. "
    if not pages:
        raise Failure(problem + "Open a page with `cdp send Target.createTarget url=…`.")
    raise Failure(f"{problem}{advice}:\n{_format_targets(targets, pages)}")


def _has_exact_id(target: Target, word: str) -> bool:
    return str(target["targetId"]) == word


def _has_id_prefix(target: Target, word: str) -> bool:
    return len(word) >= MIN_ID_PREFIX and str(target["targetId"]).lower().startswith(word.lower())


def _matches_url_or_title(target: Target, word: str) -> bool:
    lowered = word.casefold()
    return lowered in str(target["url"]).casefold() or lowered in str(target["title"]).casefold()


def target_table_rows(
    all_targets: Sequence[Target], listed_targets: Sequence[Target]
) -> list[tuple[str, ...]]:
    """Return targets as rows of a table, after a header row.

    Args:
        all_targets: All targets. Their positions are the numbers in the table.
        listed_targets: The targets to list.
    """
    length = distinct_prefix_length([target["targetId"] for target in all_targets])
    return [
        ("#", "TYPE", "ID", "ATTACHED", "TITLE", "URL"),
        *(
            (
                str(number),
                target["type"],
                target["targetId"][:length],
                "yes" if target["attached"] else "no",
                output.truncate(escape_control_characters(target["title"]), MAX_TITLE_WIDTH),
                target["url"],
            )
            for number, target in enumerate(all_targets, 1)
            if target in listed_targets
        ),
    ]


MAX_TITLE_WIDTH = 40  # maximum columns of a title in the table
MIN_ID_WIDTH = 8  # minimum characters of an id in the table


def distinct_prefix_length(ids: Sequence[str]) -> int:
    """Return how many leading characters, at least `MIN_ID_WIDTH`, distinguish all ids."""
    longest = max(map(len, ids), default=MIN_ID_WIDTH)
    return next(
        (
            n
            for n in range(MIN_ID_WIDTH, longest)
            if len({each[:n] for each in ids}) == len(set(ids))
        ),
        longest,
    )


def _format_targets(all_targets: Sequence[Target], listed_targets: Sequence[Target]) -> str:
    return "\n".join(
        f"  {line}"
        for line in output.format_table(target_table_rows(all_targets, listed_targets), width=120)
    )
