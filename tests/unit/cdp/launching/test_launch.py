"""What `launch` does before there is a browser."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cdp_protocol import LaunchError, launch

HEAVY = {"cdp_protocol.launching.process", "cdp_protocol.launching.arguments", "ctypes"}


def test_what_launches_is_imported_when_it_is_used() -> None:
    code = "import sys, cdp_protocol; cdp_protocol.launch(); print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "cdp_protocol.launching.launch" in told.stdout.split()
    assert not HEAVY & set(told.stdout.split())


async def test_a_pipe_on_windows_is_refused_before_anything_is_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(LaunchError, match=r"by a pipe on Windows\. Leave by_pipe out\.$"):
        await launch(by_pipe=True)
