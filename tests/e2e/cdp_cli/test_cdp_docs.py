"""The commands in docs/cdp.md print the output shown there."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from cdp_protocol import Session
from tests.browser.cdp.documentation.tutorial import ROOT, read_files
from tests.e2e.support.users_browser import UserBrowser, run_browser
from tests.site import Site

HERE = "http://localhost:8000"
TYPES = {"html": "text/html", "js": "text/javascript"}


def examples() -> Iterator[tuple[str, str]]:
    """Yield every command of the section and the output below it."""
    text = (ROOT / "docs" / "cdp.md").read_text(encoding="utf-8")
    section = text.partition("\n## The command line\n")[2].partition("\n## ")[0]
    for block in re.findall(r"```console\n(.*?)```", section, re.DOTALL):
        for example in block.split("$ ")[1:]:
            command, _, shown = example.partition("\n")
            yield command, shown


@pytest.fixture
def address(site: Site) -> str:
    """Return the address of the tutorial's site."""
    for name, text in read_files("Tutorial").items():
        path = "/" if name == "index.html" else f"/{name}"
        site.respond(path, text, content_type=TYPES[name.partition(".")[2]])
    return site.url("").rstrip("/")


@pytest.fixture
async def tutorial_browser(
    executable: str, tmp_path: Path, address: str
) -> AsyncIterator[UserBrowser]:
    """Return a browser that shows the tutorial's page."""
    async with run_browser(executable, tmp_path / "profile", f"{address}/") as user_browser:
        async with user_browser.act_as_user() as hands:
            while "worker" not in await target_types(hands.root):  # noqa: ASYNC110 - no event
                await asyncio.sleep(0.02)
        yield user_browser


async def target_types(browser: Session) -> set[str]:
    """Return of which kinds its targets are."""
    return {each["type"] for each in (await browser.Target.getTargets())["targetInfos"]}


async def test_each_command_prints_the_output_below_it(
    tutorial_browser: UserBrowser, address: str, tmp_path: Path
) -> None:
    cdp = tmp_path / "bin" / "cdp"
    cdp.parent.mkdir()
    cdp.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cdp_protocol "$@"\n')
    cdp.chmod(0o755)
    env = {"PATH": f"{cdp.parent}:{os.environ['PATH']}", "CDP_ENDPOINT": str(tutorial_browser.port)}
    all_examples = list(examples())
    assert len(all_examples) == 10

    for command, shown in all_examples:
        process = await asyncio.create_subprocess_shell(
            command,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=os.environ | env,
        )
        printed = (await process.communicate())[0].decode().replace(address, HERE)
        pattern = ".*".join(map(re.escape, shown.split("…")))
        assert re.fullmatch(pattern, printed), f"{command}\n{printed}"
