"""The cause of a failed launch, from Chromium's stderr."""

from __future__ import annotations

import sys

import pytest

from cdp_protocol import CdpError
from cdp_protocol.errors import CallTimeout, ConnectionLost, EndpointError, LaunchCause
from cdp_protocol.launching.launch_failure_diagnosis import make_connect_error, make_launch_error


@pytest.mark.parametrize(
    ("stderr", "cause", "advice"),
    [
        ("ozone_platform_x11.cc(249)] Missing X server or $DISPLAY", "display", "headless"),
        ("ERROR Running as root without --no-sandbox is not supported.", "sandbox", "without"),
        ("FATAL zygote_host_impl_linux.cc No usable sandbox!", "sandbox", "namespaces"),
        ("chrome: error while loading shared libraries: libnss3.so: cannot", "library", "apt-get"),
        ("Opening in existing browser session.", "handed over", "Another browser uses the profile"),
        ("write failed: No space left on device", "disk", "Free some space"),
        ("sh: 1: exec: /chrome: Permission denied", "executable", "can be executed"),
        (
            "FATAL:chrome/browser/process_singleton_posix.cc:315] Socket path too long: /a/b/c",
            "socket path",
            "Set TMPDIR to a shorter path",
        ),
        (
            "process_singleton_posix.cc:1046] Failed to create socket directory.",
            "temporary directory",
            "Free some space there, or set TMPDIR",
        ),
        (
            "Failed to create socket directory.\nCheck failed: . : Too many open files (24)",
            "open files",
            "Raise the limit of open files",
        ),
        ("something else", "other", "by hand"),
    ],
)
def test_the_cause_is_derived_from_chromiums_output(
    stderr: str, cause: LaunchCause, advice: str
) -> None:
    error = make_launch_error("/chrome", "exited at once", stderr)
    assert error.cause == cause
    assert advice in str(error)
    assert str(error).startswith("/chrome exited at once. ")
    assert str(error).endswith(f" Its last output:\n{stderr}")


def test_the_noise_of_a_container_is_not_quoted() -> None:
    stderr = "the reason\n[1:ERROR:dbus/bus.cc] Failed to connect to the bus"
    assert make_launch_error("/chrome", "exited at once", stderr).stderr == "the reason"


def test_a_silent_browser_is_not_quoted() -> None:
    assert "last output" not in str(make_launch_error("/chrome", "exited at once", ""))


def test_the_last_lines_of_a_long_output_are_quoted() -> None:
    stderr = "\n".join(f"line {number}" for number in range(1, 41))
    error = make_launch_error("/chrome", "exited at once", stderr)
    assert error.stderr == stderr
    assert error.quoted_stderr.splitlines() == [f"line {number}" for number in range(33, 41)]
    assert str(error).endswith(f"Its last output:\n{error.quoted_stderr}")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (EndpointError("ws://[::1]:9/devtools", "connection refused"), "connection refused"),
        (ConnectionLost("Target.getTargets", "the browser exited"), "the browser exited"),
        (CallTimeout("Page.enable", 15), "no response to Page.enable within 15 s"),
    ],
)
def test_a_browser_that_ends_after_its_start_is_described(error: CdpError, reason: str) -> None:
    text = str(make_connect_error("/chrome", error, "No usable sandbox!"))
    assert text.startswith(f"/chrome started but does not answer: {reason}. ")
    assert "allow user namespaces" in text
    assert "--remote-debugging-port" not in text


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
@pytest.mark.parametrize(
    ("soft", "stderr", "cause"),
    [
        (64, "Received signal 5", "open files"),
        (255, "", "open files"),
        (256, "", "other"),
        (-1, "", "other"),  # RLIM_INFINITY
        (64, "No usable sandbox!", "sandbox"),
    ],
)
def test_a_low_limit_of_open_files_is_the_cause_if_stderr_names_none(
    monkeypatch: pytest.MonkeyPatch, soft: int, stderr: str, cause: LaunchCause
) -> None:
    import resource

    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, 4096))
    assert make_launch_error("/chrome", "exited at once", stderr).cause == cause
