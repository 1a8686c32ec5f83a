"""Selection of the target that the user names, and of the session for a command."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from cdp_protocol.cli import output
from cdp_protocol.cli.run_command import Failure, note
from cdp_protocol.errors import ProtocolError
from cdp_protocol.sanitize.terminal import escape_control_characters

if TYPE_CHECKING:
    from cdp_protocol.browser import Browser
    from cdp_protocol.session import Session

T = TypeVar("T")
Target = Mapping[str, Any]

METHOD_NOT_FOUND = -32601
LONGEST_URL = 100  # columns of a URL in a message
SHORTEST_ID = 4  # minimum characters of an abbreviated id

# Target types that are hidden by default: containers of pages, and the browser's user interface.
UNINTERESTING = frozenset({"browser", "tab", "browser_ui"})


async def targets_of(browser: Session, *, every: bool = False) -> list[Target]:
    """Return the targets of a browser, pages first, then in the order of their ids.

    The browser's own order changes with the use of targets. In the order of ids, a number in the
    list of `cdp targets` names the same target in the next command.

    Args:
        browser: The root session.
        every: Whether to include the target types that are hidden by default.
    """
    found = (await browser.send("Target.getTargets", {"filter": [{}]}))["targetInfos"]
    wanted = [target for target in found if every or target["type"] not in UNINTERESTING]
    return sorted(wanted, key=lambda target: (target["type"] != "page", target["targetId"]))


def choose(targets: Sequence[Target], word: str) -> Target:
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
    for means in (_has_id, _begins_so, _shows):
        found = [target for target in targets if means(target, word)]
        if len(found) == 1:
            return found[0]
        if found:
            raise Failure(
                f'"{word}" may be one of {len(found)} targets:\n{_listed(targets, found)}'
            )
    if not targets:
        raise Failure(f'There is no target "{word}", for the browser has none at all.')
    raise Failure(
        f'There is no target "{word}", neither by number, id, URL nor title:\n'
        + _listed(targets, targets)
    )


@asynccontextmanager
async def attached(browser: Browser, word: str) -> AsyncIterator[Session]:
    """Attach to the named target during the block; "browser" yields the root session instead."""
    if word == "browser":
        yield browser
        return
    target = choose(await targets_of(browser), word)
    async with browser.attach(target) as session:
        yield session


async def where_it_belongs(
    browser: Browser,
    word: str | None,
    act: Callable[[Session], Awaitable[T]],
    *,
    ways: str = "Name one with --target",
) -> T:
    """Call a function with the session of the named target, and return its result.

    Without a name, call it with the root session. If the browser itself lacks the command, call it
    again with a session of the only page.

    Args:
        browser: The root session.
        word: The name of the target, as for `choose`, or "browser"; None for no name.
        act: The function. It sends its command first, because it may be called a second time.
        ways: The advice in the error message if the browser has several pages.

    Raises:
        Failure: No target was named, the browser lacks the command, and it has no page or several.
    """
    if word is not None:
        async with attached(browser, word) as session:
            return await act(session)
    try:
        return await act(browser)
    except ProtocolError as error:
        if error.code != METHOD_NOT_FOUND:
            raise
        page = await _only_page(browser, error, ways)
    note(f"on the only page, {output.cut(escape_control_characters(page['url']), LONGEST_URL)}")
    async with browser.attach(page) as session:
        return await act(session)


async def _only_page(browser: Browser, refusal: ProtocolError, ways: str) -> Target:
    targets = await targets_of(browser)
    pages = [target for target in targets if target["type"] == "page"]
    if len(pages) == 1:
        return pages[0]
    said = f"The browser itself has no {refusal.method}; targets may have. "
    if not pages:
        raise Failure(said + "It has no page: open one with `cdp send Target.createTarget url=…`.")
    raise Failure(f"{said}{ways}:\n{_listed(targets, pages)}")


def _has_id(target: Target, word: str) -> bool:
    return str(target["targetId"]) == word


def _begins_so(target: Target, word: str) -> bool:
    return len(word) >= SHORTEST_ID and str(target["targetId"]).lower().startswith(word.lower())


def _shows(target: Target, word: str) -> bool:
    wanted = word.casefold()
    return wanted in str(target["url"]).casefold() or wanted in str(target["title"]).casefold()


def rows(targets: Sequence[Target], shown: Sequence[Target]) -> list[tuple[str, ...]]:
    """Return targets as rows of a table, after a header row.

    Args:
        targets: All targets. Their positions are the numbers in the table.
        shown: The targets to include.
    """
    length = distinct([target["targetId"] for target in targets])
    return [
        ("#", "TYPE", "ID", "ATTACHED", "TITLE", "URL"),
        *(
            (
                str(number),
                target["type"],
                target["targetId"][:length],
                "yes" if target["attached"] else "no",
                output.cut(escape_control_characters(target["title"]), TITLE),
                target["url"],
            )
            for number, target in enumerate(targets, 1)
            if target in shown
        ),
    ]


TITLE = 40  # maximum columns of a title in the table
SHOWN_ID = 8  # minimum characters of an id in the table


def distinct(ids: Sequence[str]) -> int:
    """Return the number of leading characters, at least `SHOWN_ID`, that distinguish all ids."""
    longest = max(map(len, ids), default=SHOWN_ID)
    return next(
        (n for n in range(SHOWN_ID, longest) if len({each[:n] for each in ids}) == len(set(ids))),
        longest,
    )


def _listed(targets: Sequence[Target], shown: Sequence[Target]) -> str:
    return "\n".join(f"  {line}" for line in output.table(rows(targets, shown), width=120))
