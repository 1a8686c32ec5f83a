"""--user-data-dir and --isolated: lifetime of the data, and the report about a profile in use."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import ServerClient
from tests.e2e.support.processes import find_browser, find_descendants, wait_for_all_to_end
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)

REMEMBER = """() => {
  document.cookie = 'login=anna; max-age=3600';
  localStorage.setItem('basket', 'apples');
}"""
RECALL = "() => `${document.cookie} ${localStorage.getItem('basket')}`"


async def read_stored_value(server: ServerClient, url: str, context: str | None = None) -> str:
    await server.call("browser_navigate", url=url, context=context)
    reply = await server.call("browser_evaluate", function=RECALL, context=context)
    return reply.sections["Result"]


async def remember(server: ServerClient, url: str) -> None:
    await server.call("browser_navigate", url=url)
    reply = await server.call("browser_evaluate", function=REMEMBER)
    assert not reply.is_error


async def test_a_given_profile_keeps_logins(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    url = site.page("<h1>Here</h1>")
    async with open_server("--user-data-dir=profile", cwd=tmp_path) as server:
        await remember(server, url)
        # The data of another context is not saved.
        await server.call("browser_context_create", name="other")
        assert await read_stored_value(server, url) == " null"
    async with open_server("--user-data-dir=profile", cwd=tmp_path) as server:
        assert await read_stored_value(server, url) == "login=anna apples"


async def test_without_a_cache_nothing_is_kept(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    url = site.page("<h1>Here</h1>")
    async with open_server(cwd=tmp_path) as server:
        await remember(server, url)
    async with open_server(cwd=tmp_path) as server:
        assert await read_stored_value(server, url) == " null"


@pytest.mark.prove
async def test_isolated_contexts_are_off_the_record(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    url = site.page("<h1>Here</h1>")
    async with open_server("--isolated", cwd=tmp_path) as server:
        listed = await server.call("browser_context_list")
        assert '"name": "default"' in listed.text
        await remember(server, url)
        # One tab, the server's: the browser shows none of its own.
        tabs = (await server.call("browser_tabs", action="list")).sections["Result"]
        assert len(tabs.splitlines()) == 1
        assert tabs.endswith(f"({url})")
        assert await read_stored_value(server, url) == "login=anna apples"
        await server.call("browser_context_create", name="other")
        await server.call("browser_context_close", name="default")
        assert await read_stored_value(server, url, "default") == " null"


@pytest.mark.prove
async def test_the_last_tab_of_an_isolated_context_can_be_closed(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    url = site.page("<h1>Here</h1>")
    async with open_server("--isolated", cwd=tmp_path) as server:
        await remember(server, url)
        browser = find_browser(server.process.pid)
        assert "No open tabs" in (await server.call("browser_tabs", action="close")).text
        assert await read_stored_value(server, url) == "login=anna apples"
        assert find_browser(server.process.pid) == browser


async def test_isolated_and_a_profile_contradict_each_other(
    open_server: StartServer, tmp_path: Path
) -> None:
    async with open_server("--isolated", "--user-data-dir=profile", cwd=tmp_path) as server:
        assert await server.wait_for_exit() == 2
        assert "--isolated uses no profile" in server.stderr
        assert not (tmp_path / "profile").exists()


@pytest.mark.prove
async def test_the_error_about_a_profile_in_use_names_the_process_and_alternatives(
    open_server: StartServer, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    flag = f"--user-data-dir={tmp_path / 'profile'}"
    async with open_server(flag, cwd=tmp_path) as first, open_server(flag, cwd=other) as second:
        await first.call("browser_navigate", url="about:blank")
        reply = await second.call("browser_navigate", url="about:blank")
        assert reply.is_error
        holder = f"in use by process {find_browser(first.process.pid)} ("
        assert holder in reply.sections["Error"]
        for way_out in ("--isolated", "--user-data-dir", "--cdp-endpoint", "--auto-connect"):
            assert way_out in reply.sections["Error"]
        # Neither was disturbed: the first continues, and the second can use the profile afterwards.
        assert not (await first.call("browser_snapshot")).is_error
        await first.close()
        assert not (await second.call("browser_navigate", url="about:blank")).is_error


@pytest.mark.prove
async def test_the_second_of_two_servers_that_start_on_one_profile_reports_it(
    open_server: StartServer, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    flag = f"--user-data-dir={tmp_path / 'profile'}"
    async with open_server(flag, cwd=tmp_path) as first, open_server(flag, cwd=other) as second:
        both = (first, second)
        await asyncio.gather(*(server.initialize() for server in both))
        replies = await asyncio.gather(
            *(server.call("browser_navigate", url="about:blank") for server in both)
        )
        (refused,) = [reply for reply in replies if reply.is_error]
        assert "in use by" in refused.sections["Error"]
        assert "--isolated" in refused.sections["Error"]


@pytest.mark.prove
@pytest.mark.parametrize("lock", ["another-host-1", "{host}-{pid}"])
async def test_the_lock_of_a_killed_browser_blocks_no_later_browser(
    open_server: StartServer, tmp_path: Path, site: Site, lock: str
) -> None:
    url = site.page("<h1>Here</h1>")
    link = tmp_path / "profile" / "SingletonLock"
    async with open_server("--user-data-dir=profile", cwd=tmp_path) as server:
        await remember(server, url)
        processes = find_descendants(server.process.pid)
        os.kill(server.process.pid, signal.SIGKILL)
        assert await wait_for_all_to_end(processes, 10)
        link.unlink(missing_ok=True)
        # The container has another name now; or the pid is another's, here this test's.
        link.symlink_to(lock.format(host=os.uname().nodename, pid=os.getpid()))
        await server.wait_for_exit()
    async with open_server("--user-data-dir=profile", cwd=tmp_path) as server:
        reply = await server.call("browser_navigate", url=url)
        assert not reply.is_error, reply.text
        assert str(link.readlink()).endswith(f"-{find_browser(server.process.pid)}")


async def test_a_profile_that_cannot_be_used_reports_its_cause(
    open_server: StartServer, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    async with open_server("--user-data-dir=file", cwd=tmp_path) as server:
        reply = await server.call("browser_navigate", url="about:blank")
        assert reply.is_error
        assert f"The profile {tmp_path / 'file'} cannot be used: File exists." in reply.text
        assert "--user-data-dir" in reply.sections["Error"]
        assert await server.tools()


@pytest.mark.prove
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is of Linux")
async def test_a_home_that_cannot_be_written_to_is_no_hindrance(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    nowhere = {
        name: f"/proc/no-such-{name.lower()}"
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")
    }
    async with open_server(cwd=tmp_path, env=nowhere | {"XDG_RUNTIME_DIR": "/proc/none"}) as server:
        reply = await server.call("browser_navigate", url=site.page("<h1>Here</h1>"))
        assert "Here" in reply.sections["Snapshot"]
