"""Refs carry over to equal elements of the next document, and to no others."""

from __future__ import annotations

import random
import re

import pytest
from werkzeug import Request, Response

from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.accessibility.known.folding import fold_known_parts
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_tree
from viewpoint_mcp.errors import StaleRefError

PLACES = [f"Place number {number}" for number in range(12)]
ROWS = [f"Order {number} of the year" for number in range(10, 30)]
PART = re.compile(r'(\w+) "([^"]*)" \[ref=(\w+)\](?: -> ([^\s|\']+))?')
RANGE = re.compile(r"(e\d+)(?:-e(\d+))?")


class ChangingSite:
    """A site whose pages share most of their navigation and rows; each row has a button."""

    def __init__(self, site: Site, seed: int) -> None:
        self.random = random.Random(seed)
        self.url = site.handle("/page", self.answer)

    def answer(self, _: Request) -> Response:
        choose = self.random.sample
        places = PLACES if self.random.random() < 0.5 else choose(PLACES, 10)
        links = "".join(f"<li><a href='/{name[-2:].strip()}'>{name}</a>" for name in places)
        rows = sorted(ROWS[:16] if self.random.random() < 0.3 else choose(ROWS, 15))
        if self.random.random() < 0.3:
            rows = choose(rows, len(rows))
        table = "".join(f"<tr><td>{row}<td><button>Delete</button>" for row in rows)
        return Response(
            f"<nav><ul>{links}</ul><button>More</button></nav><main><table>{table}</table></main>"
            f"<footer><a href='/{self.random.randint(1, 3)}'>About this shop</a></footer>",
            mimetype="text/html",
        )


async def show(agent: Agent) -> tuple[str, str]:
    """Show the page to an agent; return the whole and the folded snapshot."""
    page = agent.page
    capture = await page.snapshot()
    known = page.baseline.find_known_parts(capture.tree)
    folded = render_tree(fold_known_parts(capture.tree, known))
    page.baseline.set_tree(capture.tree, page.document_id)
    return render_tree(capture.nodes), folded


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.prove)])
async def test_a_ref_never_stands_for_something_else(agent: Agent, site: Site, seed: int) -> None:
    changing = ChangingSite(site, seed)
    printed: dict[str, str] = {}
    carried = 0
    for number in range(40):
        if number % 7 == 6:
            await agent.page.go_back()
        else:
            await agent.page.navigate(f"{changing.url}?{number}")
        whole, _ = await show(agent)
        now: dict[str, str] = {}
        for line in whole.splitlines():
            for role, name, ref, url in PART.findall(line):
                # A button is distinguished by its row.
                what = (
                    f"{role} {name} {url}" if role == "link" else re.sub(r"\[ref=\w+\]", "", line)
                )
                assert ref not in now
                now[ref] = what.strip()
        carried += len(now.keys() & printed.keys())
        assert {ref: printed.get(ref, what) for ref, what in now.items()} == now
        printed |= now
    assert carried > 200


async def test_all_refs_that_a_remark_names_act_on_the_page(agent: Agent, site: Site) -> None:
    changing = ChangingSite(site, 3)
    remarks = 0
    for number in range(12):
        await agent.page.navigate(f"{changing.url}?{number}")
        whole, folded = await show(agent)
        for line in folded.splitlines():
            if "same as before" not in line:
                continue
            remarks += 1
            for first, last in RANGE.findall(line.partition("same as before")[2]):
                for ref in range(int(first[1:]), int(last or first[1:]) + 1):
                    assert f"[ref=e{ref}]" in whole
                    await (await agent.page.find_element(f"e{ref}")).check_exists()
    assert remarks > 5


async def test_a_ref_that_did_not_carry_over_is_refused(agent: Agent, site: Site) -> None:
    changing = ChangingSite(site, 4)
    known: set[str] = set()
    refused = 0
    for number in range(6):
        await agent.page.navigate(f"{changing.url}?{number}")
        whole, _ = await show(agent)
        present = set(re.findall(r"\[ref=(\w+)\]", whole))
        for ref in sorted(known - present)[:10]:
            with pytest.raises(StaleRefError):
                await agent.page.find_element(ref)
            refused += 1
        known |= present
    assert refused > 10
