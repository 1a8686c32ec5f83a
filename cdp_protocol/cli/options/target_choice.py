"""Which target a word of the user's means, and which session a command belongs to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from cdp_protocol.cli import output
from cdp_protocol.cli.run_command import Failure, note
from cdp_protocol.errors import ProtocolError
from cdp_protocol.sanitize.terminal import harmless

if TYPE_CHECKING:
    from cdp_protocol.browser import Browser
    from cdp_protocol.session import Session

T = TypeVar("T")
Target = Mapping[str, Any]

METHOD_NOT_FOUND = -32601
LONGEST_URL = 100  # columns, within a sentence
SHORTEST_ID = 4  # characters that may be the beginning of an id

# What nobody sees as a thing to speak to: what holds a page, and what draws the browser itself.
UNINTERESTING = frozenset({"browser", "tab", "browser_ui"})


async def targets_of(browser: Session, *, every: bool = False) -> list[Target]:
    """The targets of a browser, pages first.

    The order of the browser changes with their use. A number that one command tells must mean the
    same to the next, so it is that of their ids.
    """
    found = (await browser.send("Target.getTargets", {"filter": [{}]}))["targetInfos"]
    wanted = [target for target in found if every or target["type"] not in UNINTERESTING]
    return sorted(wanted, key=lambda target: (target["type"] != "page", target["targetId"]))


def choose(targets: Sequence[Target], word: str) -> Target:
    """Find the target that is meant.

    Args:
        targets: In the order of `cdp targets`.
        word: Its number there, its id or the beginning of it, or a part of its URL or title.

    Raises:
        Failure: it means none, or several.
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
    """Attach to the target that is meant; "browser" is the browser itself."""
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
    """Act in the session that was named; otherwise in the browser's own, and where that knows no
    such command, in the only page.

    Args:
        word: Names the target, as for `choose`; None for what fits.
        act: Sends a command, first of all.
        ways: What to do where there are several pages.

    Raises:
        Failure: no target was named, and there is not just one page.
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
    note(f"on the only page, {output.cut(harmless(page['url']), LONGEST_URL)}")
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
    """Targets as rows of a table, with a headline.

    Args:
        targets: All, which the numbers count.
        shown: Which of them to show.
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
                output.cut(harmless(target["title"]), TITLE),
                target["url"],
            )
            for number, target in enumerate(targets, 1)
            if target in shown
        ),
    ]


TITLE = 40  # columns that a title may take in a table for people
SHOWN_ID = 8  # characters


def distinct(ids: Sequence[str]) -> int:
    """How many characters tell all these ids apart."""
    longest = max(map(len, ids), default=SHOWN_ID)
    return next(
        (n for n in range(SHOWN_ID, longest) if len({each[:n] for each in ids}) == len(set(ids))),
        longest,
    )


def _listed(targets: Sequence[Target], shown: Sequence[Target]) -> str:
    return "\n".join(f"  {line}" for line in output.table(rows(targets, shown), width=120))
