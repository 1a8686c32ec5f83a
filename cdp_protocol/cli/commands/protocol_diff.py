"""`cdp diff`: compares the protocol of a browser with the bundled description."""

from __future__ import annotations

import sys

import click

from cdp_protocol.cli import output
from cdp_protocol.cli.options.browser_options import BrowserChoice, browser_options, pass_choice
from cdp_protocol.cli.run_command import Failure, run_command

EXIT_DIFFERENT = 1
EXIT_ERROR = 2


@click.command()
@browser_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON on one line.")
@pass_choice
def diff(choice: BrowserChoice, /, *, as_json: bool) -> None:
    """Compare a browser's protocol with this library's.

    Prints what the browser adds, lacks or changes. The exit status is 0 for no difference, 1 for a
    difference and 2 for an error.
    """
    run_command(_print_differences(choice, as_json=as_json), error_status=EXIT_ERROR)


async def _print_differences(choice: BrowserChoice, *, as_json: bool) -> None:
    from cdp_protocol.description import Description

    async def fetch_browser_description(endpoint: str) -> Description:
        return await Description.served_by(endpoint, choice.headers, timeout=choice.timeout)

    try:
        if choice.should_launch:
            async with choice.open() as browser:
                browser_description = await fetch_browser_description(browser.endpoint)
        else:
            browser_description = await fetch_browser_description(choice.endpoint)
    except ValueError as error:
        raise Failure(str(error), EXIT_ERROR) from None
    bundled = Description.bundled()
    lines = bundled.drift(browser_description)
    if as_json:
        output.write_json(
            {
                "ours": bundled.revision,
                "browser": browser_description.revision,
                "differences": lines,
            }
        )
    elif lines:
        for line in (
            f"--- bundled  {bundled.revision}",
            f"+++ browser  {browser_description.revision}",
            *lines,
        ):
            output.write_text(line)
    if lines:
        sys.exit(EXIT_DIFFERENT)
