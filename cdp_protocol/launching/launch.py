"""`launch`: starts a Chromium that ends with its session or with this program.

`process` manages the process. That module and the others are imported when a browser is launched.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cdp_protocol.awaitable_opening import Opening
from cdp_protocol.browser import Browser
from cdp_protocol.errors import CdpError, LaunchError

if TYPE_CHECKING:
    from cdp_protocol.launching.arguments import LaunchOptions
    from cdp_protocol.launching.executable import Channel

log = logging.getLogger(__name__)


def launch(
    executable: str | Path | None = None,
    *,
    channel: Channel | None = None,
    headless: bool = True,
    user_data_dir: str | Path | None = None,
    preferences: Mapping[str, object] | None = None,
    start_page: str | None = "about:blank",
    args: Sequence[str] = (),
    background_networking: bool = False,
    sandbox: bool | None = None,
    by_pipe: bool = False,
    timeout: float = 30.0,
) -> Opening[Browser]:
    """Start a Chromium and connect to it.

    `await` the result to get the browser. Or use it in `async with`, which ends the browser at the
    end of the block:

        async with cdp_protocol.launch() as browser:
            print(browser.process.pid, (await browser.Browser.getVersion())["product"])

    Closing the browser ends its process with all children, and removes a temporary profile. The
    same happens if the launch or the block is cancelled, for example by Ctrl+C. If this program is
    killed, the browser exits by itself, and the next launch removes the temporary profile.

    Args:
        executable: The browser, as a path or a command. If None, the environment variable
            `CHROMIUM_PATH` names it. Without the variable, the first of Chrome, Chromium and Edge
            in the usual places is used.
        channel: The browser to look for: "chrome", "chromium" or "msedge"; "chrome-beta", "-dev" or
            "-canary"; "msedge-beta", "-dev" or "-canary".
        headless: Whether to run without a window.
        user_data_dir: The profile directory to use and keep; created if missing. None for a
            temporary profile. Chrome refuses remote debugging on its default profile.
        preferences: Initial content of the file `Preferences` in a temporary profile:
            `{"plugins": {"always_open_pdf_externally": True}}`. Not allowed with `user_data_dir`.
        start_page: The URL of the first tab; None for a browser with no tab and no window.
        args: Additional switches for Chromium, which override the built-in switches. The features
            of all `--enable-features`, of all `--disable-features` and of all
            `--disable-blink-features` switches are merged.
        background_networking: Whether the browser may send requests that no page causes: component
            updates, synchronisation, optimization hints.
        sandbox: Whether to enable Chromium's sandbox. None enables it where it can work: not for
            root, and not in a container without user namespaces. There, None logs a warning and
            False does not.
        by_pipe: Whether to use a pipe and open no port, which other users of this machine could
            reach. No other client can connect then. Not available on Windows.
        timeout: Limit in seconds for the start, and the default limit of each call.

    Raises:
        LaunchError: No browser was found, it did not start, or its profile is in use. The error
            contains the last lines of the browser's stderr.
        TypeError, ValueError: An argument is invalid, or is not allowed with another argument.

    Source: https://chromium.googlesource.com/chromium/src/+/main/docs/user_data_dir.md,
    chrome/common/chrome_switches.cc.
    """
    _check_launch_arguments(args, channel, user_data_dir, preferences)

    async def open_browser() -> Browser:
        if by_pipe and sys.platform == "win32":
            what, reason = "The browser", "cannot use a pipe on Windows"
            raise LaunchError(what, reason, advice="Omit by_pipe.")
        from cdp_protocol.launching.arguments import LaunchOptions

        path, use_sandbox = await asyncio.to_thread(
            _find_executable_and_sandbox, executable, channel, sandbox
        )
        options = LaunchOptions(
            executable=path,
            headless=headless,
            sandbox=use_sandbox,
            user_data_dir=None if user_data_dir is None else Path(user_data_dir),
            preferences=preferences,
            start_page=start_page,
            by_pipe=by_pipe,
            background_networking=background_networking,
            args=tuple(args),
            timeout=timeout,
        )
        return await _launch_and_connect(options)

    return Opening(open_browser)


def _check_launch_arguments(
    args: object, channel: str | None, user_data_dir: object, preferences: object
) -> None:
    if isinstance(args, str):
        raise TypeError(f"args must be a list of switches: args=[{args!r}].")
    if preferences is not None and user_data_dir is not None:
        raise ValueError(
            "preferences are for a temporary profile. Omit them, or omit user_data_dir: a named"
            " profile keeps its own preferences."
        )
    if channel is not None:
        from cdp_protocol.launching.executable import CHANNELS

        if channel not in CHANNELS:
            channels = ", ".join(map(repr, CHANNELS))
            raise ValueError(f"The channel {channel!r} does not exist. Use one of {channels}.")


async def _launch_and_connect(options: LaunchOptions) -> Browser:
    from cdp_protocol.launching.launch_failure_diagnosis import make_connect_error
    from cdp_protocol.launching.process import BrowserProcess

    process = await BrowserProcess.launch(options)
    try:
        connection = await process.connect(options.timeout)
    except BaseException as error:
        await process.close(grace=0)
        if isinstance(error, CdpError):
            executable = str(options.executable)
            raise make_connect_error(executable, error, process.stderr_tail) from error
        raise
    connection.root.process = process
    return connection.root


def _find_executable_and_sandbox(
    executable: str | Path | None, channel: Channel | None, sandbox: bool | None
) -> tuple[Path, bool]:
    """Find the executable, remove leftover temporary profiles, and decide about the sandbox.

    The caller runs it in a thread, because it waits for the disk and for another program.
    """
    from cdp_protocol.launching.executable import EXECUTABLE_VARIABLE, find_executable
    from cdp_protocol.launching.machine_capabilities import sandbox_unusable_reason
    from cdp_protocol.launching.temporary_profile import PROFILE_PREFIX, remove_leftover_profiles

    named = {"executable": executable, EXECUTABLE_VARIABLE: os.environ.get(EXECUTABLE_VARIABLE)}
    path = find_executable(named, os.environ, channel=channel)
    remove_leftover_profiles(PROFILE_PREFIX)
    if sandbox is None:
        problem = sandbox_unusable_reason()
        if problem is not None:
            log.warning("Chromium runs without its sandbox: %s.", problem)
        sandbox = problem is None
    return path, sandbox
