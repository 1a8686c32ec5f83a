"""`cdp_protocol.launch`: a browser for as long as a program wants one, and nothing of it after."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cdp_protocol import Browser, ConnectionLost, LaunchError, launch
from tests.browser.cdp.traces import (
    NO_NETWORK,
    find_processes,
    find_profiles,
    use_short_directory,
    wait_until_gone,
)
from tests.e2e.support.processes import wait_until

PROGRAM = """
import asyncio, sys
import cdp_protocol

async def main():
    async with cdp_protocol.launch(sys.argv[1], sandbox=False, args=[sys.argv[2]]) as browser:
        print(browser.process.user_data_dir, flush=True)
        await browser.process.exited.wait()

asyncio.run(main())
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="looks into /proc")


@pytest.fixture(autouse=True)
def temporary_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    with use_short_directory(monkeypatch):
        yield


@pytest.fixture
def launch_quietly(chromium: str) -> partial[Any]:
    """Return `launch` with the options for tests; `args` defaults to `NO_NETWORK`."""
    return partial(launch, chromium, sandbox=False, args=(NO_NETWORK,))


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that makes a shell script to run in place of Chromium."""

    def make(body: str) -> Path:
        path = tmp_path / "chrome"
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o700)
        return path

    return make


@pytest.fixture
def program(chromium: str, tmp_path: Path) -> Callable[[], Any]:
    """Return how to start a program that launches a browser and prints its profile."""

    async def start() -> tuple[asyncio.subprocess.Process, Path]:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", PROGRAM, chromium, NO_NETWORK),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert process.stdout is not None
        return process, Path(os.fsdecode(await process.stdout.readline()).strip())

    return start


async def is_nothing_left() -> bool:
    directory = tempfile.gettempdir()
    return await wait_until_gone(directory, 2) and not await asyncio.to_thread(
        os.listdir, directory
    )


def browser_pid(browser: Browser) -> int:
    assert browser.process is not None
    return browser.process.pid


async def test_a_launched_browser_answers_and_has_ended_after_the_block(
    launch_quietly: partial[Any],
) -> None:
    async with launch_quietly() as browser:
        assert "Chrom" in (await browser.Browser.getVersion())["product"]
        assert browser.endpoint.startswith("ws://127.0.0.1:")
        assert browser_pid(browser) in find_processes(str(find_profiles()[0]))
    assert await is_nothing_left()
    assert browser.process.exit_status == 0
    await browser.close()


async def test_a_browser_that_was_awaited_lives_until_it_is_closed(
    launch_quietly: partial[Any],
) -> None:
    browser = await launch_quietly()
    assert await browser.Target.getTargets()
    await browser.close()
    assert await is_nothing_left()
    with pytest.raises(ConnectionLost):
        await browser.Target.getTargets()


async def test_by_pipe_no_port_is_open(launch_quietly: partial[Any]) -> None:
    async with launch_quietly(by_pipe=True) as browser:
        assert "Chrom" in (await browser.Browser.getVersion())["product"]
        assert browser.endpoint == ""
        assert not (find_profiles()[0] / "DevToolsActivePort").exists()
    assert await is_nothing_left()


async def test_the_options_are_on_the_command_line(launch_quietly: partial[Any]) -> None:
    given = (NO_NETWORK, "--user-agent=Somebody/1.0")
    async with launch_quietly(
        args=given, start_page="data:text/html,<title>First</title>"
    ) as browser:
        assert (await browser.Browser.getVersion())["userAgent"] == "Somebody/1.0"
        urls = [each["url"] for each in (await browser.Target.getTargets())["targetInfos"]]
        assert "data:text/html,<title>First</title>" in urls


async def test_a_browser_may_begin_without_a_tab(launch_quietly: partial[Any]) -> None:
    async with launch_quietly(start_page=None) as browser:
        infos = (await browser.Target.getTargets())["targetInfos"]
        assert [each for each in infos if each["type"] == "page"] == []


async def test_a_given_profile_is_kept_with_its_data(
    launch_quietly: partial[Any], tmp_path: Path
) -> None:
    cookie = {"name": "kept", "value": "yes", "url": "http://localhost", "expires": 4e9}
    async with launch_quietly(user_data_dir=tmp_path / "profile") as browser:
        await browser.Storage.setCookies(cookies=[cookie])
    async with launch_quietly(user_data_dir=str(tmp_path / "profile")) as browser:
        kept = (await browser.Storage.getCookies())["cookies"]
    assert [(each["name"], each["value"]) for each in kept] == [("kept", "yes")]
    assert find_profiles() == []


async def test_a_temporary_profile_begins_with_the_preferences(
    launch_quietly: partial[Any],
) -> None:
    async with launch_quietly(preferences={"homepage": "https://example.org/mine"}):
        written = json.loads((find_profiles()[0] / "Default" / "Preferences").read_bytes())
    assert written["homepage"] == "https://example.org/mine"


async def test_a_profile_in_use_is_refused_and_names_who_has_it(
    launch_quietly: partial[Any], tmp_path: Path
) -> None:
    async with launch_quietly(user_data_dir=tmp_path / "profile") as browser:
        with pytest.raises(
            LaunchError, match=f"in use by process {browser_pid(browser)}"
        ) as caught:
            await launch_quietly(user_data_dir=tmp_path / "profile")
        assert caught.value.cause == "profile in use"
        assert await browser.Target.getTargets()


async def test_a_missing_executable_is_an_error_that_names_its_source(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(LaunchError, match=r"/no/chrome, named by executable, does not exist"):
        await launch("/no/chrome")
    monkeypatch.setenv("CHROMIUM_PATH", "/neither")
    with pytest.raises(LaunchError, match=r"/neither, named by CHROMIUM_PATH, does not exist"):
        await launch()
    assert await is_nothing_left()


async def test_a_browser_that_exits_at_once_is_reported_with_its_last_output(
    script: Callable[[str], Path],
) -> None:
    executable = script("echo the reason >&2; exit 3")
    with pytest.raises(LaunchError) as caught:
        await launch(executable, sandbox=False)
    assert (caught.value.what, caught.value.stderr) == (str(executable), "the reason")
    assert str(caught.value).startswith(f"{executable} exited at once with status 3. Run")
    assert str(caught.value).endswith("Its last output:\nthe reason")
    assert find_profiles() == []


async def test_launching_a_browser_that_never_answers_times_out(
    script: Callable[[str], Path],
) -> None:
    executable = script("exec sleep 60")
    for by_pipe, what in ((False, "open its debugging port"), (True, "answer on its pipe")):
        with pytest.raises(LaunchError, match=f"did not {what} within 0.3 s"):
            await launch(executable, sandbox=False, timeout=0.3, by_pipe=by_pipe)
    assert await wait_until_gone(str(executable.parent), 2)
    assert find_profiles() == []


async def test_a_browser_whose_port_is_not_reachable_is_killed(
    script: Callable[[str], Path], unused_tcp_port: int
) -> None:
    address = f"ws://127.0.0.1:{unused_tcp_port}/devtools/browser/x"
    executable = script(f"echo DevTools listening on {address} >&2; exec sleep 60")
    with pytest.raises(LaunchError, match=r"started but does not answer"):
        await launch(executable, sandbox=False)
    assert await wait_until_gone(str(executable.parent), 2)
    assert find_profiles() == []


async def test_a_browser_that_is_killed_while_it_exits_leaves_no_socket(
    launch_quietly: partial[Any],
) -> None:
    async with launch_quietly() as browser:
        profile = browser.process.user_data_dir
        socket = (profile / "SingletonSocket").readlink()
        for link in profile.glob("Singleton*"):  # as Chromium does first
            link.unlink()
        os.kill(browser.process.pid, signal.SIGKILL)
    assert not socket.parent.exists()


@pytest.mark.parametrize("moment", [0, 0.003, 0.02, 0.1, 0.25])
async def test_a_cancelled_launch_leaves_nothing(
    launch_quietly: partial[Any], moment: float
) -> None:
    async def opened() -> Browser:
        browser: Browser = await launch_quietly()
        return browser

    launching = asyncio.create_task(opened())
    await asyncio.wait([launching], timeout=moment)
    if not launching.cancel():
        await launching.result().close()
    await asyncio.wait([launching])
    assert await is_nothing_left()


async def test_a_cancelled_block_leaves_nothing(launch_quietly: partial[Any]) -> None:
    inside = asyncio.Event()

    async def use() -> None:
        async with launch_quietly():
            inside.set()
            await asyncio.Event().wait()

    using = asyncio.create_task(use())
    await inside.wait()
    using.cancel()
    with pytest.raises(asyncio.CancelledError):
        await using
    assert await is_nothing_left()


@pytest.mark.timing
async def test_a_browser_that_hangs_is_killed_at_the_end(launch_quietly: partial[Any]) -> None:
    async with launch_quietly() as browser:
        os.kill(browser_pid(browser), signal.SIGSTOP)
        began = time.monotonic()
    assert time.monotonic() - began < 3
    assert browser.process.exit_status == -signal.SIGKILL
    assert await is_nothing_left()


async def test_ctrl_c_leaves_nothing(program: Callable[[], Any]) -> None:
    process, profile = await program()
    assert find_processes(str(profile))
    process.send_signal(signal.SIGINT)
    await process.wait()
    assert await is_nothing_left()


async def test_of_a_killed_program_the_browser_ends_and_the_next_launch_removes_the_profile(
    program: Callable[[], Any], launch_quietly: partial[Any]
) -> None:
    process, profile = await program()
    await wait_until(lambda: len(find_processes(str(profile))) > 3)
    process.kill()
    await process.wait()
    assert await wait_until_gone(str(profile), 2)
    assert find_profiles() == [profile]
    async with launch_quietly():
        assert profile not in find_profiles()
    assert await is_nothing_left()
