"""Discovery of the user's running browser by the file that Chromium writes when debugging is on.

The file contains a port and a path. Discovery uses no HTTP: if the user enabled debugging at
chrome://inspect, Chromium serves none. It opens no WebSocket either, because each one makes the
browser ask its user.
"""

from __future__ import annotations

import asyncio
import ntpath
import posixpath
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

from cdp_protocol import EndpointError, endpoint_from_profile
from cdp_protocol.launching.executable import STABLE_CHANNELS, Channel
from viewpoint_mcp.errors import BrowserError

ENABLE_DEBUGGING_HINT = (
    "In Chrome 144 or newer, open chrome://inspect/#remote-debugging and allow it there. Or start "
    "the browser with --remote-debugging-port=0 and a --user-data-dir of its own, and name that "
    "directory with --user-data-dir here: since Chrome 136 the port is refused on the default "
    "profile."
)

_CONNECT_LIMIT = 2.0  # seconds

# Profile directories of normal, snap and flatpak installations.
_LINUX_PROFILES: Mapping[Channel, tuple[str, ...]] = MappingProxyType(
    {
        "chrome": (
            "{config}/google-chrome",
            "{home}/.var/app/com.google.Chrome/config/google-chrome",
        ),
        "chromium": (
            "{config}/chromium",
            "{home}/snap/chromium/common/chromium",
            "{home}/.var/app/org.chromium.Chromium/config/chromium",
        ),
        "msedge": (
            "{config}/microsoft-edge",
            "{home}/.var/app/com.microsoft.Edge/config/microsoft-edge",
        ),
        "chrome-beta": ("{config}/google-chrome-beta",),
        "chrome-dev": ("{config}/google-chrome-unstable",),
        "chrome-canary": ("{config}/google-chrome-canary",),
        "msedge-beta": ("{config}/microsoft-edge-beta",),
        "msedge-dev": ("{config}/microsoft-edge-dev",),
        "msedge-canary": ("{config}/microsoft-edge-canary",),
    }
)
_MACOS_PROFILES: Mapping[Channel, str] = MappingProxyType(
    {
        "chrome": "Google/Chrome",
        "chromium": "Chromium",
        "msedge": "Microsoft Edge",
        "chrome-beta": "Google/Chrome Beta",
        "chrome-dev": "Google/Chrome Dev",
        "chrome-canary": "Google/Chrome Canary",
        "msedge-beta": "Microsoft Edge Beta",
        "msedge-dev": "Microsoft Edge Dev",
        "msedge-canary": "Microsoft Edge Canary",
    }
)
_WINDOWS_PROFILES: Mapping[Channel, str] = MappingProxyType(
    {
        "chrome": r"Google\Chrome\User Data",
        "chromium": r"Chromium\User Data",
        "msedge": r"Microsoft\Edge\User Data",
        "chrome-beta": r"Google\Chrome Beta\User Data",
        "chrome-dev": r"Google\Chrome Dev\User Data",
        "chrome-canary": r"Google\Chrome SxS\User Data",
        "msedge-beta": r"Microsoft\Edge Beta\User Data",
        "msedge-dev": r"Microsoft\Edge Dev\User Data",
        "msedge-canary": r"Microsoft\Edge SxS\User Data",
    }
)


async def find_running_browser(
    user_data_dir: Path | None,
    channel: Channel | None,
    environ: Mapping[str, str],
    *,
    platform: str = sys.platform,
) -> str:
    """Return the WebSocket address of the user's running browser.

    Args:
        user_data_dir: The profile it runs on; None for the default profile directories.
        channel: The kind of browser to find; None for any.
        environ: Environment variables, which locate the user's directories.
        platform: As in `sys.platform`; selects the default profile directories.

    Raises:
        BrowserError: No browser with remote debugging runs; the message lists the profiles.
    """
    profiles = (
        [user_data_dir] if user_data_dir else get_default_profiles(channel, environ, platform)
    )
    refusals = []
    for profile in profiles:
        try:
            address = endpoint_from_profile(profile)
            await _raise_if_port_closed(address)
        except EndpointError as error:
            refusals.append(f"{profile}: {error.reason}")
        except OSError:
            port = urlsplit(address).port
            refusals.append(
                f"{profile}: its DevToolsActivePort names port {port}, which is closed; "
                "a browser that has ended left the file"
            )
        else:
            return address
    looked = "; ".join(refusals) or "nowhere, as there is no home directory"
    raise BrowserError(
        f"No running browser with remote debugging was found ({looked}).", ENABLE_DEBUGGING_HINT
    )


def get_default_profiles(
    channel: Channel | None, environ: Mapping[str, str], platform: str
) -> list[Path]:
    """Return the default profile directories of one kind of browser, or of all kinds in order."""
    channels = STABLE_CHANNELS if channel is None else (channel,)
    return [
        Path(profile) for each in channels for profile in _iterate_profiles(each, environ, platform)
    ]


def _iterate_profiles(channel: Channel, environ: Mapping[str, str], platform: str) -> Iterator[str]:
    home = environ.get("HOME")
    if platform == "win32":
        if local := environ.get("LOCALAPPDATA"):
            yield ntpath.join(local, _WINDOWS_PROFILES[channel])
    elif platform == "darwin":
        if home:
            yield posixpath.join(home, "Library/Application Support", _MACOS_PROFILES[channel])
    elif home:
        config = environ.get("CHROME_CONFIG_HOME") or environ.get("XDG_CONFIG_HOME")
        for profile in _LINUX_PROFILES[channel]:
            yield profile.format(home=home, config=config or f"{home}/.config")


async def _raise_if_port_closed(address: str) -> None:
    """Check that the port is open. This does not make the browser ask its user.

    Raises:
        OSError: No process listens there, or it does not accept within 2 s.
    """
    parts = urlsplit(address)
    async with asyncio.timeout(_CONNECT_LIMIT):
        _, writer = await asyncio.open_connection(parts.hostname, parts.port)
    writer.close()
