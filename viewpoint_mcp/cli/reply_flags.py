"""The flags that say what is offered to the agent, what replies show, and where files go."""

from __future__ import annotations

import re
import typing
from collections.abc import Mapping
from pathlib import Path

import click

from viewpoint_mcp.cli.capabilities import OPTIONAL, read_capabilities
from viewpoint_mcp.cli.group import Declaration
from viewpoint_mcp.cli.option import ABSOLUTE, option, read_with
from viewpoint_mcp.config.secrets import NO_SECRETS, Secrets
from viewpoint_mcp.config.settings import ConsoleLevel, ImageResponses, SnapshotMode
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.catalog import TOOLS
from viewpoint_mcp.tools.core.selection import read_selection


def _bytes(text: str) -> int:
    found = re.fullmatch(r"\s*(\d{1,15})\s*([kmg]?)b?\s*", text, re.IGNORECASE | re.ASCII)
    size = int(found[1]) * 1024 ** " kmg".index(found[2].lower() or " ") if found else 0
    if not size:
        raise CallError(f'"{text}" is no size.', "Give bytes, or such as 500k, 20M or 1G.")
    return size


def read_secrets(
    _context: click.Context, _flag: click.Parameter, given: str | Mapping[str, object] | None
) -> Secrets:
    """Read a dotenv file, or take what a configuration file has."""
    if given is None:
        return NO_SECRETS
    if isinstance(given, Mapping):
        if any(isinstance(value, (dict, list)) for value in given.values()):
            raise TypeError
        found = Secrets({name: str(value) for name, value in given.items() if value is not None})
    else:
        try:
            found = Secrets.parse(Path(given).read_text(encoding="utf-8-sig"))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise click.BadParameter(f"{given} cannot be used: {reason}.") from None
    return found


REPLY_FLAGS: tuple[Declaration, ...] = (
    option(
        "--caps",
        callback=read_with(read_capabilities),
        metavar="NAME,...",
        multiple=True,
        help=f"Further tools to offer: {', '.join(OPTIONAL)}.",
    ),
    option(
        "--tools",
        callback=read_with(lambda texts: read_selection(texts, TOOLS)),
        metavar="NAME,...",
        multiple=True,
        help="Tools to offer: all, slim (what most tasks take), readonly, names such as "
        "browser_context_*, and with - before it what to leave out. [all]",
    ),
    option(
        "--snapshot-mode",
        type=click.Choice([mode.value for mode in SnapshotMode]),
        default=SnapshotMode.DIFF.value,
        help="What replies to actions show of the page: what changed, all of it, the name of a "
        "file that has it, or nothing. [diff]",
    ),
    option(
        "--snapshot-budget",
        type=click.IntRange(min=1000),
        default=40_000,
        help="Most characters of a snapshot in a reply. [40000]",
    ),
    option(
        "--snapshot-boxes",
        is_flag=True,
        help="Tell each element's box in snapshots: [box=x,y,width,height] in CSS pixels.",
    ),
    option(
        "--console-level",
        type=click.Choice(typing.get_args(ConsoleLevel)),
        default="info",
        help="What browser_console_messages tells if it is not said: this and what is worse. "
        "[info]",
    ),
    option(
        "--secrets",
        also_read=["PLAYWRIGHT_MCP_SECRETS_FILE"],
        type=click.UNPROCESSED,
        callback=read_secrets,
        metavar="FILE",
        help="File of NAME=VALUE lines. The agent types a value by its name, and is shown "
        "<secret>NAME</secret> for it.",
    ),
    option(
        "--image-responses",
        type=click.Choice([*(mode.value for mode in ImageResponses), "allow"]),
        default=ImageResponses.FILE.value,
        help="What the reply to a screenshot brings beside the file: its name, the image as well "
        "(inline; allow means the same), the image alone (only), or neither (omit). [file]",
    ),
)

FILE_FLAGS: tuple[Declaration, ...] = (
    option(
        "--screenshot-dir",
        type=ABSOLUTE,
        default=".viewpoint-mcp-screenshots",
        help="Where screenshots go. [.viewpoint-mcp-screenshots]",
    ),
    option(
        "--output-dir",
        type=ABSOLUTE,
        default=".viewpoint-mcp",
        help="Where other files go. [.viewpoint-mcp]",
    ),
    option(
        "--output-max-size",
        callback=read_with(_bytes),
        metavar="BYTES",
        help="Most bytes of the files that the server wrote to these two directories, or as 500k, "
        "20M, 1G; the oldest go when they are more. [no limit]",
    ),
    option(
        "--allow-dir",
        type=click.Path(path_type=Path, resolve_path=True, exists=True, file_okay=False),
        metavar="PATH",
        multiple=True,
        help="Directory, beside the working directory, whose files pages may be given; may be "
        "repeated.",
    ),
    option(
        "--allow-unrestricted-file-access",
        is_flag=True,
        help="Open file: URLs, read and write files anywhere.",
    ),
    option(
        "--file-paths",
        type=click.Choice(["relative", "absolute"]),
        default="relative",
        help="How replies name files: relative to the working directory, or absolute. [relative]",
    ),
    option(
        "--save-session",
        is_flag=True,
        help="Write each call and its reply to session-TIME.md in the output directory.",
    ),
)
