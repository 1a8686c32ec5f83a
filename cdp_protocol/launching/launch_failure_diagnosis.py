"""Finds the cause of a failed Chromium start, in the last lines of its stderr or in the machine."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from cdp_protocol.errors import (
    CallTimeout,
    CdpError,
    ConnectionLost,
    EndpointError,
    LaunchCause,
    LaunchError,
)
from cdp_protocol.launching.machine_capabilities import is_open_file_limit_low

# Every Chromium in a container prints these messages. They are never the cause.
_NOISE = re.compile(r"dbus/|devtools_pipe_handler|: unexpected operator")
# Messages of Chromium, of the dynamic loader and of the shell. The first match decides.
_CAUSE_PATTERNS: Mapping[LaunchCause, str] = MappingProxyType(
    {
        "open files": r"Too many open files",
        "display": r"Missing X server|cannot open display|Unable to open X display"
        r"|connect to Wayland",
        "socket path": r"Socket path too long",
        "sandbox": r"without --no-sandbox|No usable sandbox|move to new namespace"
        r"|SUID sandbox helper",
        "library": r"error while loading shared libraries",
        "temporary directory": r"Failed to create socket directory",
        "handed over": r"process_singleton|existing browser session"
        r"|profile appears to be in use",
        "disk": r"No space left on device",
        "executable": r"exec: .*([Nn]ot found|[Pp]ermission denied|[Ff]ormat error)",
    }
)
_ADVICE: Mapping[LaunchCause, str] = MappingProxyType(
    {
        "open files": (
            "Chromium needs more file descriptors. Raise the limit of open files to 1024 (ulimit -n"
            " 1024)."
        ),
        "display": "No display is available for a window. Launch it headless, or set DISPLAY.",
        "socket path": (
            "The path of the temporary directory is too long for Chromium. Set TMPDIR to a shorter"
            " path."
        ),
        "sandbox": (
            "Chromium cannot use its sandbox here. Pass sandbox=False, or allow user namespaces."
        ),
        "library": "Install the libraries that Chromium needs (Debian: apt-get install chromium).",
        "temporary directory": (
            "Chromium cannot write to the temporary directory. Free some space there, or set TMPDIR"
            " to another directory."
        ),
        "handed over": (
            "Another browser uses the profile. Close that browser, or pass another user_data_dir."
        ),
        "disk": "The disk is full. Free some space in the temporary directory.",
        "executable": "Pass a Chromium that can be executed.",
    }
)
_DEFAULT_ADVICE = "Run the same executable by hand, or pass another one."


def make_launch_error(executable: str, reason: str, stderr: str) -> LaunchError:
    """Return the error for a Chromium that failed to start.

    Args:
        executable: The path of the executable.
        reason: The rest of a sentence that begins with the executable: "exited at once".
        stderr: The last lines of Chromium's stderr.
    """
    cause = find_cause(stderr)
    lines = [line for line in stderr.splitlines() if not _NOISE.search(line)]
    advice = _ADVICE.get(cause, _DEFAULT_ADVICE)
    return LaunchError(executable, reason, cause=cause, advice=advice, stderr="\n".join(lines))


def make_connect_error(executable: str, error: CdpError, stderr: str) -> LaunchError:
    """Return the error for a Chromium that started, but then ended or did not answer.

    Args:
        executable: As in `make_launch_error`.
        error: The reason why there is no connection.
        stderr: As in `make_launch_error`.
    """
    # Without the advice of these errors, which is for a browser that runs already.
    if isinstance(error, EndpointError | ConnectionLost):
        reason = error.reason
    elif isinstance(error, CallTimeout):
        reason = f"no response to {error.method} within {error.seconds:g} s"
    else:
        reason = str(error).rstrip(".")
    return make_launch_error(executable, f"started but does not answer: {reason}", stderr)


def find_cause(stderr: str) -> LaunchCause:
    """Return the cause of a failed start; "other" if neither stderr nor the machine shows it.

    A Chromium that can open too few files often crashes without a message about them.
    """
    for cause, pattern in _CAUSE_PATTERNS.items():
        if re.search(pattern, stderr):
            return cause
    return "open files" if is_open_file_limit_low() else "other"
