"""Selection of the Chromium executable: configured, installed by the server, or on the system."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from cdp_protocol import LaunchError
from cdp_protocol.launching import executable
from cdp_protocol.launching.executable import Channel, install_advice, is_executable
from viewpoint_mcp.browser.install.installed_browser_lookup import find_installed_browser
from viewpoint_mcp.errors import BrowserError

INSTALLABLE_CHANNELS: tuple[Channel | None, ...] = (None, "chrome", "chromium")
"""The values of --browser that an installed Chrome for Testing satisfies; None without the flag."""
EXECUTABLE_FLAG = "--executable-path"
EXECUTABLE_VARIABLES = ("VIEWPOINT_MCP_EXECUTABLE", executable.EXECUTABLE_VARIABLE)


def find_executable(
    explicit: Path | None,
    channel: Channel | None,
    environ: Mapping[str, str],
    *,
    platform: str = sys.platform,
    can_run: Callable[[str], bool] = is_executable,
) -> Path:
    """Find the browser to launch.

    Args:
        explicit: The path from --executable-path; it takes precedence over all others.
        channel: The kind of browser to look for; None for any.
        environ: May name an executable in VIEWPOINT_MCP_EXECUTABLE or CHROMIUM_PATH. Also supplies
            PATH and the location of installed browsers
            (`installed_browser_lookup.get_browsers_directory`).
        platform: As in `sys.platform`; selects the usual places.
        can_run: Returns whether a path can be executed.

    Raises:
        BrowserError: The named executable cannot be run, or none was found.
    """

    def iterate_installed_browser() -> Iterator[Path]:
        if channel not in INSTALLABLE_CHANNELS:
            return
        found = find_installed_browser(environ, platform, can_run)
        if found is not None:
            yield found

    try:
        return executable.find_executable(
            {EXECUTABLE_FLAG: explicit}
            | {name: environ.get(name) for name in EXECUTABLE_VARIABLES},
            environ,
            channel=channel,
            preferred=iterate_installed_browser(),
            platform=platform,
            can_run=can_run,
        )
    except LaunchError as error:
        hint = error.advice
        if error.cause == "no browser":
            hint = _INSTALL_HINT if channel in INSTALLABLE_CHANNELS else ""
            hint += f"{install_advice(platform)}, or name yours with {EXECUTABLE_FLAG}."
        raise BrowserError(error.sentence, hint) from error


_INSTALL_HINT = "Call browser_install to download one (in a shell: viewpoint-mcp install-browser). "
