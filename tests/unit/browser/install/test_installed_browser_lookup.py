"""Directories of installed browsers on each platform, and the builds for each machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cdp_protocol.launching.executable import is_executable
from viewpoint_mcp.browser.connect.executable import find_executable
from viewpoint_mcp.browser.install import installed_browser_lookup, releases
from viewpoint_mcp.errors import BrowserError


@pytest.mark.parametrize(
    ("platform", "environ", "expected"),
    [
        ("linux", {"HOME": "/me"}, "/me/.local/share/viewpoint-mcp/browser"),
        ("linux", {"HOME": "/me", "XDG_DATA_HOME": "/d"}, "/d/viewpoint-mcp/browser"),
        ("linux", {"HOME": "/me", "XDG_DATA_HOME": "d"}, "/me/.local/share/viewpoint-mcp/browser"),
        ("darwin", {"HOME": "/me"}, "/me/Library/Application Support/viewpoint-mcp/browser"),
        ("win32", {"LOCALAPPDATA": r"C:\me\Local"}, r"C:\me\Local\viewpoint-mcp\browser"),
        ("linux", {"HOME": "/me", "VIEWPOINT_MCP_BROWSER_DIR": "/opt/b"}, "/opt/b"),
    ],
)
def test_each_platform_has_its_place_for_data(
    platform: str, environ: dict[str, str], expected: str
) -> None:
    assert str(installed_browser_lookup.get_browsers_directory(environ, platform)) == expected


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_without_a_home_there_is_no_place(platform: str) -> None:
    assert installed_browser_lookup.get_browsers_directory({}, platform) is None


@pytest.mark.parametrize(
    ("platform", "machine", "target"),
    [
        ("linux", "x86_64", "linux64"),
        ("darwin", "arm64", "mac-arm64"),
        ("darwin", "x86_64", "mac-x64"),
        ("win32", "AMD64", "win64"),
        ("win32", "ARM64", "win64"),
        ("win32", "x86", "win32"),
    ],
)
def test_each_machine_gets_its_own_browser(platform: str, machine: str, target: str) -> None:
    assert releases.get_platform_name(platform, machine, has_glibc=True) == target


@pytest.mark.parametrize(
    ("platform", "machine", "has_glibc", "words"),
    [
        ("linux", "aarch64", True, "no Chrome for Testing for linux on aarch64"),
        ("freebsd14", "amd64", False, "no Chrome for Testing for freebsd14 on amd64"),
        ("linux", "x86_64", False, "needs glibc"),
    ],
)
def test_a_platform_without_a_build_is_an_error_with_manual_advice(
    platform: str, machine: str, has_glibc: bool, words: str
) -> None:
    with pytest.raises(BrowserError, match=words) as caught:
        releases.get_platform_name(platform, machine, has_glibc=has_glibc)
    assert "--executable-path" in str(caught.value)


def install(place: Path, version: str, executable: str) -> Path:
    path = place / version / executable
    path.parent.mkdir(parents=True)
    path.touch(mode=0o755)
    return path


MAC = "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"


@pytest.mark.parametrize(
    ("platform", "executable"),
    [
        ("linux", "chrome-linux64/chrome"),
        ("darwin", f"chrome-mac-arm64/{MAC}"),
        ("darwin", f"chrome-mac-x64/{MAC}"),
        ("win32", "chrome-win64/chrome.exe"),
        ("win32", "chrome-win32/chrome.exe"),
    ],
)
def test_the_newest_installed_browser_comes_after_named_ones_and_before_the_usual_places(
    tmp_path: Path, platform: str, executable: str
) -> None:
    environ = {"VIEWPOINT_MCP_BROWSER_DIR": str(tmp_path), "PATH": "/usr/bin"}
    install(tmp_path, "99.0.0.9", executable)
    newest = install(tmp_path, "140.0.1.10", executable)
    install(tmp_path, "140.0.1.9", executable)
    (tmp_path / "unpacked-x").mkdir()
    (tmp_path / "141.0.0.0").mkdir()  # and nothing in it

    def runs(path: str) -> bool:
        return path == "/named" or is_executable(path)

    assert find_executable(None, None, environ, platform=platform, can_run=runs) == newest
    assert find_executable(None, "chrome", environ, platform=platform, can_run=runs) == newest
    named = environ | {"CHROMIUM_PATH": "/named"}
    assert find_executable(None, None, named, platform=platform, can_run=runs) == Path("/named")


def test_the_installed_browser_is_not_edge(tmp_path: Path) -> None:
    environ = {"VIEWPOINT_MCP_BROWSER_DIR": str(tmp_path)}
    install(tmp_path, "140.0.1.10", "chrome-linux64/chrome")
    with pytest.raises(BrowserError, match="msedge"):
        find_executable(
            None, "msedge", environ, platform="linux", can_run=lambda path: "edge" not in path
        )


def version_list(version: object = "140.0.1.2", url: object = "https://x/chrome.zip") -> bytes:
    chrome = [{"platform": "linux64", "url": url}]
    stable = {"version": version, "downloads": {"chrome": chrome}}
    return json.dumps({"channels": {"Stable": stable}}).encode()


def test_the_list_names_the_address_unless_there_is_a_mirror() -> None:
    assert releases.parse_release(version_list(), "linux64", None).url == "https://x/chrome.zip"
    mirror = releases.read_mirror({"VIEWPOINT_MCP_DOWNLOAD_HOST": "mirror.example/cft/"})
    release = releases.parse_release(version_list(), "mac-arm64", mirror)
    assert release.url == "https://mirror.example/cft/140.0.1.2/mac-arm64/chrome-mac-arm64.zip"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (version_list(version="../../evil"), "is not the list"),
        (version_list(version=140), "is not the list"),
        (b"\xff", "is not the list"),
        (version_list(url="file:///etc/passwd"), "There is no Chrome for Testing 140.0.1.2"),
        (version_list(url=None), "There is no Chrome for Testing 140.0.1.2"),
    ],
)
def test_a_list_that_cannot_be_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(BrowserError, match=words):
        releases.parse_release(data, "linux64", None)


def test_a_platform_that_is_not_in_the_list_is_an_error() -> None:
    with pytest.raises(BrowserError, match=r"no Chrome for Testing 140\.0\.1\.2 for mac-x64"):
        releases.parse_release(version_list(), "mac-x64", None)


@pytest.mark.parametrize("host", ["ftp://mirror", "https://", "file:///mirror"])
def test_a_mirror_that_is_no_site_is_refused(host: str) -> None:
    with pytest.raises(BrowserError, match="VIEWPOINT_MCP_DOWNLOAD_HOST"):
        releases.read_mirror({"VIEWPOINT_MCP_DOWNLOAD_HOST": host})


@pytest.mark.parametrize("host", ["https://me:hunter2@mirror.example/cft", "me:hunter2@mirror"])
def test_a_mirror_with_a_password_is_refused_and_not_repeated(host: str) -> None:
    with pytest.raises(
        BrowserError, match="VIEWPOINT_MCP_DOWNLOAD_HOST has a user name"
    ) as refused:
        releases.read_mirror({"VIEWPOINT_MCP_DOWNLOAD_HOST": host})
    assert "hunter2" not in str(refused.value)
    assert "me:" not in str(refused.value)
