"""Launching a browser, with errors that name the server's options."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from cdp_protocol import CdpError, LaunchError
from cdp_protocol.errors import LaunchCause
from cdp_protocol.launching.arguments import LaunchOptions
from cdp_protocol.launching.launch_failure_diagnosis import make_connect_error
from cdp_protocol.launching.process import BrowserProcess
from cdp_protocol.launching.profile_lock import find_profile_holder
from cdp_protocol.launching.temporary_profile import TemporaryProfile
from viewpoint_mcp.browser.connect.arguments import DIRECTORY_PREFIX
from viewpoint_mcp.errors import BrowserError

LAST_OUTPUT = " Its last output:\n"
"""Separates the advice from Chromium's output in a hint."""

_ADVICE: Mapping[LaunchCause, str] = MappingProxyType(
    {
        "temporary directory": (
            "Chromium cannot write to the temporary directory. Free some space there, or set "
            "TMPDIR to another one."
        ),
        "profile": (
            "Pass a writable directory with --user-data-dir, or omit it to use a temporary profile."
        ),
        "profile in use": (
            "Close that browser, pass another --user-data-dir, use --isolated, or attach to "
            "that browser with --cdp-endpoint or --auto-connect."
        ),
        "handed over": (
            "Another browser uses the profile{held}. Close it, use --isolated, or pass another "
            "--user-data-dir."
        ),
        "open files": (
            "Chromium needs more file descriptors than this process may open. Raise the limit of "
            "open files to 1024 (ulimit -n 1024) where the server is started."
        ),
        "display": "There is no display for a window. Use --headless, or set DISPLAY.",
        "socket path": (
            "The path of the temporary directory is too long for Chromium. Set TMPDIR to a shorter "
            "one."
        ),
        "sandbox": (
            "Chromium cannot use its sandbox here. Use --no-sandbox, or allow user namespaces."
        ),
        "library": "{missing}",
        "disk": "The disk is full. Free some space in the temporary directory.",
        "executable": "Pass an executable Chromium with --executable-path.",
    }
)
_DEFAULT_ADVICE = "Start the executable by hand to see why, or pass another with --executable-path."


async def launch_browser(options: LaunchOptions) -> BrowserProcess:
    """Start a browser; see `BrowserProcess.launch`.

    Raises:
        BrowserError: It did not start; the message quotes its output.
    """
    try:
        return await BrowserProcess.launch(options)
    except LaunchError as error:
        raise to_browser_error(error, options.user_data_dir) from error


def make_download_directory(parent: Path | None = None) -> TemporaryProfile:
    """Make a directory that is cleaned up like a temporary profile.

    In the system's temporary directory, this also happens after a crash.

    Args:
        parent: The directory that contains it, created if it is missing; None for the system's
            temporary directory.

    Raises:
        BrowserError: The directory cannot be created.
    """
    try:
        if parent is not None:
            parent.mkdir(parents=True, exist_ok=True)
        return TemporaryProfile.create(DIRECTORY_PREFIX, parent)
    except OSError as error:
        raise BrowserError(
            f"The directory for downloads, {parent}, cannot be created: {error.strerror}.",
            "Correct browser.launchOptions.downloadsPath in the configuration file.",
        ) from error
    except LaunchError as error:
        raise to_browser_error(error) from error


def to_browser_error(error: LaunchError, user_data_dir: Path | None = None) -> BrowserError:
    """Return an error for a failed launch, with advice that names the server's options.

    Args:
        user_data_dir: The profile of the launch; None for a temporary one.
    """
    held = _describe_profile_holder(user_data_dir) if error.cause == "handed over" else ""
    missing = _advise_on_libraries(error.stderr) if error.cause == "library" else ""
    advice = _ADVICE.get(error.cause, _DEFAULT_ADVICE).format(held=held, missing=missing)
    if error.stderr:
        advice = f"{advice}{LAST_OUTPUT}{error.quoted_stderr}"
    return BrowserError(error.sentence, advice)


def to_connect_error(options: LaunchOptions, error: CdpError, stderr: str) -> BrowserError:
    """Return an error for a browser that started, but then ended or did not answer.

    Args:
        error: The reason why there is no connection.
        stderr: The last lines of the browser's stderr.
    """
    failure = make_connect_error(str(options.executable), error, stderr)
    return to_browser_error(failure, options.user_data_dir)


def _describe_profile_holder(user_data_dir: Path | None) -> str:
    found = find_profile_holder(user_data_dir) if user_data_dir is not None else None
    return f" ({found})" if found is not None else ""


def _advise_on_libraries(stderr: str) -> str:
    from viewpoint_mcp.browser.install.shared_libraries import (
        advise_library_installation,
        parse_loader_error,
    )

    return advise_library_installation(parse_loader_error(stderr)[:1])
