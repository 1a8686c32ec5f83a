"""Refs carry over to equal elements of the next document, and to no others."""

from __future__ import annotations

import json
import random
import re

import pytest
from werkzeug import Request, Response

from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.accessibility.diff.equality import iterate_nodes_at_any_depth
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
    known = page.baselines.current.find_known_parts(capture.tree)
    folded = render_tree(fold_known_parts(capture.tree, known))
    page.baselines.current.set_tree(capture.tree, page.document_id)
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


RENDERING_PAGE = """
<nav><ul id=places></ul></nav><main><h1>Tasks</h1><ul id=tasks></ul><p id=state></p></main>
<script>
  const item = ([name, isDone]) => {
    const box = `<input type=checkbox aria-label=Done ${isDone ? "checked" : ""}>`;
    return `<li>${box}${name}<button>Delete</button>`;
  };
  const place = (name) => `<li><a href="#">${name}</a>`;
  const show = (places, tasks) => {
    window.former = document.querySelector("#tasks").firstElementChild;
    document.querySelector("#places").innerHTML = places.map(place).join("");
    document.querySelector("#tasks").innerHTML = tasks.map(item).join("");
  };
</script>
"""


async def show_lines(agent: Agent) -> dict[str, str]:
    """Show the page to an agent; return what each ref stands for."""
    capture = await agent.page.snapshot()
    agent.page.baselines.current.set_tree(capture.tree, agent.page.document_id)
    now: dict[str, str] = {}
    for item in iterate_nodes_at_any_depth(capture.nodes):
        if item.role == "listitem":
            text = " ".join(each for each in item.children if isinstance(each, str))
            for node in iterate_nodes_at_any_depth([item]):
                if node.ref:
                    assert node.ref not in now
                    now[node.ref] = f"{text}: {node.role} {node.name}"
    return now


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.prove)])
async def test_refs_carry_over_to_items_that_are_rendered_again(
    agent: Agent, site: Site, seed: int
) -> None:
    choices = random.Random(seed)
    await agent.page.navigate(site.page(RENDERING_PAGE))
    printed: dict[str, str] = {}
    carried = 0
    tasks = [(f"Task number {number}", number % 3 == 0) for number in range(8)]
    for number in range(30):
        changed = list(tasks)
        position = choices.randrange(len(changed))
        match choices.randrange(4):
            case 0:
                changed[position] = (f"Other task {number}", False)
            case 1:
                changed[position] = (changed[position][0], not changed[position][1])
            case 2:
                changed.append(changed[position])
            case 3:
                choices.shuffle(changed)
        arguments = json.dumps([choices.sample(PLACES, 8), changed])
        await agent.page.evaluate(f"() => show(...{arguments})")
        now = await show_lines(agent)
        carried += len(now.keys() & printed.keys())
        assert {ref: printed.get(ref, what) for ref, what in now.items()} == now
        printed |= now
    assert carried > 100


async def test_an_element_that_returns_after_its_ref_carried_over_gets_another_ref(
    agent: Agent, site: Site
) -> None:
    await agent.page.navigate(site.page(RENDERING_PAGE))
    tasks = json.dumps([[], [["Tea", True], ["Milk", False]]])
    await agent.page.evaluate(f"() => show(...{tasks})")
    before = await show_lines(agent)
    await agent.page.evaluate(f"() => show(...{tasks})")
    assert await show_lines(agent) == before
    await agent.page.evaluate("() => document.querySelector('#tasks').append(former)")
    now = await show_lines(agent)
    assert now.items() > before.items()
    assert len(now) == len(before) + 2
