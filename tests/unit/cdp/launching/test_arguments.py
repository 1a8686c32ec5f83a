"""The command line of Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cdp_protocol.launching.arguments import LaunchOptions, build_arguments


def command_line(**options: Any) -> list[str]:
    launch = LaunchOptions(executable=Path("/chrome"), **options)
    return build_arguments(launch, Path("/profile"), has_pipe=True, has_small_shared_memory=False)


def disabled_features(arguments: list[str]) -> list[str]:
    return [argument for argument in arguments if "disable-features" in argument]


def test_the_profile_the_port_and_the_pipe_are_always_named() -> None:
    assert {
        "--user-data-dir=/profile",
        "--remote-debugging-port=0",
        "--remote-debugging-pipe",
    } <= set(command_line())


def test_by_pipe_no_port_is_named() -> None:
    arguments = command_line(by_pipe=True)
    assert "--remote-debugging-pipe" in arguments
    assert "--remote-debugging-port=0" not in arguments


def test_no_prompt_is_shown_to_the_user() -> None:
    assert {"--no-first-run", "--no-default-browser-check", "--use-mock-keychain"} <= set(
        command_line()
    )


def test_the_start_page_is_blank_and_comes_last() -> None:
    assert command_line(args=("--foo",))[-1] == "about:blank"


def test_a_browser_that_starts_without_a_tab_has_no_start_page() -> None:
    without = command_line(start_page=None)
    assert "--no-startup-window" in without
    assert "about:blank" not in without
    assert "--no-startup-window" not in command_line()


def test_headed_is_without_the_headless_switch() -> None:
    assert "--headless=new" in command_line()
    assert not any(argument.startswith("--headless") for argument in command_line(headless=False))


def test_the_sandbox_is_on_by_default() -> None:
    assert "--no-sandbox" not in command_line()
    assert "--no-sandbox" in command_line(sandbox=False)


def test_the_browser_sends_no_background_traffic_by_default() -> None:
    assert "--disable-background-networking" in command_line()
    assert "OptimizationHints" in disabled_features(command_line())[0]
    noisy = command_line(background_networking=True)
    assert "--disable-background-networking" not in noisy
    assert disabled_features(noisy) == []


def test_disabled_features_are_joined_into_one_switch() -> None:
    mine = ("--disable-features=One,Two", "--foo", "--disable-features=Two,Three")
    found = disabled_features(command_line(args=mine))
    assert len(found) == 1
    assert found[0].endswith(",One,Two,Three")


def test_given_switches_come_last_so_that_they_win() -> None:
    arguments = command_line(args=("--remote-debugging-port=9222",))
    assert arguments.index("--remote-debugging-port=9222") > arguments.index(
        "--remote-debugging-port=0"
    )


def test_small_shared_memory_is_not_used() -> None:
    options = LaunchOptions(executable=Path("/chrome"))
    arguments = build_arguments(options, Path("/p"), has_pipe=False, has_small_shared_memory=True)
    assert "--disable-dev-shm-usage" in arguments
    assert "--remote-debugging-pipe" not in arguments
