"""Which Chromium to run: the one that was named, the one that we installed, or the first in the
usual places.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from cdp_protocol import LaunchError
from cdp_protocol.launching import executable
from cdp_protocol.launching.executable import Channel, how_to_install, is_executable
from viewpoint_mcp.browser.install.places import find_installed
from viewpoint_mcp.errors import BrowserError

FLAG = "--executable-path"
VARIABLES = ("VIEWPOINT_MCP_EXECUTABLE", executable.VARIABLE)


def find_executable(
    explicit: Path | None,
    channel: Channel | None,
    environ: Mapping[str, str],
    *,
    platform: str = sys.platform,
    runs: Callable[[str], bool] = is_executable,
) -> Path:
    """Find the browser to launch.

    Args:
        explicit: The one named by --executable-path; it counts before all others.
        channel: The kind of browser to look for; None for any.
        environ: Names one in VIEWPOINT_MCP_EXECUTABLE or CHROMIUM_PATH, and has PATH and what tells
            where ours is (`install.places.directory`).
        platform: As in `sys.platform`; decides what the usual places are.
        runs: Tells whether a path can be executed.

    Raises:
        BrowserError: The one named cannot be run, or there is none in the usual places.
    """

    def ours() -> Iterator[Path]:
        found = None if channel == "msedge" else find_installed(environ, platform, runs)
        if found is not None:
            yield found

    try:
        return executable.find_executable(
            {FLAG: explicit} | {name: environ.get(name) for name in VARIABLES},
            environ,
            channel=channel,
            rather=ours(),
            platform=platform,
            runs=runs,
        )
    except LaunchError as error:
        hint = error.advice
        if error.cause == "no browser":
            hint = f"{_DOWNLOAD if channel != 'msedge' else ''}{how_to_install(platform)}, or name "
            hint += f"yours with {FLAG}."
        raise BrowserError(f"{error.what} {error.reason}.", hint) from error


_DOWNLOAD = "Have one downloaded by browser_install (in a shell: viewpoint-mcp install-browser). "
