"""A ref that was printed works, and is never printed again for another element."""

from __future__ import annotations

import asyncio
import itertools
import random
import re
from collections.abc import Iterator

import pytest
from werkzeug import Request, Response

from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_tree
from viewpoint_mcp.page.isolated_world import WorldGoneError

LISTENER = "<script>document.querySelector('form').addEventListener('click', () => 0)</script>"
PRINTED = re.compile(r'(\w+) "([^"]*)".*?\[ref=(\w+)\]')


def refs_in(snapshot: str) -> set[str]:
    return set(re.findall(r"\[ref=(\w+)\]", snapshot))


async def test_numbers_continue_after_a_document_that_was_walked_twice(agent: Agent) -> None:
    # The form's listener is news to the first walk, so a second one follows at once.
    page = f"<form><button type=button>A</button><input aria-label=B></form>{LISTENER}"
    first = refs_in(await agent.open(page))
    second = refs_in(await agent.open("<button>C</button><button>D</button>"))
    assert len(first) == 2
    assert first.isdisjoint(second)


async def test_a_result_of_a_replaced_document_is_refused(agent: Agent) -> None:
    await agent.open("<button>A</button>")
    frame = services_of(agent.page).frames.main
    world = await frame.world()
    numbers = frame.element_numbers.next_number
    frame.note_new_document(frame.session, frame.document_id, frame.url)
    with pytest.raises(WorldGoneError):
        await world.call("find", "body")
    assert frame.element_numbers.next_number == numbers


# ---- any sequence of what pages and agents do


def controls(names: Iterator[int], *, frame: str = "") -> str:
    """Return controls with names that no other element ever has."""
    rows = "".join(
        f"<li>{next(names)} <button type=button>n{next(names)}</button>"
        for _ in range(random.Random(next(names)).randint(1, 4))
    )
    return (
        f"<form method=post><ul>{rows}</ul><input aria-label=n{next(names)}>"
        f"<a href='?'>n{next(names)}</a><button>n{next(names)}</button></form>{frame}"
    )


SCRIPT = """<script>
let made = 0;
const stamp = STAMP;
const fresh = () => Object.assign(document.createElement("button"), { textContent: `s${stamp}x${made++}` });
const actions = {
  add: () => document.forms[0].append(fresh()),
  rerender: () => { document.querySelector("ul").replaceChildren(fresh(), fresh()); },
  listen: () => { for (const at of document.querySelectorAll("form, ul, li")) at.addEventListener("click", () => 0); },
  frame: () => { const f = document.querySelector("iframe"); if (f) f.src = `/inner?${made++}`; },
  unframe: () => document.querySelector("iframe")?.remove(),
};
</script>"""  # noqa: E501

STEPS = (
    "go",
    "reload",
    "submit",
    "back",
    "add",
    "rerender",
    "listen",
    "frame",
    "unframe",
    "cancel",
)


class EndlessSite:
    """A site with endless pages, and the refs that were printed for them."""

    def __init__(self, agent: Agent, site: Site, seed: int) -> None:
        self.agent = agent
        self.random = random.Random(seed)
        self.names = itertools.count()
        self.printed: dict[str, str] = {}
        self.url = site.handle("/page", self.answer)
        site.handle("/inner", self.answer_inner)

    def answer(self, request: Request) -> Response:
        if request.method == "POST" and request.content_length and next(self.names) % 2:
            return Response(status=303, headers={"Location": "/page?posted"})
        frame = f"<iframe src='/inner?{next(self.names)}'></iframe>"
        script = SCRIPT.replace("STAMP", str(next(self.names)))
        return Response(controls(self.names, frame=frame) + script, mimetype="text/html")

    def answer_inner(self, _: Request) -> Response:
        script = (
            SCRIPT.replace("STAMP", str(next(self.names))) + "<script>actions.listen()</script>"
        )
        return Response(controls(self.names) + script, mimetype="text/html")

    async def snapshot(self) -> None:
        for role, name, ref in PRINTED.findall(await self.agent.snapshot()):
            line = f'{role} "{name}"'
            assert self.printed.setdefault(ref, line) == line

    async def step(self, kind: str) -> None:
        page = self.agent.page
        match kind:
            case "go":
                await page.navigate(f"{self.url}?{next(self.names)}")
            case "reload":
                await page.navigate(page.url)
            case "submit":
                async with page.settle_afterwards():
                    await page.evaluate("document.forms[0].requestSubmit()")
            case "back":
                await page.navigate(self.url)
                await page.go_back()
            case "cancel":
                looking = asyncio.ensure_future(self.agent.snapshot())
                for _ in range(self.random.randint(1, 60)):
                    await asyncio.sleep(0)
                looking.cancel()
                await asyncio.wait([looking])
            case _:
                async with page.settle_afterwards():
                    await page.evaluate(f"actions.{kind}()")


@pytest.mark.time_limit(60)
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.prove) for seed in range(1, 4))]
)
async def test_no_ref_is_ever_printed_for_another_element(
    agent: Agent, site: Site, seed: int
) -> None:
    endless = EndlessSite(agent, site, seed)
    await endless.step("go")
    for _ in range(30):
        await endless.snapshot()
        await endless.step(endless.random.choice(STEPS))
    await endless.snapshot()
    assert len(endless.printed) > 50


# ---- a ref that was printed works

CLICKED = "<p id=p></p><script>const told = (event) => { p.textContent = 'clicked' };"


async def test_a_part_of_a_drawing_with_a_listener_is_clicked(agent: Agent) -> None:
    drawing = "<svg width=90 height=90><g id=g><rect width=90 height=90 /></g></svg>"
    before = await agent.open(f"{drawing}{CLICKED} g.addEventListener('click', told)</script>")
    ref = re.search(r"generic.*\[ref=(\w+)\]", before)
    assert ref, before
    part = await agent.page.find_element(ref[1])
    assert "clicked" in await agent.click(part)
    assert ref[0] in render_tree((await agent.page.snapshot(part)).nodes)


async def test_a_link_without_an_address_is_clicked(agent: Agent) -> None:
    link = "<a id=g style='cursor:pointer'>More</a>"
    before = await agent.open(f"{link}{CLICKED} g.addEventListener('click', told)</script>")
    assert 'link "More"' in before
    assert "clicked" in await agent.click("More")
