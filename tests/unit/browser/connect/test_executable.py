"""The browser to launch, and the error when there is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from viewpoint_mcp.browser.connect.executable import find_executable
from viewpoint_mcp.errors import BrowserError

PATH = {"PATH": "/usr/local/bin:/usr/bin"}


def only(*paths: str) -> Callable[[str], bool]:
    return lambda path: path in paths


def test_the_flag_overrides_the_environment() -> None:
    environ = {"VIEWPOINT_MCP_EXECUTABLE": "/env/chrome"}
    found = find_executable(
        Path("/flag/chrome"), None, environ, can_run=only("/flag/chrome", "/env/chrome")
    )
    assert found == Path("/flag/chrome")


@pytest.mark.parametrize("variable", ["VIEWPOINT_MCP_EXECUTABLE", "CHROMIUM_PATH"])
def test_the_environment_overrides_the_usual_places(variable: str) -> None:
    environ = PATH | {variable: "/env/chrome"}
    found = find_executable(None, None, environ, can_run=only("/env/chrome", "/usr/bin/chromium"))
    assert found == Path("/env/chrome")


def test_a_missing_named_browser_is_an_error_that_names_its_source() -> None:
    with pytest.raises(BrowserError, match=r"/no/chrome, named by CHROMIUM_PATH, does not exist"):
        find_executable(None, None, {"CHROMIUM_PATH": "/no/chrome"})


def test_a_named_browser_that_cannot_be_run_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "chrome"
    file.write_text("")
    with pytest.raises(BrowserError, match=r"named by --executable-path, cannot be executed"):
        find_executable(file, None, {})


def test_a_channel_is_not_answered_with_another_browser() -> None:
    with pytest.raises(BrowserError, match=r"No browser of the channel msedge") as caught:
        find_executable(None, "msedge", PATH, can_run=only("/usr/bin/chromium"), platform="linux")
    assert "browser_install" not in str(caught.value)


def test_a_missing_browser_is_an_error_with_the_searched_places_and_advice() -> None:
    with pytest.raises(BrowserError) as caught:
        find_executable(None, None, PATH, can_run=only(), platform="linux")
    words = ("google-chrome-stable", "chromium", "apt-get install", "--executable-path")
    for part in (*words, "browser_install"):
        assert part in str(caught.value)
