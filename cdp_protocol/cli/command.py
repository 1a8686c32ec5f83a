"""`cdp`: the group of all commands. Each is imported when it is asked for."""

from __future__ import annotations

import click

from cdp_protocol.cli.browser_options import group_options
from cdp_protocol.cli.lazy import LazyGroup

COMMANDS = {
    "targets": "cdp_protocol.cli.targets:targets",
}


@click.group(
    cls=LazyGroup,
    commands=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@group_options
def command() -> None:
    """Speak the Chrome DevTools Protocol with a browser."""


def main() -> None:
    """Run the command; exits with 1 when something failed, 2 when it was called wrongly."""
    command.main(prog_name="cdp")
