"""Flags of playwright-mcp that have no effect here.

They are accepted, so that configurations for playwright-mcp work. One warning lists them.
"""

from __future__ import annotations

import logging

import click

from viewpoint_mcp.cli.flag_option import FlagOption

log = logging.getLogger(__name__)

IGNORED_NAMES = f"{__name__}.ignored"
"""Key in the `meta` of a click context: the flags and keys that were set without effect."""


def record_ignored_names(context: click.Context, *names: str) -> None:
    """Add flags or keys to the warning of `warn_about_ignored`."""
    context.meta.setdefault(IGNORED_NAMES, []).extend(names)


def warn_about_ignored_names(context: click.Context) -> None:
    """Log one warning that lists the flags and keys without effect, if any were set."""
    if names := context.meta.get(IGNORED_NAMES):
        log.warning("Ignored, because they need Playwright: %s.", ", ".join(names))


def _record_ignored_flag(context: click.Context, flag: click.Parameter, value: object) -> None:
    if value:
        record_ignored_names(context, flag.opts[0])


def _make_ignored_flag(name: str, *, has_value: bool) -> FlagOption:
    return FlagOption(
        name,
        is_flag=not has_value,
        multiple=has_value,
        type=str if has_value else bool,
        hidden=True,
        expose_value=False,
        callback=_record_ignored_flag,
    )


IGNORED_FLAGS: tuple[FlagOption, ...] = (
    *(
        _make_ignored_flag(name, has_value=True)
        for name in (
            "--codegen",
            "--endpoint",
            "--init-page",
            "--output-mode",
            "--profile-dir-name",
            "--save-video",
            "--test-id-attribute",
        )
    ),
    *(
        _make_ignored_flag(name, has_value=False)
        for name in ("--extension", "--no-webmcp", "--save-trace")
    ),
)
