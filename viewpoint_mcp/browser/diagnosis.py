"""Why Chromium did not start, told from its own last words."""

from __future__ import annotations

import re
from pathlib import Path

from viewpoint_mcp.browser.arguments import LaunchOptions
from viewpoint_mcp.browser.profile_lock import holder
from viewpoint_mcp.errors import BrowserError

LAST_WORDS = " Its last words:\n"
"""Stands in a hint between the advice and what Chromium said itself."""

_QUOTED_LINES = 8
# Said by every Chromium in a container, and never the reason.
_NOISE = re.compile(r"dbus/|devtools_pipe_handler|: unexpected operator")
# Chromium's own words, and what to do about them. The first that is found is told.
_KNOWN_CAUSES = {
    r"Missing X server|cannot open display|Unable to open X display|connect to Wayland": (
        "There is no display to show a window on: use --headless, or set DISPLAY."
    ),
    r"Socket path too long": (
        "The path of the temporary directory is too long for Chromium: set TMPDIR to a shorter one."
    ),
    r"without --no-sandbox|No usable sandbox|move to new namespace|SUID sandbox helper": (
        "Chromium cannot use its sandbox here: use --no-sandbox, or allow user namespaces."
    ),
    r"error while loading shared libraries: (?P<name>[^:\s]+)": ("{missing}"),
    r"process_singleton|existing browser session|profile appears to be in use": (
        "The profile is in use by another browser{held}: close that one, name another "
        "--user-data-dir, or use --isolated."
    ),
    r"No space left on device": "The disk is full: make room in the temporary directory.",
    r"exec: .*([Nn]ot found|[Pp]ermission denied|[Ff]ormat error)": (
        "Name a Chromium that can be run with --executable-path."
    ),
}
_OTHERWISE = "Try the same executable by hand, or name another with --executable-path."


def explain_failed_start(
    options: LaunchOptions, reason: str, stderr: str, user_data_dir: Path
) -> BrowserError:
    """Compose the error for a Chromium that did not come up.

    Args:
        options: What was launched.
        reason: What happened, the end of a sentence that begins with the executable.
        stderr: The last lines of Chromium's stderr.
        user_data_dir: The profile it was given.
    """
    advice = _advice(stderr, user_data_dir)
    last_words = [line for line in stderr.splitlines() if not _NOISE.search(line)]
    if last_words:
        quoted = "\n".join(last_words[-_QUOTED_LINES:])
        advice = f"{advice}{LAST_WORDS}{quoted}"
    return BrowserError(f"{options.executable} {reason}.", advice)


def _advice(stderr: str, user_data_dir: Path) -> str:
    found_holder = holder(user_data_dir)
    held = f" ({found_holder})" if found_holder is not None else ""
    for pattern, advice in _KNOWN_CAUSES.items():
        found = re.search(pattern, stderr)
        if found:
            names = found.groupdict()
            missing = _missing(names["name"]) if "name" in names else ""
            return advice.format_map({"held": held, "missing": missing})
    return _OTHERWISE


def _missing(library: str) -> str:
    from viewpoint_mcp.browser.install.libraries import advice

    return advice([library])
