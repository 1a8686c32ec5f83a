"""Finds the cause of a failed Chromium start in the last lines of its stderr."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from cdp_protocol.errors import LaunchCause, LaunchError

# Every Chromium in a container prints these messages. They are never the cause.
_NOISE = re.compile(r"dbus/|devtools_pipe_handler|: unexpected operator")
# Messages of Chromium, of the dynamic loader and of the shell. The first match decides.
_CAUSES: Mapping[LaunchCause, str] = MappingProxyType(
    {
        "display": r"Missing X server|cannot open display|Unable to open X display"
        r"|connect to Wayland",
        "socket path": r"Socket path too long",
        "sandbox": r"without --no-sandbox|No usable sandbox|move to new namespace"
        r"|SUID sandbox helper",
        "library": r"error while loading shared libraries",
        "handed over": r"process_singleton|existing browser session"
        r"|profile appears to be in use",
        "disk": r"No space left on device",
        "executable": r"exec: .*([Nn]ot found|[Pp]ermission denied|[Ff]ormat error)",
    }
)
_ADVICE: Mapping[LaunchCause, str] = MappingProxyType(
    {
        "display": "There is no display to show a window on: launch it headless, or set DISPLAY.",
        "socket path": (
            "The path of the temporary directory is too long for Chromium: set TMPDIR to a shorter"
            " one."
        ),
        "sandbox": (
            "Chromium cannot use its sandbox here: launch it without, or allow user namespaces."
        ),
        "library": "Install what Chromium depends on (Debian: apt-get install chromium).",
        "handed over": (
            "The profile is in use by another browser: close that one, or name another"
            " user_data_dir."
        ),
        "disk": "The disk is full: make room in the temporary directory.",
        "executable": "Name a Chromium that can be run.",
    }
)
_OTHERWISE = "Try the same executable by hand, or name another."


def failed_start(executable: str, reason: str, stderr: str) -> LaunchError:
    """Return the error for a Chromium that failed to start.

    Args:
        executable: The path of the executable.
        reason: The rest of a sentence that begins with the executable: "exited at once".
        stderr: The last lines of Chromium's stderr.
    """
    cause = cause_of(stderr)
    words = [line for line in stderr.splitlines() if not _NOISE.search(line)]
    advice = _ADVICE.get(cause, _OTHERWISE)
    return LaunchError(executable, reason, cause=cause, advice=advice, stderr="\n".join(words))


def cause_of(stderr: str) -> LaunchCause:
    """Return the cause of a failed start, according to stderr; "other" if no message matches."""
    return next((cause for cause, words in _CAUSES.items() if re.search(words, stderr)), "other")
