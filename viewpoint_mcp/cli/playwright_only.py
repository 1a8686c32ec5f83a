"""Flags of playwright-mcp that have no effect here.

They are accepted, so that configurations for playwright-mcp work. One warning lists them.
"""

from __future__ import annotations

import logging

import click

from viewpoint_mcp.cli.option import Option

log = logging.getLogger(__name__)

IGNORED = f"{__name__}.ignored"
"""Key in the `meta` of a click context: the flags and keys that were set without effect."""


def ignore(context: click.Context, *what: str) -> None:
    """Add flags or keys to the warning of `warn`."""
    context.meta.setdefault(IGNORED, []).extend(what)


def warn(context: click.Context) -> None:
    """Log one warning that lists the flags and keys without effect, if any were set."""
    if names := context.meta.get(IGNORED):
        log.warning("Of no meaning without Playwright, and ignored: %s.", ", ".join(names))


def _note(context: click.Context, flag: click.Parameter, value: object) -> None:
    if value:
        ignore(context, flag.opts[0])


def _ignored(name: str, *, has_value: bool) -> Option:
    return Option(
        name,
        is_flag=not has_value,
        multiple=has_value,
        type=str if has_value else bool,
        hidden=True,
        expose_value=False,
        callback=_note,
    )


PLAYWRIGHT_FLAGS: tuple[Option, ...] = (
    *(
        _ignored(name, has_value=True)
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
    *(_ignored(name, has_value=False) for name in ("--extension", "--no-webmcp", "--save-trace")),
)
