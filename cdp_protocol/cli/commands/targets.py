"""`cdp targets`: lists the targets of the browser."""

from __future__ import annotations

import click

from cdp_protocol.cli import output
from cdp_protocol.cli.options import target_selection
from cdp_protocol.cli.options.browser_options import BrowserChoice, browser_options, pass_choice
from cdp_protocol.cli.run_command import print_note, run_command


@click.command()
@browser_options
@click.option(
    "--all",
    "show_all",
    is_flag=True,
    help="Also list containers of pages and the browser's own interface.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print complete targets as JSON, one per line."
)
@pass_choice
def targets(choice: BrowserChoice, /, *, show_all: bool, as_json: bool) -> None:
    """List the targets of the browser: pages, frames, workers.

    Other commands accept one with --target: its number, its id or the beginning of the id, or a
    part of its URL or title.
    """
    run_command(_print_targets(choice, show_all=show_all, as_json=as_json))


async def _print_targets(choice: BrowserChoice, *, show_all: bool, as_json: bool) -> None:
    async with choice.open() as browser:
        targets = await target_selection.list_targets(browser, include_hidden=show_all)
    if as_json:
        for target in targets:
            output.write_json(target)
    elif targets:
        for line in output.format_table(
            target_selection.target_table_rows(targets, targets), width=output.terminal_width()
        ):
            output.write_line(line)
    else:
        print_note(
            "The browser has no targets. Open a page with `cdp send Target.createTarget url=…`."
        )
