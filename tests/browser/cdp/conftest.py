"""One Chromium for these tests, and a tab for each."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from cdp_protocol import Browser, ProtocolError, Session, connect
from tests.browser.cdp.chromium import Chromium, launch_chromium
from tests.browser.cdp.documentation.examples import Outcome, Play, run_example


@pytest.fixture(scope="package")
async def shared_chromium(
    chromium: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Chromium]:
    async with launch_chromium(chromium, tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
async def browser(shared_chromium: Chromium) -> AsyncIterator[Browser]:
    async with connect(shared_chromium.url, timeout=10.0) as browser:
        yield browser


@pytest.fixture
async def page(browser: Browser) -> AsyncIterator[Session]:
    """Return the session of a fresh tab."""
    target = await browser.Target.createTarget(url="about:blank")
    async with browser.attach(target) as page:
        yield page
    with suppress(ProtocolError):  # a test may have closed it
        await browser.Target.closeTarget(targetId=target["targetId"])


@pytest.fixture
def run_script(shared_chromium: Chromium, tmp_path: Path) -> Play:
    """Return `play(script, *arguments)`: run it to its end on the browser of these tests."""

    async def play(
        script: str,
        *arguments: object,
        endpoint: str | None = shared_chromium.url,
        **environment: str,
    ) -> Outcome:
        where = ("--endpoint", endpoint) if endpoint else ()
        every = (*arguments, *where)
        async with run_example(script, *every, directory=tmp_path, **environment) as process:
            result, complaint = await process.communicate()
        return Outcome(process.returncode or 0, result.decode().splitlines(), complaint.decode())

    return play
