"""`cdp targets`: lists the targets of the browser."""

from __future__ import annotations

import click

from cdp_protocol.cli import output
from cdp_protocol.cli.options import target_choice
from cdp_protocol.cli.options.browser_options import BrowserChoice, browser_options, pass_choice
from cdp_protocol.cli.run_command import note, run


@click.command()
@browser_options
@click.option(
    "--all", "every", is_flag=True, help="What holds pages and what draws the browser as well."
)
@click.option("--json", "as_json", is_flag=True, help="Whole, as JSON, one line for each target.")
@pass_choice
def targets(choice: BrowserChoice, /, *, every: bool, as_json: bool) -> None:
    """List what there is to speak to: pages, frames, workers.

    Other commands take one with --target: by its number, by its id or the beginning of it, or by a
    part of its URL or title.
    """
    run(_list(choice, every=every, as_json=as_json))


async def _list(choice: BrowserChoice, *, every: bool, as_json: bool) -> None:
    async with choice.open() as browser:
        found = await target_choice.targets_of(browser, every=every)
    if as_json:
        for target in found:
            output.write_json(target)
    elif found:
        for line in output.table(target_choice.rows(found, found), width=output.width()):
            output.write(line)
    else:
        note("The browser has no targets. Open a page with `cdp send Target.createTarget url=…`.")
