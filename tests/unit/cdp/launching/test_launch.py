"""The steps of `launch` before the browser runs."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from cdp_protocol import LaunchError, launch
from cdp_protocol.launching import machine_capabilities
from cdp_protocol.launching.launch import _find_executable_and_sandbox as prepared

HEAVY = {"cdp_protocol.launching.process", "cdp_protocol.launching.arguments", "ctypes"}


def test_the_launching_modules_are_imported_on_first_use() -> None:
    code = "import sys, cdp_protocol; cdp_protocol.launch(); print(*sys.modules)"
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "cdp_protocol.launching.launch" in completed.stdout.split()
    assert not HEAVY & set(completed.stdout.split())


async def test_a_pipe_on_windows_is_refused_before_anything_is_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(LaunchError, match=r"cannot use a pipe on Windows\. Omit by_pipe\.$"):
        await launch(by_pipe=True)


@pytest.mark.parametrize(
    ("kind", "sentence", "arguments"),
    [
        (
            TypeError,
            r"args must be a list of switches: args=\['--mute-audio'\]\.",
            {"args": "--mute-audio"},
        ),
        (
            ValueError,
            "The channel 'firefox' does not exist. Use one of 'chrome', .*",
            {"channel": "firefox"},
        ),
        (ValueError, "are for a temporary profile", {"user_data_dir": "x", "preferences": {}}),
    ],
)
def test_invalid_arguments_are_refused_at_once(
    kind: type[Exception], sentence: str, arguments: dict[str, Any]
) -> None:
    with pytest.raises(kind, match=sentence):
        launch(**arguments)


def test_an_unavailable_sandbox_is_reported_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(machine_capabilities, "sandbox_unusable_reason", lambda: "it runs as root")

    _, with_sandbox = prepared(sys.executable, None, None)

    assert not with_sandbox
    assert caplog.messages == ["Chromium runs without its sandbox: it runs as root."]
