"""Pages of a published package, with all their scripts: looked at again and again, they live on."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from scripts.fetch_corpus import PACKAGES
from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.prove.fidelity.pages.packages import serve

pytestmark = pytest.mark.prove

APPLICATIONS = ["form", "form_advanced", "calendar", "kanban", "tables_dynamic", "index"]
LOOKS = 8
REF = re.compile(r"\[ref=(\w+)\]")


@pytest.fixture(scope="module")
def package() -> Iterator[str]:
    """Return the address of the package's pages."""
    directory = next(each.directory for each in PACKAGES if each.name == "gentelella")
    with serve(directory / "dist", {}) as base:
        yield f"{base}/production"


@pytest.mark.parametrize("name", APPLICATIONS)
async def test_an_application_is_looked_at_again_and_again(
    agent: Agent, package: str, name: str
) -> None:
    await agent.go(f"{package}/{name}.html")
    for number in range(LOOKS):
        # This discards everything that is cached.
        await agent.run(f"() => {{ document.body.dataset.look = {number} }}")
        assert "[ref=e" in await agent.snapshot()
        # Garbage collection shows wrong numbers of Chromium.
        await services_of(agent.page).session.send("HeapProfiler.collectGarbage")
    assert not agent.page.blockers.is_crashed


@pytest.mark.parametrize("name", APPLICATIONS)
async def test_every_ref_of_the_first_snapshot_still_means_the_same_element(
    agent: Agent, package: str, name: str
) -> None:
    refs = REF.findall(await agent.go(f"{package}/{name}.html"))
    assert len(set(refs)) == len(refs)
    for ref in refs:
        await (await agent.page.find_element(ref)).check_exists()
