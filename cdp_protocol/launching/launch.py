"""`launch`: a browser for as long as a program wants one.

Its process is the business of `process`; that and all else is imported when a browser is launched.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cdp_protocol.browser import Browser
from cdp_protocol.errors import CdpError, LaunchError
from cdp_protocol.opening import Opening

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
    """Start a Chromium: `await` it, or `async with` it to have it ended again.

        async with cdp_protocol.launch() as browser:
            print(browser.process.pid, (await browser.Browser.getVersion())["product"])

    When it is closed, the process and all its children end and a temporary profile is removed; so
    it is when the launch or the block is cancelled, by Ctrl-C for instance. When this program is
    killed, the browser ends by itself, and the next launch removes the temporary profile.

    Args:
        executable: The browser, as a path or a command. When None, the environment variable
            `CHROMIUM_PATH` names it, or else it is the first that is found of Chrome, Chromium and
            Edge in the usual places.
        channel: Which of these three to look for: "chrome", "chromium" or "msedge".
        headless: Without a window.
        user_data_dir: The profile to use and keep, made if it is not there; None for a temporary
            one. Chrome refuses to be debugged on the profile that it uses by default.
        preferences: What a temporary profile begins with, as its file `Preferences` has it:
            `{"plugins": {"always_open_pdf_externally": True}}`. Not with `user_data_dir`.
        start_page: The URL of the first tab; None for a browser with no tab and no window.
        args: Further switches of Chromium's command line, which win over ours; the features of
            all `--disable-features` are joined.
        background_networking: Whether the browser may have traffic of its own: updates of
            components, synchronization, hints.
        sandbox: Whether Chromium's sandbox is on. When None, it is if it can be: not for root, nor
            in a container that allows no user namespaces; then the log warns of it, which False
            spares.
        by_pipe: Speak over a pipe and open no port, which other users of this machine could reach;
            then no other client can join in. Not on Windows.
        timeout: Seconds that the start, and later a call, may take.

    Raises:
        LaunchError: No browser is found, it does not start, its profile is in use; the error has
            its last words.
        TypeError, ValueError: An argument is none, or does not go with another.

    Source: https://chromium.googlesource.com/chromium/src/+/main/docs/user_data_dir.md,
    chrome/common/chrome_switches.cc.
    """
    _check(args, channel, user_data_dir, preferences)

    async def opened() -> Browser:
        if by_pipe and sys.platform == "win32":
            what, reason = "A browser", "cannot be spoken to by a pipe on Windows"
            raise LaunchError(what, reason, advice="Leave by_pipe out.")
        from cdp_protocol.launching.arguments import LaunchOptions

        path, with_sandbox = await asyncio.to_thread(_prepare, executable, channel, sandbox)
        options = LaunchOptions(
            executable=path,
            headless=headless,
            sandbox=with_sandbox,
            user_data_dir=None if user_data_dir is None else Path(user_data_dir),
            preferences=preferences,
            start_page=start_page,
            by_pipe=by_pipe,
            background_networking=background_networking,
            args=tuple(args),
            timeout=timeout,
        )
        return await _started(options)

    return Opening(opened)


def _check(args: object, channel: str | None, user_data_dir: object, preferences: object) -> None:
    if isinstance(args, str):
        raise TypeError(f"args is a list of switches: args=[{args!r}].")
    if preferences is not None and user_data_dir is not None:
        raise ValueError(
            "preferences are for a temporary profile: leave them out, or user_data_dir, whose own"
            " are kept."
        )
    if channel is not None:
        from cdp_protocol.launching.executable import CHANNELS

        if channel not in CHANNELS:
            known = ", ".join(map(repr, CHANNELS))
            raise ValueError(f"There is no channel {channel!r}; there are {known}.")


async def _started(options: LaunchOptions) -> Browser:
    from cdp_protocol.launching.process import BrowserProcess

    process = await BrowserProcess.launch(options)
    try:
        connection = await process.connect(options.timeout)
    except BaseException as error:
        await process.close(grace=0)
        if isinstance(error, CdpError):
            reason = f"started but could not be spoken to: {str(error).rstrip('.')}"
            raise LaunchError(
                str(options.executable), reason, stderr=process.stderr_tail
            ) from error
        raise
    connection.root.process = process
    return connection.root


def _prepare(
    executable: str | Path | None, channel: Channel | None, sandbox: bool | None
) -> tuple[Path, bool]:
    """Find out what waits for the disk, or for another program: which executable, whether with its
    sandbox; and remove what killed programs left.
    """
    from cdp_protocol.launching.executable import VARIABLE, find_executable
    from cdp_protocol.launching.machine import sandbox_refusal
    from cdp_protocol.launching.profile import PREFIX, sweep_leftovers

    named = {"executable": executable, VARIABLE: os.environ.get(VARIABLE)}
    path = find_executable(named, os.environ, channel=channel)
    sweep_leftovers(PREFIX)
    if sandbox is None:
        refusal = sandbox_refusal()
        if refusal is not None:
            log.warning("Chromium runs without its sandbox: %s.", refusal)
        sandbox = refusal is None
    return path, sandbox
