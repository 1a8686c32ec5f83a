"""Features of a machine that Chromium can use."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cdp_protocol.launching.machine_capabilities import (
    has_display,
    is_shared_memory_small,
    sandbox_unusable_reason,
)

linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a matter of Linux")


@linux_only
def test_shared_memory_that_is_missing_counts_as_small(tmp_path: Path) -> None:
    assert is_shared_memory_small(tmp_path / "none")


@pytest.mark.parametrize(
    ("environ", "platform", "expected"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_a_display_is_a_matter_of_linux(
    environ: dict[str, str], platform: str, *, expected: bool
) -> None:
    assert has_display(environ, platform) is expected


@linux_only
def test_root_has_no_sandbox() -> None:
    assert "root" in (sandbox_unusable_reason(is_root=True) or "")


@linux_only
def test_a_container_without_namespaces_has_no_sandbox() -> None:
    refusal = sandbox_unusable_reason(
        is_root=False, in_container=True, can_make_namespaces=lambda: False
    )
    assert "container" in (refusal or "")


def test_an_ordinary_user_has_the_sandbox() -> None:
    assert sandbox_unusable_reason(is_root=False, in_container=False) is None
    assert (
        sandbox_unusable_reason(is_root=False, in_container=True, can_make_namespaces=lambda: True)
        is None
    )
