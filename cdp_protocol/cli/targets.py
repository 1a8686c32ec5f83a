"""`cdp targets`: what there is to speak to."""

from __future__ import annotations

import shutil
import sys
from typing import Any

import click

from cdp_protocol.cli import output
from cdp_protocol.cli.browser_options import BrowserChoice, browser_options, pass_choice
from cdp_protocol.cli.running import run

TITLE = 40  # columns that a title may take in a table for people

# What nobody sees as a thing to speak to: what holds a page, and what draws the browser itself.
UNINTERESTING = frozenset({"browser", "tab", "browser_ui"})


@click.command()
@browser_options
@click.option(
    "--all", "every", is_flag=True, help="What holds pages and what draws the browser as well."
)
@click.option("--json", "as_json", is_flag=True, help="Whole, as JSON, one line for each target.")
@pass_choice
def targets(choice: BrowserChoice, *, every: bool, as_json: bool) -> None:
    """List what there is to speak to: pages, frames, workers.

    Commands take one by its number, by its id or the beginning of it, or by a part of its URL or
    title.
    """
    run(_list(choice, every=every, as_json=as_json))


async def _list(choice: BrowserChoice, *, every: bool, as_json: bool) -> None:
    async with choice.open() as browser:
        found = (await browser.send("Target.getTargets", {"filter": [{}]}))["targetInfos"]
    if not every:
        found = [target for target in found if target["type"] not in UNINTERESTING]
    if as_json:
        for target in found:
            output.write_json(target)
        return
    for line in output.table(_rows(found), width=_width()):
        output.write(line)


def _rows(found: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    length = distinct([target["targetId"] for target in found])
    return [
        ("#", "TYPE", "ID", "ATTACHED", "TITLE", "URL"),
        *(
            (
                str(number),
                target["type"],
                target["targetId"][:length],
                "yes" if target["attached"] else "no",
                output.cut(output.harmless(target["title"]), TITLE),
                target["url"],
            )
            for number, target in enumerate(found, 1)
        ),
    ]


def distinct(ids: list[str], least: int = 8) -> int:
    """How many characters tell all these ids apart."""
    longest = max(map(len, ids), default=least)
    return next(
        (n for n in range(least, longest) if len({each[:n] for each in ids}) == len(set(ids))),
        longest,
    )


def _width() -> int | None:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
