"""Chromium is started, and always ends without leaving anything behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cdp_protocol import LaunchError
from cdp_protocol.launching.arguments import LaunchOptions
from cdp_protocol.launching.process import BrowserProcess
from cdp_protocol.launching.temporary_profile import PROFILE_PREFIX, remove_leftover_profiles
from tests.browser.cdp.traces import (
    NO_NETWORK,
    find_processes,
    find_profiles,
    use_short_directory,
    wait_until_gone,
)

OWNER = """
import asyncio, sys
from pathlib import Path
from cdp_protocol.launching.arguments import LaunchOptions
from cdp_protocol.launching.process import BrowserProcess

async def main():
    options = LaunchOptions(executable=Path(sys.argv[1]), sandbox=False, args=(sys.argv[2],))
    process = await BrowserProcess.launch(options)
    print(process.user_data_dir, flush=True)
    await process.exited.wait()

asyncio.run(main())
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="launched otherwise there")


@pytest.fixture
def options(chromium: str) -> LaunchOptions:
    return LaunchOptions(executable=Path(chromium), sandbox=False, args=(NO_NETWORK,))


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], LaunchOptions]:
    """Return options that launch a shell script in Chromium's place."""

    def make(body: str, timeout: float = 10) -> LaunchOptions:
        path = tmp_path / "chrome"
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o700)
        return LaunchOptions(executable=path, timeout=timeout)

    return make


@pytest.fixture(autouse=True)
def temporary_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    with use_short_directory(monkeypatch):
        yield


async def fetch_version(process: BrowserProcess) -> dict[str, str]:
    address = process.websocket_url.replace("ws:", "http:").partition("/devtools")[0]

    def fetch() -> dict[str, str]:
        with urllib.request.urlopen(f"{address}/json/version", timeout=5) as response:
            return dict(json.load(response))

    return await asyncio.to_thread(fetch)


async def test_a_launched_browser_answers_at_its_address(options: LaunchOptions) -> None:
    async with await BrowserProcess.launch(options) as process:
        version = await fetch_version(process)
        assert version["webSocketDebuggerUrl"] == process.websocket_url
        assert process.pid in find_processes(str(process.user_data_dir))


async def test_close_leaves_no_process_and_no_profile(options: LaunchOptions) -> None:
    process = await BrowserProcess.launch(options)
    await process.close()
    await process.close()
    assert process.exited.is_set()
    assert process.exit_status == 0
    assert not process.user_data_dir.exists()
    assert await wait_until_gone(str(process.user_data_dir), 2)


async def test_a_given_profile_is_kept(options: LaunchOptions, tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    given = LaunchOptions(
        executable=options.executable,
        sandbox=False,
        args=options.args,
        user_data_dir=profile,
    )
    async with await BrowserProcess.launch(given):
        with pytest.raises(LaunchError, match=r"in use by process \d+"):
            await BrowserProcess.launch(given)
    assert (profile / "Default").is_dir()


async def test_a_killed_owner_leaves_no_browser(chromium: str, tmp_path: Path) -> None:
    marker = f"owner-of-{tmp_path.name}-{os.getpid()}"
    owner = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", OWNER, chromium, NO_NETWORK),
        stdout=asyncio.subprocess.PIPE,
        env=os.environ | {"CDP_TEST_OWNER": marker, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert owner.stdout is not None
    profile = Path(os.fsdecode(await owner.stdout.readline()).strip())
    assert len(find_processes(marker)) > 3
    owner.send_signal(signal.SIGKILL)
    assert await wait_until_gone(marker, 2)
    await owner.wait()
    assert remove_leftover_profiles(PROFILE_PREFIX) == [profile]
    assert find_profiles() == []


async def test_a_killed_browser_is_noticed(options: LaunchOptions) -> None:
    async with await BrowserProcess.launch(options) as process:
        os.kill(process.pid, signal.SIGKILL)
        await asyncio.wait_for(process.exited.wait(), 5)
        assert process.exit_status == -signal.SIGKILL
    assert await wait_until_gone(str(process.user_data_dir), 2)


async def test_a_browser_that_does_not_exit_is_killed(options: LaunchOptions) -> None:
    process = await BrowserProcess.launch(options)
    os.kill(process.pid, signal.SIGSTOP)
    await process.close(grace=0.2)
    assert process.exit_status == -signal.SIGKILL
    assert not process.user_data_dir.exists()


async def test_an_executable_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match=r"none exited at once with status 127(.|\n)*not found"):
        await BrowserProcess.launch(LaunchOptions(executable=tmp_path / "none"))
    assert find_profiles() == []


async def test_the_output_of_an_executable_that_exits_at_once_is_quoted(
    script: Callable[..., LaunchOptions],
) -> None:
    with pytest.raises(LaunchError, match=r"status 3\. .*sandbox=False(.|\n)*No usable sandbox"):
        await BrowserProcess.launch(script("echo No usable sandbox! >&2; exit 3"))
    assert find_profiles() == []


async def test_a_browser_without_output_is_killed_after_the_timeout(
    script: Callable[..., LaunchOptions],
) -> None:
    options = script("exec sleep 60", timeout=0.3)
    with pytest.raises(LaunchError, match=r"debugging port within 0.3 s"):
        await BrowserProcess.launch(options)
    assert find_profiles() == []
    assert await wait_until_gone(str(options.executable.parent), 2)


async def test_a_flood_on_stderr_does_not_block(script: Callable[..., LaunchOptions]) -> None:
    flood = "head -c 5000000 /dev/zero | tr '\\0' 'x' | fold -w 100 >&2"
    expected = "echo DevTools listening on ws://x/y >&2; cat <&3 >/dev/null"
    async with await BrowserProcess.launch(script(f"{flood}\n{expected}")) as process:
        assert process.websocket_url == "ws://x/y"
        assert len(process.stderr_tail) < 100_000


@pytest.mark.parametrize("moment", [0, 0.001, 0.02, 0.06, 0.1, 0.2])
async def test_a_cancelled_launch_leaves_nothing(options: LaunchOptions, moment: float) -> None:
    launch = asyncio.create_task(BrowserProcess.launch(options))
    await asyncio.wait([launch], timeout=moment)
    if not launch.cancel():
        await launch.result().close()
    await asyncio.wait([launch])
    assert find_profiles() == []
    assert await wait_until_gone(f"{tempfile.gettempdir()}/{PROFILE_PREFIX}", 2)
