"""Discovery of a user's running browser, and the error when there is none."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from viewpoint_mcp.browser.connect.discovery import find_running_browser, get_default_profiles
from viewpoint_mcp.config.settings import Channel
from viewpoint_mcp.errors import BrowserError

HOME = {"HOME": "/home/me"}


@pytest.mark.parametrize(
    ("platform", "channel", "environ", "place"),
    [
        ("linux", "chrome", HOME, "/home/me/.config/google-chrome"),
        ("linux", "chromium", HOME, "/home/me/snap/chromium/common/chromium"),
        ("linux", "msedge", {**HOME, "XDG_CONFIG_HOME": "/cfg"}, "/cfg/microsoft-edge"),
        ("linux", "chrome", {**HOME, "CHROME_CONFIG_HOME": "/cfg"}, "/cfg/google-chrome"),
        ("darwin", "chrome", HOME, "/home/me/Library/Application Support/Google/Chrome"),
        ("darwin", "msedge", HOME, "/home/me/Library/Application Support/Microsoft Edge"),
        ("linux", "chrome-dev", HOME, "/home/me/.config/google-chrome-unstable"),
        ("darwin", "chrome-beta", HOME, "/home/me/Library/Application Support/Google/Chrome Beta"),
        ("win32", "chrome-canary", {"LOCALAPPDATA": r"C:\L"}, r"C:\L\Google\Chrome SxS\User Data"),
        ("win32", "chrome", {"LOCALAPPDATA": r"C:\L"}, r"C:\L\Google\Chrome\User Data"),
        ("win32", "msedge", {"LOCALAPPDATA": r"C:\L"}, r"C:\L\Microsoft\Edge\User Data"),
    ],
)
def test_each_system_has_its_places(
    platform: str, channel: Channel, environ: dict[str, str], place: str
) -> None:
    assert Path(place) in get_default_profiles(channel, environ, platform)


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_chrome_is_searched_before_similar_browsers_and_a_channel_excludes_them(
    platform: str,
) -> None:
    environ = {**HOME, "LOCALAPPDATA": r"C:\L"}
    every = [str(place).lower() for place in get_default_profiles(None, environ, platform)]
    assert "google" in every[0]
    assert any("chromium" in place for place in every)
    assert "edge" in every[-1]
    chosen = [str(place).lower() for place in get_default_profiles("msedge", environ, platform)]
    assert all("edge" in place for place in chosen)


def test_without_a_home_there_are_no_places() -> None:
    assert not any(
        get_default_profiles(None, {}, platform) for platform in ("linux", "darwin", "win32")
    )


@pytest.fixture
async def port() -> AsyncIterator[int]:
    """Return a port that accepts connections."""
    hung_up = asyncio.Event()

    def accept(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()
        hung_up.set()

    async with await asyncio.start_server(accept, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]
        await hung_up.wait()


def profile(home: Path, name: str, port: int) -> Path:
    directory = home / ".config" / name
    directory.mkdir(parents=True)
    (directory / "DevToolsActivePort").write_text(f"{port}\n/devtools/browser/{name}")
    return directory


async def test_the_first_browser_that_listens_is_used_and_a_stale_file_is_skipped(
    tmp_path: Path, port: int, unused_tcp_port: int
) -> None:
    profile(tmp_path, "google-chrome", unused_tcp_port)
    profile(tmp_path, "chromium", port)
    found = await find_running_browser(None, None, {"HOME": str(tmp_path)}, platform="linux")
    assert found == f"ws://127.0.0.1:{port}/devtools/browser/chromium"


async def test_only_a_named_profile_is_searched(tmp_path: Path, port: int) -> None:
    chosen = profile(tmp_path, "mine", port)
    found = await find_running_browser(chosen, "chrome", {"HOME": "/nowhere"}, platform="linux")
    assert found == f"ws://127.0.0.1:{port}/devtools/browser/mine"


async def test_a_stale_port_file_is_reported_as_stale(tmp_path: Path, unused_tcp_port: int) -> None:
    stale = profile(tmp_path, "google-chrome", unused_tcp_port)
    with pytest.raises(BrowserError, match="a browser that has ended left the file") as caught:
        await find_running_browser(None, "chrome", {"HOME": str(tmp_path)}, platform="linux")
    assert f"{stale}: its DevToolsActivePort names port {unused_tcp_port}" in str(caught.value)


async def test_a_missing_browser_is_reported_with_the_searched_places_and_advice(
    tmp_path: Path,
) -> None:
    with pytest.raises(BrowserError, match="No running browser") as caught:
        await find_running_browser(None, "chrome", {"HOME": str(tmp_path)}, platform="linux")
    assert f"{tmp_path}/.config/google-chrome: it has no DevToolsActivePort" in str(caught.value)
    assert "chrome://inspect/#remote-debugging" in str(caught.value)
    assert "since Chrome 136 the port is refused on the default profile" in str(caught.value)
