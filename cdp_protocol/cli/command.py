"""`cdp`: the group of all commands. A command is imported when it is used."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from cdp_protocol.cli.lazy_group import LazyGroup
from cdp_protocol.cli.options.browser_options import browser_options_for_group

COMMAND_PATHS = {
    "targets": "cdp_protocol.cli.commands.targets:targets",
    "send": "cdp_protocol.cli.commands.send:send",
    "listen": "cdp_protocol.cli.commands.listen:listen",
    "record": "cdp_protocol.cli.commands.record_replay:record",
    "replay": "cdp_protocol.cli.commands.record_replay:replay",
    "show": "cdp_protocol.cli.commands.show_recording:show",
    "diff": "cdp_protocol.cli.commands.protocol_diff:diff",
    "repl": "cdp_protocol.cli.repl.repl_command:repl",
    "help": "cdp_protocol.cli.commands.protocol_help:help_command",
}


@click.group(
    cls=LazyGroup,
    commands=COMMAND_PATHS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@browser_options_for_group
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _option, is_wanted: _print_version(context) if is_wanted else None,
    help="Show the protocol revision of this library.",
)
def cdp() -> None:
    """Use the Chrome DevTools Protocol from a shell."""


def _print_version(context: click.Context) -> None:
    from cdp_protocol.description import Description

    click.echo(f"cdp, with the protocol of {Description.bundled().revision}")
    context.exit()


def main() -> None:
    """Run the command line. The exit status is 1 after a failure and 2 after wrong usage."""
    for name, mode in (("stdin", "r"), ("stdout", "w")):
        if getattr(sys, name) is None:  # The parent process closed it, as with `>&-`.
            null_device = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - to the end
            setattr(sys, name, null_device)
    cdp.main(prog_name="cdp")
