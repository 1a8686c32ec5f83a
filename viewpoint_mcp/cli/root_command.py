"""The command `viewpoint-mcp`, which serves MCP unless a sub-command is given."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import click

from viewpoint_mcp import __version__, logs
from viewpoint_mcp.cli import ignored_flags
from viewpoint_mcp.cli.doctor.doctor_command import doctor
from viewpoint_mcp.cli.flag_group import FlagGroup
from viewpoint_mcp.cli.install_browser import install_browser
from viewpoint_mcp.cli.options import FLAGS, make_settings
from viewpoint_mcp.cli.serve import serve
from viewpoint_mcp.config.secrets import NO_SECRETS
from viewpoint_mcp.errors import ViewpointError


@click.group(
    cls=FlagGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "--version", "-V")
@click.pass_context
def root_command(context: click.Context, /, **values: Any) -> None:
    """Give an AI agent a browser: an MCP server, over stdio or HTTP, that drives Chromium.

    Every flag also reads VIEWPOINT_MCP_<NAME>, and PLAYWRIGHT_MCP_<NAME> where playwright-mcp has
    the same.
    """
    logs.configure_logging(values["log_level"], (values["secrets"] or NO_SECRETS).mask)
    settings = make_settings(values)
    ignored_flags.warn_about_ignored_names(context)
    if context.invoked_subcommand is not None:
        context.obj = settings
        return
    gc.freeze()  # the garbage collector need not visit the imported objects
    try:
        asyncio.run(serve(settings))
    except ViewpointError as error:
        raise click.UsageError(str(error)) from None


root_command.add_flags(FLAGS)
root_command.add_command(install_browser)
root_command.add_command(doctor)


def main() -> None:
    """Run the command and exit the process; with status 2 if a flag is not valid."""
    root_command.main(prog_name="viewpoint-mcp")
