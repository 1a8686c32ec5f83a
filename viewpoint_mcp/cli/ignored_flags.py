"""Flags and keys of playwright-mcp that have no effect here, and those that are refused.

The former are accepted, so that configurations for playwright-mcp work; one warning lists them with
the reasons. The latter choose the browser or its identity. Without them the agent would work in
another browser, or as another user.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Any, NamedTuple

import click

from viewpoint_mcp.cli.flag_option import FlagOption
from viewpoint_mcp.errors import CallError

log = logging.getLogger(__name__)

IGNORED_NAMES = f"{__name__}.ignored"
"""Key in the `meta` of a click context: lines about flags and keys that were set without effect."""
_DISABLED_CAPABILITIES = f"{__name__}.disabled_capabilities"


class Ignored(NamedTuple):
    """Why a flag or key has no effect.

    Attributes:
        reason: The reason, and what to use instead, as sentences.
        values_in_force: The values that describe what the server does anyway.
        disables: The capability that a value in force disables, even if --caps enables it.
    """

    reason: str
    values_in_force: tuple[Any, ...] = (False,)
    disables: str = ""


_INIT_PAGE = Ignored(
    "It runs in Node.js with a page of Playwright, and this server has neither. --init-script "
    "runs JavaScript in each page."
)
_OUTPUT_MODE = Ignored("Use --snapshot-mode file to save snapshots in files.")
_NO_RECORDING = "Nothing is recorded without a request."
_NO_VIDEO = Ignored(f"{_NO_RECORDING} Use browser_start_video (--caps devtools).")
_LOGGER = Ignored("It is an object of JavaScript, which JSON does not have. Use --log-level.")
_SIGNAL = Ignored("The browser always ends with the server.", (True,))
_SAVED_FILES = Ignored("The server saves all its files in --output-dir.")

IGNORED_KEYS: Mapping[str, Ignored] = MappingProxyType(
    {
        "browser.initPage": _INIT_PAGE,
        "browser.launchOptions.artifactsDir": _SAVED_FILES,
        "browser.launchOptions.devtools": Ignored(
            "Add --auto-open-devtools-for-tabs to args instead."
        ),
        "browser.launchOptions.firefoxUserPrefs": Ignored("It is for Firefox only."),
        "browser.launchOptions.handleSIGHUP": _SIGNAL,
        "browser.launchOptions.handleSIGINT": _SIGNAL,
        "browser.launchOptions.handleSIGTERM": _SIGNAL,
        "browser.launchOptions.logger": _LOGGER,
        "browser.launchOptions.slowMo": Ignored(
            "An agent needs no pauses to see the effect of an action: each reply waits for it.",
            (0,),
        ),
        "browser.launchOptions.tracesDir": _SAVED_FILES,
        "browser.contextOptions.baseURL": Ignored(
            "Tools take complete URLs, as browser_navigate of playwright-mcp does."
        ),
        "browser.contextOptions.logger": _LOGGER,
        "browser.contextOptions.recordHar": Ignored(
            "browser_network_export_har (--caps network) writes a HAR file on request."
        ),
        "browser.contextOptions.recordVideo": _NO_VIDEO,
        "browser.contextOptions.strictSelectors": Ignored(
            "The target of an action must always match one element only.", (True, False)
        ),
        "webmcp": Ignored(
            "--caps webmcp enables the tools that call what pages offer.", disables="webmcp"
        ),
        "saveTrace": Ignored(f"{_NO_RECORDING} Use browser_start_tracing (--caps devtools)."),
        "saveVideo": _NO_VIDEO,
        "outputMode": _OUTPUT_MODE,
    }
)
"""Keys of the configuration file that have no effect."""

_IGNORED_FLAGS: Mapping[str, Ignored] = MappingProxyType(
    {
        "--init-page": _INIT_PAGE,
        "--no-webmcp": Ignored("", (True,), disables="webmcp"),
        "--output-mode": _OUTPUT_MODE,
        "--profile-dir-name": Ignored(
            "It chooses a profile for the extension of Playwright. With a directory of profiles "
            "in --user-data-dir, use --browser-arg=--profile-directory=NAME."
        ),
        "--save-trace": IGNORED_KEYS["saveTrace"],
        "--save-video": IGNORED_KEYS["saveVideo"],
    }
)
_FLAGS_WITHOUT_VALUE = ("--extension", "--no-webmcp", "--save-trace")

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


def record_ignored_name(context: click.Context, name: str, ignored: Ignored, value: object) -> None:
    """Add a flag or key to the warning of `warn_about_ignored_names`, unless its value is in force.

    Args:
        name: The name, with its place.
        value: The value that it is set to.
    """
    if value in ignored.values_in_force:
        if ignored.disables:
            context.meta.setdefault(_DISABLED_CAPABILITIES, set()).add(ignored.disables)
    else:
        context.meta.setdefault(IGNORED_NAMES, []).append(f"\n  {name}: {ignored.reason}")


def find_disabled_capabilities() -> AbstractSet[str]:
    """Return the capabilities that flags or keys of playwright-mcp disable in this command line."""
    context = click.get_current_context(silent=True)
    disabled: set[str] = context.meta.get(_DISABLED_CAPABILITIES, set()) if context else set()
    return disabled


def warn_about_ignored_names(context: click.Context) -> None:
    """Log one warning about the flags and keys without effect, if any were set."""
    if lines := context.meta.get(IGNORED_NAMES):
        log.warning("Ignored, because it has no effect here:%s", "".join(lines))


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
        name = flag.opts[0]
        record_ignored_name(context, name, _IGNORED_FLAGS[name], value)


def _make_ignored_flag(name: str) -> FlagOption:
    has_value = name not in _FLAGS_WITHOUT_VALUE
    return FlagOption(
        name,
        is_flag=not has_value,
        multiple=has_value,
        type=str if has_value else bool,
        hidden=True,
        expose_value=False,
        callback=_refuse_flag if name in _REFUSED else _record_ignored_flag,
    )


IGNORED_FLAGS: tuple[FlagOption, ...] = tuple(
    _make_ignored_flag(name) for name in ("--endpoint", "--extension", *_IGNORED_FLAGS)
)
"""The flags that have no effect, and those that are refused."""
