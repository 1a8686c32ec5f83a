"""All flags of the command, and the creation of the settings from them."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from viewpoint_mcp.cli.capabilities import describe_unknown_capabilities
from viewpoint_mcp.cli.config_file import make_config_callback
from viewpoint_mcp.cli.flag_checks import FLAG_CHECKS
from viewpoint_mcp.cli.flag_option import FlagOption, make_option
from viewpoint_mcp.cli.ignored_flags import IGNORED_FLAGS, find_disabled_capabilities
from viewpoint_mcp.config import settings_builder
from viewpoint_mcp.config.flag_annotations import Heading, list_declarations
from viewpoint_mcp.config.listening import Listening, raise_if_accessible_without_key
from viewpoint_mcp.config.secrets import Secrets
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.catalog import OPTIONAL_CAPABILITIES, offered_tools

log = logging.getLogger(__name__)

_DECLARATIONS = list_declarations(Settings)

# Flags of the command itself, which set no field of the settings.
_COMMAND_FLAGS = (
    FlagOption(
        "--config",
        heading=Heading.SERVER,
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        callback=make_config_callback(_DECLARATIONS),
        is_eager=True,
        expose_value=False,
        metavar="FILE",
        help="JSON file with playwright-mcp's keys. Flags and the environment override it.",
    ),
    FlagOption(
        "--log-level",
        heading=Heading.SERVER,
        type=click.Choice(["debug", "info", "warning", "error"]),
        default="warning",
        help="Minimum level of log messages on stderr. [warning]",
    ),
)


FLAGS: Sequence[FlagOption] = (
    *(make_option(each, FLAG_CHECKS.get(each.flag.name)) for each in _DECLARATIONS),
    *_COMMAND_FLAGS,
    *IGNORED_FLAGS,
)
"""All flags, in the order of the help."""


def make_settings(values: Mapping[str, Any]) -> Settings:
    """Return the settings for the values of FLAGS, and log a warning for values without effect.

    Args:
        values: Values of the flags by parameter name.

    Raises:
        click.UsageError: Flags contradict each other.
    """
    capabilities = frozenset(values["caps"]) - find_disabled_capabilities()
    _raise_if_no_tool_is_offered(capabilities, values["tools"])
    try:
        settings = settings_builder.build_settings(
            {**values, "caps": capabilities.intersection(OPTIONAL_CAPABILITIES)}
        )
        _warn_about_ineffective_values(values["caps"], settings.secrets)
        if settings.listening is None:
            _check_http_flags_without_port()
        else:
            _raise_if_listening_is_unsafe(settings.listening)
    except CallError as error:
        raise click.UsageError(str(error)) from None
    return settings


def _raise_if_no_tool_is_offered(capabilities: frozenset[str], selection: Sequence[str]) -> None:
    if not offered_tools(capabilities, selection):
        raise click.UsageError(
            "--tools selects no tool. Select others, or enable the selected ones with --caps "
            f"({', '.join(OPTIONAL_CAPABILITIES)})."
        )


def _warn_about_ineffective_values(capabilities: Sequence[str], secrets: Secrets) -> None:
    if sentence := describe_unknown_capabilities(capabilities):
        log.warning("--caps: %s", sentence)
    if short := secrets.unmaskable_names:
        log.warning("--secrets: %s can be typed, but are too short to mask.", ", ".join(short))


def _raise_if_listening_is_unsafe(listening: Listening) -> None:
    if listening.key and not listening.asks_for_key:
        raise CallError("--no-auth contradicts --api-key. Remove one of them.")
    raise_if_accessible_without_key(listening)


def _check_http_flags_without_port() -> None:
    """Check the flags of HTTP on the command line, if it has no --port.

    Flags of playwright-mcp are only logged, because its clients have them in configurations for
    stdio. In the environment or in a configuration file all these flags are ignored, because they
    may be meant for starts with --port.

    Raises:
        CallError: The command line has another such flag.
    """
    context = click.get_current_context(silent=True)
    for each in list_declarations(Listening):
        name = each.flag.parameter_name
        source = context and context.get_parameter_source(name)
        if source is ParameterSource.COMMANDLINE and name != "port":
            message = f"{each.flag.name} has an effect only over HTTP. Add --port."
            if name not in ("host", "allowed_hosts"):
                raise CallError(message)
            log.warning(message)
