"""`cdp diff`: compares the protocol of a browser with the bundled description."""

from __future__ import annotations

import sys

import click

from cdp_protocol.cli import output
from cdp_protocol.cli.options.browser_options import BrowserChoice, browser_options, pass_choice
from cdp_protocol.cli.run_command import Failure, run

DIFFERENT = 1
TROUBLE = 2


@click.command()
@browser_options
@click.option("--json", "as_json", is_flag=True, help="As JSON on one line.")
@pass_choice
def diff(choice: BrowserChoice, /, *, as_json: bool) -> None:
    """Compare the protocol of this browser with ours: what it has more, less or differently than
    the one that this library brings along.

    The exit status is that of diff: 0 for the same, 1 for a difference, 2 for trouble.
    """
    run(_diff(choice, as_json=as_json), trouble=TROUBLE)


async def _diff(choice: BrowserChoice, *, as_json: bool) -> None:
    from cdp_protocol.description import Description

    async def served_by(endpoint: str) -> Description:
        return await Description.served_by(endpoint, choice.headers, timeout=choice.timeout)

    try:
        if choice.launched:
            async with choice.open() as browser:
                theirs = await served_by(browser.endpoint)
        else:
            theirs = await served_by(choice.endpoint)
    except ValueError as error:
        raise Failure(str(error), TROUBLE) from None
    ours = Description.bundled()
    lines = ours.drift(theirs)
    if as_json:
        output.write_json({"ours": ours.revision, "browser": theirs.revision, "differences": lines})
    elif lines:
        for line in (f"--- ours     {ours.revision}", f"+++ browser  {theirs.revision}", *lines):
            output.write_text(line)
    if lines:
        sys.exit(DIFFERENT)
