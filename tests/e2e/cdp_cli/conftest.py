"""`python -m cdp_protocol`, and one Chromium for all tests that use it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest

from cdp_protocol import Session, connect
from tests.e2e.support.users_browser import UserBrowser, run_browser

FIRST = "data:text/html,<title>First</title>"

OpenPage = Callable[..., Awaitable[Session]]


@dataclass(frozen=True)
class CommandResult:
    """A command that has ended.

    Attributes:
        out: Its stdout.
        err: Its stderr.
    """

    status: int | None
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def json(self) -> list[Any]:
        """Return its stdout, each line parsed as JSON."""
        return [orjson.loads(line) for line in self.lines]


class Command:
    """A command that runs."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self._told = b""

    async def wait_for_stderr(self, words: str) -> None:
        """Wait until its stderr contains the words."""
        assert self.process.stderr is not None
        while words not in self._told.decode():
            line = await self.process.stderr.readline()
            assert line, f"it ended and said only: {self._told.decode()}"
            self._told += line

    async def line(self) -> str:
        """Wait for the next line that it prints."""
        assert self.process.stdout is not None
        return (await self.process.stdout.readline()).decode().rstrip("\n")

    def interrupt(self) -> None:
        """Press Ctrl+C."""
        self.process.send_signal(signal.SIGINT)

    async def end(self, given: bytes | None = None) -> CommandResult:
        """Wait for its end."""
        out, err = await self.process.communicate(given)
        return CommandResult(
            self.process.returncode, (out or b"").decode(), (self._told + err).decode()
        )


class Cli:
    """Runs `cdp`.

    Args:
        endpoint: Of the browser; set in the environment.
        cwd: Its working directory.
    """

    def __init__(self, endpoint: str, cwd: Path) -> None:
        self.endpoint = endpoint
        self._cwd = cwd

    async def __call__(self, *words: str, given: bytes = b"", **env: str) -> CommandResult:
        """Run it to its end.

        Args:
            given: Its stdin.
            env: Further variables of its environment.
        """
        async with self.start(*words, stdout=PIPE, **env) as command:
            return await command.end(given)

    @asynccontextmanager
    async def start(self, *words: str, stdout: int = PIPE, **env: str) -> AsyncIterator[Command]:
        """Start it, and end it at the latest with the block."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "cdp_protocol", *words),
            stdin=PIPE,
            stdout=stdout,
            stderr=PIPE,
            limit=1 << 26,
            cwd=self._cwd,
            env={**os.environ, "CDP_ENDPOINT": self.endpoint, "HOME": str(self._cwd), **env},
        )
        try:
            yield Command(process)
        finally:
            if process.returncode is None:
                process.kill()
                await process.communicate()


@pytest.fixture(scope="session")
async def chromium_of_users(
    executable: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[UserBrowser]:
    """Return a Chromium with one page."""
    async with run_browser(executable, tmp_path_factory.mktemp("cdp"), FIRST) as user_browser:
        await user_browser.wait_for_tabs(lambda tabs: any(tab["title"] == "First" for tab in tabs))
        yield user_browser


@pytest.fixture
def cdp(chromium_of_users: UserBrowser, tmp_path: Path) -> Cli:
    """Return `await cdp("send", ...)`."""
    return Cli(str(chromium_of_users.port), tmp_path)


@pytest.fixture
async def open_page(cdp: Cli) -> AsyncIterator[OpenPage]:
    """Return `await show(url)`: another page, attached to by the test, loaded; closed after it."""
    async with connect(cdp.endpoint, timeout=20) as browser:
        ids: list[str] = []

        async def show(url: str) -> Session:
            made = await browser.Target.createTarget(url="about:blank")
            ids.append(made["targetId"])
            page = await browser.attach(made)
            await page.Page.enable()
            async with page.expect(page.Page.loadEventFired) as loaded:
                await page.Page.navigate(url=url)
                await loaded
            return page

        yield show
        known = (await browser.Target.getTargets())["targetInfos"]
        for target_id in ids:
            if any(target["targetId"] == target_id for target in known):
                await browser.Target.closeTarget(targetId=target_id)
