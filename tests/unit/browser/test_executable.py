"""Where the browser is looked for, and what is said when it is not there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from viewpoint_mcp.browser.executable import Channel, find_executable, installed
from viewpoint_mcp.errors import BrowserError

PATH = {"PATH": "/usr/local/bin:/usr/bin"}


def only(*paths: str) -> Callable[[str], bool]:
    return lambda path: path in paths


def test_the_flag_counts_before_the_environment() -> None:
    environ = {"VIEWPOINT_MCP_EXECUTABLE": "/env/chrome"}
    found = find_executable(
        Path("/flag/chrome"), None, environ, runs=only("/flag/chrome", "/env/chrome")
    )
    assert found == Path("/flag/chrome")


@pytest.mark.parametrize("variable", ["VIEWPOINT_MCP_EXECUTABLE", "CHROMIUM_PATH"])
def test_the_environment_counts_before_the_usual_places(variable: str) -> None:
    environ = PATH | {variable: "/env/chrome"}
    found = find_executable(None, None, environ, runs=only("/env/chrome", "/usr/bin/chromium"))
    assert found == Path("/env/chrome")


def test_a_command_name_may_be_given_instead_of_a_path() -> None:
    found = find_executable(Path("brave"), None, PATH, runs=only("/usr/bin/brave"))
    assert found == Path("/usr/bin/brave")


def test_a_named_browser_that_is_not_there_is_an_error_that_says_who_named_it() -> None:
    with pytest.raises(BrowserError, match=r"/no/chrome, named by CHROMIUM_PATH, does not exist"):
        find_executable(None, None, {"CHROMIUM_PATH": "/no/chrome"})


def test_a_named_browser_that_cannot_be_run_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "chrome"
    file.write_text("")
    with pytest.raises(BrowserError, match=r"named by --executable-path, cannot be executed"):
        find_executable(file, None, {})


@pytest.mark.parametrize(
    ("platform", "channel", "place"),
    [
        ("linux", None, "/usr/bin/chromium"),
        ("linux", "chrome", "/usr/bin/google-chrome-stable"),
        ("linux", "chrome", "/opt/google/chrome/chrome"),
        ("linux", "msedge", "/usr/local/bin/microsoft-edge"),
        ("darwin", None, "/Applications/Chromium.app/Contents/MacOS/Chromium"),
        ("darwin", "chrome", "/me/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
        ("win32", "chrome", r"C:\Program Files\Google\Chrome\Application\chrome.exe"),
        ("win32", None, r"C:\Program Files\Microsoft\Edge\Application\msedge.exe"),
    ],
)
def test_the_usual_places_are_looked_at(platform: str, channel: Channel | None, place: str) -> None:
    environ = PATH | {"HOME": "/me", "PROGRAMFILES": r"C:\Program Files"}
    found = find_executable(None, channel, environ, platform=platform, runs=only(place))
    assert str(found) == place


def test_a_channel_is_not_answered_with_another_browser() -> None:
    with pytest.raises(BrowserError, match=r"No browser of the channel msedge"):
        find_executable(None, "msedge", PATH, runs=only("/usr/bin/chromium"), platform="linux")


def test_no_browser_at_all_is_an_error_that_says_where_it_looked_and_how_to_get_one() -> None:
    with pytest.raises(BrowserError) as caught:
        find_executable(None, None, PATH, runs=only(), platform="linux")
    for part in ("google-chrome-stable", "chromium", "apt-get install", "--executable-path"):
        assert part in str(caught.value)


def test_all_browsers_of_the_usual_places_are_listed_once(tmp_path: Path) -> None:
    real, link = tmp_path / "chromium", tmp_path / "google-chrome"
    real.touch()
    link.symlink_to(real)
    other = "/opt/microsoft/msedge/msedge"
    runs = only(str(real), str(link), other)
    found = installed({"PATH": str(tmp_path)}, platform="linux", runs=runs)
    assert found == [link, Path(other)]
