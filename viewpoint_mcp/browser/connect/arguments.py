"""The command line switches and preferences of a Chromium that an agent drives."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from cdp_protocol.launching.arguments import LaunchOptions, select_switches

DIRECTORY_PREFIX = "viewpoint-mcp-profile-"
"""Name prefix of the server's temporary directories."""

# Switches of every launch. None of them weakens the isolation between sites.
_COMMON_SWITCHES = (
    # Chromium must not show prompts or bubbles over the page.
    "--disable-save-password-bubble",
    "--disable-prompt-on-repost",
    "--disable-hang-monitor",
    # The agent gets reports of popups. A blocked popup would look like a button without effect.
    "--disable-popup-blocking",
    # A page behind another window must run like one in front.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    # Accept input before the first frame, and load pages again on history navigation.
    "--allow-pre-commit-input",
    "--disable-back-forward-cache",
    "--force-color-profile=srgb",
    # navigator.webdriver is false, as in a browser that a person started (decision 0056).
    "--disable-blink-features=AutomationControlled",
    "--disable-features=Translate,HttpsUpgrades,PaintHolding",
    # The popups of the address bar are pages. They need two renderer processes per window, and as
    # much time as the rest of the window.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
)
_HEADLESS_SWITCHES = (
    "--hide-scrollbars",
    "--mute-audio",
    # Without a mouse, Chromium reports "no hover, coarse pointer", and pages choose their touch
    # layout.
    "--blink-settings=primaryHoverType=2,primaryPointerType=4",
)
_WINDOWED_SWITCHES = (
    # Otherwise the browser and its contexts without a page would end with the last window.
    "--keep-alive-for-test",
    # Chromium would show a bar that warns of --disable-blink-features or --no-sandbox.
    "--test-type",
    # After a crash, Chromium would ask over a kept profile's first page whether to restore tabs.
    "--hide-crash-restore-bubble",
)
PRIVATE_NETWORK_SWITCHES = ("--disable-features=LocalNetworkAccessChecks",)
"""Switches that let scripts and frames of public pages reach this machine and its network."""

# PDFs are downloaded, because agents cannot read Chromium's PDF viewer.
_PREFERENCES: Mapping[str, object] = MappingProxyType(
    {"plugins": {"always_open_pdf_externally": True}}
)


def make_launch_options(
    executable: Path,
    *,
    headless: bool = True,
    sandbox: bool = True,
    user_data_dir: Path | None = None,
    starts_with_tab: bool = True,
    viewport: tuple[int, int] | None = None,
    by_pipe: bool = False,
    has_webmcp: bool = False,
    extra_args: tuple[str, ...] = (),
    ignored_switches: tuple[str, ...] | None = (),
    environment: Mapping[str, str] | None = None,
    timeout: float = 30.0,
) -> LaunchOptions:
    """Return the options for launching a browser of this server.

    Args:
        executable: The browser's executable, or a script that becomes it.
        headless: Whether to run without a window.
        sandbox: Whether to enable Chromium's sandbox.
        user_data_dir: The profile to use and keep; None for a temporary one.
        starts_with_tab: Whether a window opens at the start, with a tab in the browser's default
            context.
        viewport: Width and height of the first window in pixels; None for Chromium's default.
        by_pipe: Whether to use the remote debugging pipe instead of a port.
        has_webmcp: Whether pages can offer tools (`document.modelContext`).
        extra_args: Additional switches, placed last so that they override the others.
        ignored_switches: Switches of the server and of `cdp_protocol` that are left out; None for
            all that the connection does not need.
        environment: The environment of the browser; None for that of the server.
        timeout: Seconds until the debugging port must answer.
    """
    by_window = _HEADLESS_SWITCHES if headless else _WINDOWED_SWITCHES
    defaults = (
        *_COMMON_SWITCHES,
        *by_window,
        *_list_size_switches(viewport, headless=headless),
        *(("--enable-features=WebMCP",) if has_webmcp else ()),
    )
    return LaunchOptions(
        executable=executable,
        headless=headless,
        sandbox=sandbox,
        user_data_dir=user_data_dir,
        preferences=_PREFERENCES,
        prefix=DIRECTORY_PREFIX,
        start_page="about:blank" if starts_with_tab else None,
        by_pipe=by_pipe,
        args=(*select_switches(defaults, ignored_switches), *extra_args),
        ignored_switches=ignored_switches,
        environment=environment,
        timeout=timeout,
    )


def _list_size_switches(viewport: tuple[int, int] | None, *, headless: bool) -> tuple[str, ...]:
    """Return the switches for the size of the first window, and without a window of the screen.

    Without them, the screen of a headless Chromium has 800x600 pixels and is smaller than its
    window, so that pages which look at it show their form for small screens.
    """
    if viewport is None:
        return ()
    width, height = viewport
    window = f"--window-size={width},{height}"
    return (window, f"--screen-info={{{width}x{height}}}") if headless else (window,)
