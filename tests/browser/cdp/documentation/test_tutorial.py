"""docs/cdp.md is true of a real Chromium and the site that it describes."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.browser.cdp.chromium import Chromium
from tests.browser.cdp.documentation.tutorial import ROOT, Step, read_files, read_steps
from tests.site import Site

pytestmark = pytest.mark.prove

HERE = "http://localhost:8000"
BROWSER = "http://127.0.0.1:9222"
TYPES = {"html": "text/html", "js": "text/javascript"}


@pytest.fixture
def address(site: Site) -> str:
    """Return the address of the tutorial's site."""
    for name, text in read_files("Tutorial").items():
        path = "/" if name == "index.html" else f"/{name}"
        site.respond(path, text, content_type=TYPES[name.partition(".")[2]])
    return site.url("").rstrip("/")


@pytest.fixture
async def namespace(
    chromium: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[dict[str, Any]]:
    """Return the names of the tutorial's shell."""
    monkeypatch.setenv("CHROMIUM_PATH", chromium)
    namespace: dict[str, Any] = {}
    yield namespace
    if "browser" in namespace:
        await namespace["browser"].close()


async def test_each_step_of_the_tutorial_prints_the_documented_output(
    address: str, namespace: dict[str, Any]
) -> None:
    all_steps = list(read_steps("Tutorial"))
    assert len(all_steps) == 10

    for step in all_steps:
        printed = (await step.with_address(HERE, address).run(namespace)).replace(address, HERE)
        assert printed == step.printed, f"docs/cdp.md, the block of line {step.line}"


async def output_of(program: Step) -> str:
    """Run a block in a separate Python process, and return its output."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", program.code, stdout=PIPE)
    printed, _ = await process.communicate()
    assert process.returncode == 0
    return printed.decode()


async def test_the_program_about_the_protocol_prints_the_documented_output() -> None:
    [program] = read_steps("The protocol as data")

    assert (await output_of(program)).strip() == program.printed.strip()


async def test_the_program_without_asyncio_prints_the_documented_output(
    shared_chromium: Chromium,
) -> None:
    [program] = read_steps("Without asyncio")
    there = shared_chromium.url.replace("ws://", "http://").partition("/devtools/")[0]

    assert await output_of(program.with_address(BROWSER, there)) == program.printed


async def test_the_program_of_the_readme_prints_the_status(
    site: Site, chromium: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHROMIUM_PATH", chromium)
    [program] = read_steps("For protocol scripts", ROOT / "README.md")

    printed = await output_of(
        program.with_address("https://example.org", site.page("Hello", status=203))
    )

    assert printed == "203\n"
