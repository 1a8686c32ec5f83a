"""The clock of the machine jumps in the middle of each kind of call: nothing changes.

The server gets a `time.time` that the test can shift. The product measures time with the monotonic
clock only. It reads the wall clock for names of files, for the expiry of cookies, for traces and
HAR files, and for the age of a profile whose lock has no owner yet.
"""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import StdioClient
from tests.prove.faults.calls import KINDS, Calls
from tests.prove.faults.conftest import FLAGS
from tests.prove.faults.processes import error_code
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)

DAY = 86_400
_SHIFTED_CLOCK = """
import os, time

real_time = time.time

def shifted_time():
    return real_time() + os.stat(os.environ["CLOCK_SHIFT"]).st_size - 10 * 86_400

time.time = shifted_time
"""


class Clock:
    """The clock of a server. Its shift is the size of a file, which is sparse."""

    def __init__(self, directory: Path) -> None:
        self.hooks = directory / "hooks"
        self.hooks.mkdir()
        (self.hooks / "sitecustomize.py").write_text(_SHIFTED_CLOCK)
        self._file = self.hooks / "shift"
        self.shift(0)

    def shift(self, seconds: int) -> None:
        """Set the clock to the real time plus these seconds, at least minus ten days."""
        with self._file.open("wb") as file:
            file.truncate(10 * DAY + seconds)

    @property
    def env(self) -> dict[str, str]:
        path = os.pathsep.join(filter(None, (str(self.hooks), os.environ.get("PYTHONPATH"))))
        return {"PYTHONPATH": path, "CLOCK_SHIFT": str(self._file)}


@pytest.fixture
def clock(tmp_path: Path) -> Clock:
    return Clock(tmp_path)


@pytest.fixture
async def faulty(
    open_server: StartServer, tmp_path: Path, clock: Clock
) -> AsyncIterator[StdioClient]:
    """Return a server whose clock the test can shift."""
    (tmp_path / "file.txt").write_text("x")
    flags = (*FLAGS[1:], "--caps=pdf,storage", "--idle-timeout=60000")
    async with open_server(*flags, cwd=tmp_path, env=clock.env) as server:
        await server.initialize()
        yield server


@pytest.mark.parametrize("seconds", [7 * DAY, -7 * DAY], ids=["forwards", "backwards"])
async def test_a_jump_of_the_clock_affects_no_call(
    faulty: StdioClient, calls: Calls, clock: Clock, seconds: int
) -> None:
    await calls.start()
    clock.shift(seconds)
    await faulty.request("ping")
    assert calls.list_running() >= {kind.name for kind in KINDS if kind.tool and not kind.is_short}
    calls.gate.open()
    for name, (reply, _) in (await calls.finish()).items():
        assert error_code(reply) is None, f"{name}: {reply.text}"
    for kind in KINDS:
        assert error_code(await faulty.call("browser_snapshot", context=kind.name)) is None


async def test_the_clock_of_the_server_is_shifted(
    faulty: StdioClient, clock: Clock, site: Site
) -> None:
    """A cookie that expires in an hour has expired for a server that is a week ahead."""
    await faulty.call("browser_navigate", url=site.page("<h1>Tea</h1>"))
    cookie: dict[str, Any] = {"name": "tea", "value": "green", "expires": time.time() + 3600}
    assert error_code(await faulty.call("browser_cookie_set", **cookie)) is None
    clock.shift(7 * DAY)
    assert error_code(await faulty.call("browser_cookie_set", **cookie)) == "invalid_argument"
