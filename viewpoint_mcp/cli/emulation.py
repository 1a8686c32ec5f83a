"""The flags of emulation, and what they mean."""

from __future__ import annotations

import typing
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from viewpoint_mcp.cli.option import option, read_with
from viewpoint_mcp.config import emulation as words
from viewpoint_mcp.config.devices import device
from viewpoint_mcp.config.settings import ColorScheme, Emulation

_GENERIC_PHONE = "Pixel 10"


def read_scripts(
    _context: click.Context, _option: click.Parameter, paths: Sequence[Path]
) -> tuple[str, ...]:
    """Read the files of init scripts."""
    try:
        return tuple(path.read_text(encoding="utf-8") for path in paths)
    except (OSError, UnicodeDecodeError) as error:
        raise click.BadParameter(f"It could not be read: {error}") from error


EMULATION_FLAGS: tuple[Callable[[Any], Any], ...] = (
    option(
        "--viewport-size",
        callback=read_with(words.size),
        metavar="WxH",
        help="Viewport in CSS pixels, such as 1280x720.",
    ),
    option(
        "--device",
        callback=read_with(device),
        metavar="NAME",
        help='Device to emulate, such as "iPhone 15" or "Pixel 7 landscape".',
    ),
    option("--mobile", is_flag=True, help=f"The same as --device '{_GENERIC_PHONE}'."),
    option("--user-agent", metavar="TEXT", help="User agent; its client hints go with it."),
    option(
        "--locale",
        callback=read_with(words.locale),
        metavar="TAG",
        help="Locale and language of pages, such as de-DE.",
    ),
    option(
        "--timezone",
        callback=read_with(words.time_zone),
        metavar="NAME",
        help="Time zone of pages, such as Europe/Berlin.",
    ),
    option(
        "--geolocation",
        callback=read_with(words.geolocation),
        metavar="LAT,LON[,ACCURACY]",
        help="Where pages are told to be, in degrees and metres; they may ask for it then.",
    ),
    option(
        "--grant-permissions",
        callback=read_with(words.permissions),
        metavar="NAME,...",
        multiple=True,
        help='Permissions that pages have, such as "clipboard-read,notifications".',
    ),
    option(
        "--color-scheme",
        type=click.Choice(typing.get_args(ColorScheme)),
        help="Color scheme that pages are told to prefer.",
    ),
    option("--offline", is_flag=True, help="Let pages have no network."),
    option("--ignore-https-errors", is_flag=True, help="Accept certificates that are not valid."),
    option("--block-service-workers", is_flag=True, help="Let no page register a service worker."),
    option(
        "--init-script",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        callback=read_scripts,
        metavar="PATH",
        multiple=True,
        help="JavaScript to run in every page and frame before its own scripts; may be repeated.",
    ),
)


def emulation_of(values: dict[str, Any]) -> Emulation:
    """Make of what click parsed what is emulated; what is said itself wins over the device.

    Args:
        values: By the flags' names, with underscores.
    """
    told = words.over_device(
        values["device"] or (device(_GENERIC_PHONE) if values["mobile"] else {}),
        viewport=values["viewport_size"],
        user_agent=values["user_agent"],
        locale=values["locale"],
        time_zone=values["timezone"],
        geolocation=values["geolocation"],
        permissions=values["grant_permissions"],
        color_scheme=values["color_scheme"],
        offline=values["offline"],
        ignore_https_errors=values["ignore_https_errors"],
        block_service_workers=values["block_service_workers"],
        init_scripts=values["init_script"],
    )
    return Emulation(**told)
