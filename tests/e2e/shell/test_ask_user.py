"""`viewpoint ask-user`: the first command prints the URL for the person, the second one waits."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from tests.e2e.conftest import OpenHere
from tests.e2e.handoff.test_ask_user_headless import press_done
from tests.e2e.handoff.viewer import Viewer
from tests.e2e.shell.conftest import Shell, finish
from tests.site import Site

pytestmark = pytest.mark.time_limit(90)


async def test_a_person_acts_in_the_browser_of_the_shell(
    shell: Shell, open_here: OpenHere, tmp_path: Path, site: Site
) -> None:
    await shell.run("open", site.page("<title>Log in</title><h1>Log in</h1>"))
    printed = (await shell.run("ask-user", "Please log in")).text
    url = re.search(r"http://127\.0\.0\.1:\d+/\S+", printed)
    refused = await shell.run("click", "h1")
    waiting = asyncio.create_task(finish(await shell.start("ask-user", "Please log in")))
    async with open_here("--caps=vision", cwd=tmp_path) as client:
        await client.initialize()
        viewer = Viewer(client)
        assert url is not None, printed
        await viewer.open(url[0])
        await press_done(viewer)
        done = (await waiting).text

    assert "Outcome: waiting" in printed
    assert refused.status == 1
    assert "A person acts in this tab." in refused.stderr
    assert "Outcome: done" in done
