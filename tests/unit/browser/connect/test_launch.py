"""Errors about a Chromium that did not start."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

from cdp_protocol import LaunchError
from cdp_protocol.errors import LaunchCause
from cdp_protocol.launching.launch_failure_diagnosis import make_launch_error
from tests.unit.cdp.launching.locks import lock_database
from viewpoint_mcp.browser.connect.launch import make_download_directory, to_browser_error
from viewpoint_mcp.errors import BrowserError


def error_text(stderr: str, user_data_dir: Path | None = None) -> str:
    error = make_launch_error("/chrome", "exited at once", stderr)
    return str(to_browser_error(error, user_data_dir))


@pytest.mark.parametrize(
    ("stderr", "hint"),
    [
        ("[1:1:ERROR:ozone_platform_x11.cc(249)] Missing X server or $DISPLAY", "--headless"),
        ("ERROR Running as root without --no-sandbox is not supported.", "Use --no-sandbox"),
        ("FATAL zygote_host_impl_linux.cc No usable sandbox!", "Use --no-sandbox"),
        (
            "chrome: error while loading shared libraries: libnss3.so: cannot open shared object",
            "The library libnss3.so is missing",
        ),
        ("Opening in existing browser session.", "Another browser uses the profile. Close"),
        ("write failed: No space left on device", "disk is full"),
        ("sh: 1: exec: /chrome: Permission denied", "--executable-path"),
        (
            "FATAL:chrome/browser/process_singleton_posix.cc:315] Socket path too long: /a/b/c",
            "Set TMPDIR to a shorter one",
        ),
        ("something else", "by hand"),
    ],
)
def test_the_advice_names_flags_of_this_server(stderr: str, hint: str) -> None:
    assert error_text(stderr).startswith("/chrome exited at once. ")
    assert hint in error_text(stderr)
    assert error_text(stderr).endswith(f"Its last output:\n{stderr}")


def test_the_noise_of_a_container_is_not_quoted() -> None:
    stderr = "the reason\n[1:ERROR:dbus/bus.cc] Failed to connect to the bus"
    assert error_text(stderr).endswith("Its last output:\nthe reason")


def test_a_silent_browser_is_not_quoted() -> None:
    assert "last output" not in error_text("")


@pytest.mark.skipif(sys.platform == "win32", reason="locks of POSIX")
def test_the_process_that_uses_the_profile_is_named(tmp_path: Path) -> None:
    with lock_database(tmp_path):
        words = error_text("Opening in existing browser session.", tmp_path)
    assert "Another browser uses the profile (another browser). Close" in words


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        ("profile", ("with --user-data-dir, or omit it",)),
        ("profile in use", ("--user-data-dir", "--isolated", "--cdp-endpoint", "--auto-connect")),
    ],
)
def test_an_unusable_profile_is_refused_with_alternatives(
    cause: LaunchCause, words: tuple[str, ...]
) -> None:
    error = LaunchError("The profile /p", "is none", cause=cause)
    assert str(to_browser_error(error)).startswith("The profile /p is none. ")
    for way_out in words:
        assert way_out in str(to_browser_error(error))


def test_a_full_temporary_directory_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(
        BrowserError, match=r"^The temporary directory of the browser cannot be created.*set TMPDIR"
    ):
        make_download_directory()
