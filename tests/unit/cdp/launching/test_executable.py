"""The searched places for a browser, and the error when there is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cdp_protocol import LaunchError
from cdp_protocol.launching.executable import (
    CHANNELS,
    Channel,
    find_executable,
    find_installed_browsers,
)

PATH = {"PATH": "/usr/local/bin:/usr/bin"}


def can_run_only(*paths: str) -> Callable[[str], bool]:
    return lambda path: path in paths


def test_the_first_named_executable_overrides_all_others() -> None:
    named = {"one": None, "two": "/two/chrome", "three": "/three/chrome"}
    runs = can_run_only("/two/chrome", "/three/chrome", "/usr/bin/chromium")
    assert find_executable(named, PATH, can_run=runs) == Path("/two/chrome")


def test_a_command_name_may_be_given_instead_of_a_path() -> None:
    found = find_executable({"it": "brave"}, PATH, can_run=can_run_only("/usr/bin/brave"))
    assert found == Path("/usr/bin/brave")


def test_a_preferred_browser_comes_after_named_ones_and_before_the_usual_places() -> None:
    runs = can_run_only("/named", "/usr/bin/chromium")
    rather = Path("/rather")
    assert find_executable({}, PATH, preferred=[rather], can_run=runs) == rather
    assert find_executable({"it": "/named"}, PATH, preferred=[rather], can_run=runs) == Path(
        "/named"
    )


def test_a_preferred_browser_is_ignored_if_one_is_named() -> None:
    rather = iter([Path("/rather")])
    find_executable({"it": "/named"}, PATH, preferred=rather, can_run=can_run_only("/named"))
    assert list(rather) == [Path("/rather")]


def test_a_missing_named_browser_is_an_error_that_names_its_source() -> None:
    with pytest.raises(
        LaunchError, match=r"/no/chrome, named by CHROMIUM_PATH, does not exist\. Correct"
    ) as caught:
        find_executable({"CHROMIUM_PATH": "/no/chrome"}, PATH)
    assert caught.value.cause == "executable"


def test_a_named_browser_that_cannot_be_run_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "chrome"
    file.write_text("")
    with pytest.raises(LaunchError, match=r"named by executable, cannot be executed"):
        find_executable({"executable": file}, {})


@pytest.mark.parametrize(
    ("platform", "channel", "place"),
    [
        ("linux", None, "/usr/bin/chromium"),
        ("linux", "chrome", "/usr/bin/google-chrome-stable"),
        ("linux", "chrome", "/opt/google/chrome/chrome"),
        ("linux", "msedge", "/usr/local/bin/microsoft-edge"),
        ("darwin", None, "/Applications/Chromium.app/Contents/MacOS/Chromium"),
        ("darwin", "chrome", "/me/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
        ("linux", "chrome-beta", "/opt/google/chrome-beta/chrome"),
        ("linux", "chrome-dev", "/usr/bin/google-chrome-unstable"),
        ("linux", "msedge-canary", "/opt/microsoft/msedge-canary/msedge"),
        (
            "darwin",
            "msedge-dev",
            "/Applications/Microsoft Edge Dev.app/Contents/MacOS/Microsoft Edge Dev",
        ),
        ("win32", "chrome-canary", r"C:\Program Files\Google\Chrome SxS\Application\chrome.exe"),
        ("win32", "chrome", r"C:\Program Files\Google\Chrome\Application\chrome.exe"),
        ("win32", None, r"C:\Program Files\Microsoft\Edge\Application\msedge.exe"),
    ],
)
def test_the_usual_places_are_searched(platform: str, channel: Channel | None, place: str) -> None:
    environ = PATH | {"HOME": "/me", "PROGRAMFILES": r"C:\Program Files"}
    found = find_executable(
        {}, environ, channel=channel, platform=platform, can_run=can_run_only(place)
    )
    assert str(found) == place


def test_a_channel_is_not_answered_with_another_browser() -> None:
    runs = can_run_only("/usr/bin/chromium")
    with pytest.raises(LaunchError, match=r"No browser of the channel msedge was found"):
        find_executable({}, PATH, channel="msedge", can_run=runs, platform="linux")


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_every_channel_has_places_that_no_other_has(platform: str) -> None:
    environ = PATH | {"HOME": "/me", "PROGRAMFILES": r"C:\Program Files"}
    searched: list[str] = []

    def note(path: str) -> bool:
        searched.append(path)
        return False

    for channel in CHANNELS:
        before = len(searched)
        with pytest.raises(LaunchError):
            find_executable({}, environ, channel=channel, platform=platform, can_run=note)
        assert len(searched) > before
    assert len(searched) == len(set(searched))


def test_a_missing_browser_is_an_error_with_the_searched_places_and_advice() -> None:
    with pytest.raises(LaunchError) as caught:
        find_executable({}, PATH, can_run=can_run_only(), platform="linux")
    assert caught.value.cause == "no browser"
    for part in ("google-chrome-stable", "chromium", "apt-get install", "CHROMIUM_PATH"):
        assert part in str(caught.value)


def test_all_browsers_in_the_usual_places_are_listed_once(tmp_path: Path) -> None:
    real, link = tmp_path / "chromium", tmp_path / "google-chrome"
    real.touch()
    link.symlink_to(real)
    other = "/opt/microsoft/msedge/msedge"
    runs = can_run_only(str(real), str(link), other)
    found = find_installed_browsers({"PATH": str(tmp_path)}, platform="linux", can_run=runs)
    assert found == [link, Path(other)]
