"""Command lines of launched browsers, beyond those of every Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cdp_protocol.launching.arguments import build_arguments
from viewpoint_mcp.browser.connect.arguments import make_launch_options


def command_line(**given: Any) -> list[str]:
    options = make_launch_options(Path("/chrome"), **given)
    return build_arguments(options, Path("/profile"), has_pipe=True, has_small_shared_memory=False)


def test_pages_behave_as_a_person_in_front_of_them_would_see() -> None:
    assert {
        "--disable-popup-blocking",
        "--disable-renderer-backgrounding",
        "--blink-settings=primaryHoverType=2,primaryPointerType=4",
    } <= set(command_line())


def test_a_browser_that_starts_without_a_tab_has_no_start_page() -> None:
    without = command_line(starts_with_tab=False)
    assert "--no-startup-window" in without
    assert "about:blank" not in without
    assert command_line()[-1] == "about:blank"


def test_headed_outlives_its_last_window() -> None:
    assert "--keep-alive-for-test" in command_line(headless=False)
    assert "--keep-alive-for-test" not in command_line()
    assert "--mute-audio" not in command_line(headless=False)


def test_headed_shows_no_bar_about_switches() -> None:
    assert "--test-type" in command_line(headless=False)
    assert "--test-type" not in command_line()


def test_the_viewport_becomes_the_size_of_the_window_and_without_a_window_of_the_screen() -> None:
    assert "--window-size=800,600" in command_line(viewport=(800, 600))
    assert "--screen-info={800x600}" in command_line(viewport=(800, 600))
    assert not any(argument.startswith("--window-size") for argument in command_line())
    in_window = command_line(viewport=(800, 600), headless=False)
    assert not any(argument.startswith("--screen-info") for argument in in_window)


def test_arguments_of_the_user_come_last_and_features_are_joined() -> None:
    arguments = command_line(extra_args=("--mine", "--disable-features=Mine"))
    assert arguments.index("--mine") > arguments.index("--mute-audio")
    found = [argument for argument in arguments if "disable-features" in argument]
    assert len(found) == 1
    assert "PaintHolding" in found[0]
    assert found[0].endswith(",Mine")


def test_a_disabled_blink_feature_of_the_user_is_added_to_the_servers() -> None:
    arguments = command_line(extra_args=("--disable-blink-features=Mine",))
    found = [argument for argument in arguments if "blink-features" in argument]
    assert found == ["--disable-blink-features=AutomationControlled,Mine"]


def test_pdfs_are_saved_instead_of_shown() -> None:
    preferences = make_launch_options(Path("/chrome")).preferences
    assert preferences == {"plugins": {"always_open_pdf_externally": True}}


def test_ignored_switches_are_left_out_by_name_or_as_a_whole_but_not_those_of_the_user() -> None:
    ignored = ("--mute-audio", "--disable-features", "--no-first-run", "--blink-settings=other")
    arguments = command_line(ignored_switches=ignored, extra_args=("--disable-features=Mine",))
    assert not {"--mute-audio", "--no-first-run"} & set(arguments)
    assert any(each.startswith("--blink-settings=") for each in arguments)
    assert [each for each in arguments if "disable-features" in each] == ["--disable-features=Mine"]


def test_without_default_switches_those_for_the_connection_and_the_machine_remain() -> None:
    arguments = command_line(ignored_switches=None, sandbox=False, extra_args=("--mine",))
    assert set(arguments) == {
        *("--user-data-dir=/profile", "--remote-debugging-port=0", "--remote-debugging-pipe"),
        *("--headless=new", "--no-sandbox", "--mine", "about:blank"),
    }
