"""The profile that the server keeps for each browser and working directory."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.e2e.conftest import OpenHttp, StartServer
from tests.e2e.contexts.test_profiles import read_stored_value, remember
from tests.e2e.support.processes import find_browser, find_descendants, wait_for_all_to_end
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)

PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"


@pytest.fixture
def cache(tmp_path: Path) -> dict[str, str]:
    """Return variables that let a server keep profiles below `tmp_path`."""
    return {"VIEWPOINT_MCP_CACHE_DIR": str(tmp_path / "cache")}


def kept_profile(tmp_path: Path) -> Path:
    [profile] = tmp_path.glob("cache/*/profile-*")
    return profile


async def test_logins_survive_in_the_same_directory_only(
    open_server: StartServer, tmp_path: Path, cache: dict[str, str], site: Site
) -> None:
    url = site.page("<h1>Here</h1>")
    (tmp_path / "shop").mkdir()
    (tmp_path / "other").mkdir()
    async with open_server(cwd=tmp_path / "shop", env=cache) as server:
        await remember(server, url)
        # The data of another context is not saved.
        await server.call("browser_context_create", name="other")
        assert await read_stored_value(server, url) == " null"
    async with open_server(cwd=tmp_path / "shop", env=cache) as server:
        reply = await server.call("browser_navigate", url=url)
        assert "profile" not in reply.text + server.stderr
        assert await read_stored_value(server, url) == "login=anna apples"
    profile = kept_profile(tmp_path)
    assert profile.parent.name.startswith("shop-")
    assert profile.stat().st_mode & 0o077 == profile.parent.stat().st_mode & 0o077 == 0
    async with open_server(cwd=tmp_path / "other", env=cache) as server:
        assert await read_stored_value(server, url) == " null"


async def test_a_second_server_has_a_temporary_profile_and_its_first_reply_says_so(
    open_server: StartServer, tmp_path: Path, cache: dict[str, str], site: Site
) -> None:
    url = site.page("<h1>Here</h1>")
    async with open_server(cwd=tmp_path, env=cache) as first:
        await remember(first, url)
        async with open_server(cwd=tmp_path, env=cache) as second:
            replies = [await second.call("browser_navigate", url=url) for _ in range(2)]
            assert await read_stored_value(second, url) == " null"
            pid = find_browser(first.process.pid)
        assert f"{kept_profile(tmp_path)} is in use by process {pid}" in replies[0].text
        assert "has a temporary profile: earlier logins" in replies[0].sections["Events"]
        assert "profile" not in replies[1].text
        assert await read_stored_value(first, url) == "login=anna apples"


@pytest.mark.parametrize("lock", ["another-host-1", "{host}-{pid}"])
async def test_a_killed_server_and_its_browser_block_no_later_one(
    open_server: StartServer, tmp_path: Path, cache: dict[str, str], site: Site, lock: str
) -> None:
    url = site.page("<h1>Here</h1>")
    async with open_server(cwd=tmp_path, env=cache) as server:
        await remember(server, url)
        processes = find_descendants(server.process.pid)
        for pid in (find_browser(server.process.pid), server.process.pid):
            os.kill(pid, signal.SIGKILL)
        assert await wait_for_all_to_end(processes, 10)
        link = kept_profile(tmp_path) / "SingletonLock"
        link.unlink(missing_ok=True)
        # The container has another name now; or the pid is another's, here this test's.
        link.symlink_to(lock.format(host=os.uname().nodename, pid=os.getpid()))
        await server.wait_for_exit()
    async with open_server(cwd=tmp_path, env=cache) as server:
        reply = await server.call("browser_navigate", url=url)
        assert not reply.is_error, reply.text
        assert "profile" not in reply.text
        # Chromium restores no tabs.
        tabs = (await server.call("browser_tabs", action="list")).sections["Result"]
        assert len(tabs.splitlines()) == 1


async def test_a_profile_that_cannot_be_used_is_replaced_for_this_start(
    open_server: StartServer, tmp_path: Path, cache: dict[str, str], site: Site
) -> None:
    url = site.page("<h1>Here</h1>")
    async with open_server(cwd=tmp_path, env=cache) as server:
        await remember(server, url)
    profile = kept_profile(tmp_path)
    last = profile / "Last Version"
    last.write_text("999.0.1.2")
    os.utime(last, (0, 0))  # before the browser's executable was made
    async with open_server(cwd=tmp_path, env=cache) as server:
        reply = await server.call("browser_navigate", url=url)
        assert "last used by version 999 of the browser, and this one is" in reply.text
        assert await read_stored_value(server, url) == " null"
    profile.rename(tmp_path / "moved")
    profile.touch()
    async with open_server(cwd=tmp_path, env=cache) as server:
        reply = await server.call("browser_navigate", url=url)
        assert f"The profile {profile} cannot be used: File exists." in reply.text
        assert not reply.is_error


async def test_pdfs_are_saved_with_a_kept_profile_too(
    open_server: StartServer, tmp_path: Path, cache: dict[str, str], site: Site
) -> None:
    url = site.respond("/a.pdf", PDF, content_type="application/pdf")
    page = site.page(f"<a href={url}>Paper</a>")
    for _ in range(2):
        async with open_server(cwd=tmp_path, env=cache) as server:
            await server.call("browser_navigate", url=page)
            reply = await server.call("browser_click", ref="text=Paper")
            assert "Downloaded file a.pdf" in reply.text


async def test_other_ways_to_choose_the_logins_keep_no_profile(
    open_server: StartServer,
    open_http: OpenHttp,
    tmp_path: Path,
    cache: dict[str, str],
    site: Site,
) -> None:
    url = site.page("<h1>Here</h1>")
    (tmp_path / "state.json").write_text("{}")
    for flag in ("--isolated", "--storage-state=state.json", "--user-data-dir=mine"):
        async with open_server(flag, cwd=tmp_path, env=cache) as server:
            assert not (await server.call("browser_navigate", url=url)).is_error
    async with open_http(cwd=tmp_path, env=cache) as listening, listening.client() as client:
        assert not (await client.call("browser_navigate", url=url)).is_error
    assert not (tmp_path / "cache").exists()
