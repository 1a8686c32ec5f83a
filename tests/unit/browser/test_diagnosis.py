"""What is said of a Chromium that did not start."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewpoint_mcp.browser.arguments import LaunchOptions
from viewpoint_mcp.browser.diagnosis import explain_failed_start

OPTIONS = LaunchOptions(executable=Path("/chrome"))


@pytest.mark.parametrize(
    ("stderr", "hint"),
    [
        ("[1:1:ERROR:ozone_platform_x11.cc(249)] Missing X server or $DISPLAY", "--headless"),
        ("ERROR Running as root without --no-sandbox is not supported.", "use --no-sandbox"),
        ("FATAL zygote_host_impl_linux.cc No usable sandbox!", "use --no-sandbox"),
        (
            "chrome: error while loading shared libraries: libnss3.so: cannot open shared object",
            "The library libnss3.so is missing",
        ),
        ("Opening in existing browser session.", "in use by another browser: close"),
        ("write failed: No space left on device", "disk is full"),
        ("sh: 1: exec: /chrome: Permission denied", "--executable-path"),
        (
            "FATAL:chrome/browser/process_singleton_posix.cc:315] Socket path too long: /a/b/c",
            "set TMPDIR to a shorter one",
        ),
        ("something else", "by hand"),
    ],
)
def test_the_cause_is_known_by_chromiums_own_words(stderr: str, hint: str) -> None:
    error = explain_failed_start(OPTIONS, "exited at once", stderr, Path("/none"))
    assert hint in str(error)
    assert str(error).endswith(f"Its last words:\n{stderr}")


def test_the_noise_of_a_container_is_not_quoted() -> None:
    stderr = "the reason\n[1:ERROR:dbus/bus.cc] Failed to connect to the bus"
    error = explain_failed_start(OPTIONS, "exited at once", stderr, Path("/none"))
    assert str(error).endswith("Its last words:\nthe reason")


def test_a_silent_browser_is_not_quoted() -> None:
    error = explain_failed_start(OPTIONS, "exited at once", "", Path("/none"))
    assert "last words" not in str(error)
