"""The command line of Chromium, and what the machine allows on it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from viewpoint_mcp.browser.arguments import (
    LaunchOptions,
    command_line,
    has_display,
    sandbox_refusal,
    shared_memory_is_small,
)

linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a matter of Linux")


def line(**options: Any) -> list[str]:
    launch = LaunchOptions(executable=Path("/chrome"), **options)
    return command_line(launch, Path("/profile"), pipe=True, small_shared_memory=False)


def test_the_profile_the_port_and_the_pipe_are_always_named() -> None:
    assert {
        "--user-data-dir=/profile",
        "--remote-debugging-port=0",
        "--remote-debugging-pipe",
    } <= set(line())


def test_the_start_page_is_blank_and_comes_last() -> None:
    assert line(extra_args=("--foo",))[-1] == "about:blank"


def test_headed_is_without_the_headless_switches() -> None:
    assert "--headless=new" in line()
    assert not any(argument.startswith("--headless") for argument in line(headless=False))


def test_the_sandbox_is_on_unless_told_otherwise() -> None:
    assert "--no-sandbox" not in line()
    assert "--no-sandbox" in line(sandbox=False)


def test_the_viewport_becomes_the_window_size() -> None:
    assert "--window-size=800,600" in line(viewport=(800, 600))


def test_disabled_features_are_joined_into_one_switch() -> None:
    found = [a for a in line(extra_args=("--disable-features=Mine",)) if "disable-features" in a]
    assert len(found) == 1
    assert found[0].endswith(",Mine")


def test_small_shared_memory_is_not_used() -> None:
    options = LaunchOptions(executable=Path("/chrome"))
    arguments = command_line(options, Path("/p"), pipe=False, small_shared_memory=True)
    assert "--disable-dev-shm-usage" in arguments
    assert "--remote-debugging-pipe" not in arguments


@linux_only
def test_shared_memory_that_is_missing_counts_as_small(tmp_path: Path) -> None:
    assert shared_memory_is_small(tmp_path / "none")


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
    assert "root" in (sandbox_refusal(is_root=True) or "")


@linux_only
def test_a_container_without_namespaces_has_no_sandbox() -> None:
    refusal = sandbox_refusal(is_root=False, in_container=True, can_make_namespaces=lambda: False)
    assert "container" in (refusal or "")


def test_an_ordinary_user_has_the_sandbox() -> None:
    assert sandbox_refusal(is_root=False, in_container=False) is None
    assert (
        sandbox_refusal(is_root=False, in_container=True, can_make_namespaces=lambda: True) is None
    )
