"""The flags of `viewpoint start`: those of `viewpoint-mcp` that concern the browser and replies."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import click
from click.core import ParameterSource
from msgspec.structs import replace

from viewpoint_mcp import logs
from viewpoint_mcp.cli import ignored_flags
from viewpoint_mcp.cli.flag_group import FlagGroup
from viewpoint_mcp.cli.flag_option import FlagOption
from viewpoint_mcp.cli.options import FLAGS, make_settings
from viewpoint_mcp.config.flag_annotations import Heading, list_declarations
from viewpoint_mcp.config.listening import Listening
from viewpoint_mcp.config.reply_content import ImageResponses
from viewpoint_mcp.config.secrets import NO_SECRETS
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.catalog import OPTIONAL_CAPABILITIES

_IDLE_LIMIT = 3600.0  # seconds

# They have no effect here: no HTTP is served, and all capabilities are enabled.
_INEFFECTIVE = frozenset(
    {"caps", "shared_browser_context", "shell"}
    | {each.flag.parameter_name for each in list_declarations(Listening)}
)


class StartFlags(NamedTuple):
    """What the flags of `viewpoint start` choose.

    Attributes:
        idle_limit: Seconds without a command after which the server ends; None for never.
        owner_pid: The process whose end also ends the server; None for none.
    """

    settings: Settings
    idle_limit: float | None
    owner_pid: int | None


@click.group(
    cls=FlagGroup,
    subcommand_metavar="",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.pass_context
def start_command(
    context: click.Context, /, headed: bool, owner_pid: int | None, **values: Any
) -> StartFlags:
    """Start the server of this workspace with flags, before its first command.

    It runs in the background, and ends after an hour without a command (--idle-timeout).
    """
    logs.configure_logging(values["log_level"], (values["secrets"] or NO_SECRETS).mask)
    settings = make_settings(values)
    ignored_flags.warn_about_ignored_names(context)
    sources = {each: context.get_parameter_source(each) for each in values}
    for name in _INEFFECTIVE:
        if sources.get(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} has no effect on viewpoint.")
    if headed and sources["headless"] is ParameterSource.COMMANDLINE:
        raise click.UsageError("--headed contradicts --headless. Remove one of them.")
    is_headless = sources["headless"] is ParameterSource.DEFAULT or settings.headless
    idle = settings.timeouts.idle
    adapted = replace(
        settings,
        headless=is_headless and not headed,
        capabilities=frozenset(OPTIONAL_CAPABILITIES) - ignored_flags.find_disabled_capabilities(),
        listening=None,
        shared_context=False,
        keeps_profile=False,
        absolute_paths=sources["file_paths"] is ParameterSource.DEFAULT or settings.absolute_paths,
        image_responses=ImageResponses.FILE,
        # The server ends with the idle browser.
        timeouts=replace(settings.timeouts, idle=0.0),
    )
    return StartFlags(adapted, (_IDLE_LIMIT if idle is None else idle) or None, owner_pid)


def _list_flags() -> Iterator[FlagOption]:
    for each in FLAGS:
        if each.name in _INEFFECTIVE:
            each = copy.copy(each)
            each.hidden = True
        yield each
    yield FlagOption(
        "--headed", heading=Heading.BROWSER, is_flag=True, help="Run Chromium with a window."
    )
    yield FlagOption(
        "--owner-pid",
        heading=Heading.SERVER,
        type=click.IntRange(min=1),
        help="Process whose end also ends the server.",
    )


start_command.add_flags(_list_flags())


def parse_start_flags(arguments: Sequence[str]) -> StartFlags:
    """Parse the flags of `viewpoint start`, and configure the log of the process.

    Raises:
        CallError: A flag is unknown, has a wrong value, or contradicts another.
    """
    try:
        flags = start_command.main(
            list(arguments), prog_name="viewpoint start", standalone_mode=False
        )
    except click.ClickException as error:
        raise CallError(error.format_message()) from None
    assert isinstance(flags, StartFlags)
    return flags


def render_start_help() -> str:
    """Return the help of `viewpoint start`."""
    return start_command.get_help(click.Context(start_command, info_name="viewpoint start"))
