"""Flags and keys of playwright-mcp that have no effect here, and those that are refused.

The former are accepted, so that configurations for playwright-mcp work; one warning lists them. The
latter choose the browser or its identity. Without them the agent would work in another browser, or
as another user.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from types import MappingProxyType

import click

from viewpoint_mcp.cli.flag_option import FlagOption
from viewpoint_mcp.errors import CallError

log = logging.getLogger(__name__)

IGNORED_NAMES = f"{__name__}.ignored"
"""Key in the `meta` of a click context: the flags and keys that were set without effect."""


def record_ignored_names(context: click.Context, *names: str) -> None:
    """Add flags or keys to the warning of `warn_about_ignored`."""
    context.meta.setdefault(IGNORED_NAMES, []).extend(names)


def warn_about_ignored_names(context: click.Context) -> None:
    """Log one warning that lists the flags and keys without effect, if any were set."""
    if names := context.meta.get(IGNORED_NAMES):
        log.warning("Ignored, because this server does not support them: %s.", ", ".join(names))


def raise_if_refused(name: str, value: object) -> None:
    """Refuse a flag or a key of the configuration file without which the agent would go wrong.

    Raises:
        CallError: The flag or key is one of these, and is set. The message names what to use here.
    """
    if value and (advice := _REFUSED.get(name)):
        raise CallError(f"{name} {advice}")


def _refuse_flag(_context: click.Context, flag: click.Parameter, value: object) -> None:
    try:
        raise_if_refused(flag.opts[0], value)
    except CallError as error:
        raise click.UsageError(str(error)) from None


def _record_ignored_flag(context: click.Context, flag: click.Parameter, value: object) -> None:
    if value:
        record_ignored_names(context, flag.opts[0])


_EXTENSION_ADVICE = (
    "needs the browser extension of Playwright. Use --auto-connect instead: it attaches to your "
    "running Chrome or Edge with its tabs and logins, without an extension."
)
_ENDPOINT_ADVICE = (
    "needs a server of Playwright. Use --cdp-endpoint instead, with the debugging address of a "
    "running browser."
)
_REFUSED: Mapping[str, str] = MappingProxyType(
    {
        "--extension": _EXTENSION_ADVICE,
        "extension": _EXTENSION_ADVICE,
        "--endpoint": _ENDPOINT_ADVICE,
        "browser.remoteEndpoint": _ENDPOINT_ADVICE,
        "browser.contextOptions.clientCertificates": (
            "cannot be used: the DevTools protocol has no command that gives Chromium a client "
            "certificate. Install the certificate in the certificate store that Chromium uses, and "
            "remove the key."
        ),
    }
)
"""Flags and keys that are refused, and the rest of a sentence that begins with their name."""


def _make_ignored_flag(name: str, *, has_value: bool) -> FlagOption:
    is_refused = name in _REFUSED
    return FlagOption(
        name,
        is_flag=not has_value,
        multiple=has_value,
        type=str if has_value else bool,
        hidden=True,
        expose_value=False,
        callback=_refuse_flag if is_refused else _record_ignored_flag,
    )


IGNORED_FLAGS: tuple[FlagOption, ...] = (
    *(
        _make_ignored_flag(name, has_value=True)
        for name in (
            "--endpoint",
            "--init-page",
            "--output-mode",
            "--profile-dir-name",
            "--save-video",
        )
    ),
    *(
        _make_ignored_flag(name, has_value=False)
        for name in ("--extension", "--no-webmcp", "--save-trace")
    ),
)
