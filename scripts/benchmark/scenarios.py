"""The timed actions. Each scenario prepares the page and repeatedly yields the action to time."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from scripts.benchmark.contestants import Contestant
from scripts.benchmark.processes import ContestantFailed
from scripts.benchmark.site import Site

Act = Callable[[], Awaitable[object]]
Acts = AsyncIterator[Act]

# The page changes itself after the call that asks for it has been answered, so that no server
# can answer the next snapshot from one it took then.
TOUCH = """() => {{ setTimeout(() => {{
  document.querySelector("p").textContent = "Touched {count} times";
}}, 250); }}"""
TOUCHED_AFTER = 0.35
FIELDS = 20
LARGE = 16_667  # rows of six elements


@dataclass(frozen=True, slots=True)
class Scenario:
    """One row of the table."""

    name: str
    title: str
    play: Callable[[Contestant, Site], Acts]
    floor_only: bool = False
    ours_only: bool = False


async def navigate(one: Contestant, site: Site) -> Acts:
    """To a small page, from a small page."""
    for count in itertools.count():
        url = site.url(f"small?{one.name.split()[0]}={count}")
        yield partial(one.navigate, url)


def snapshot(page: str) -> Callable[[Contestant, Site], Acts]:
    """A snapshot of a page that changed a little since the last one."""

    async def play(one: Contestant, site: Site) -> Acts:
        await one.navigate(site.url(page))
        for count in itertools.count(1):
            await touch(one, count)
            yield one.snapshot

    return play


async def snapshot_again(one: Contestant, site: Site) -> Acts:
    """Yield a snapshot of a page that did not change since the last one."""
    await one.navigate(site.url("rows?count=500"))
    await one.snapshot()
    while True:
        yield one.snapshot


def ax_tree(page: str) -> Callable[[Contestant, Site], Acts]:
    """Chrome's whole accessibility tree of the same page."""

    async def play(one: Contestant, site: Site) -> Acts:
        await one.navigate(site.url(page))
        for count in itertools.count(1):
            await touch(one, count)
            yield one.ax_tree

    return play


async def touch(one: Contestant, count: int) -> None:
    """Have the page change one paragraph, and wait until it did."""
    await one.evaluate(TOUCH.format(count=count))
    await asyncio.sleep(TOUCHED_AFTER)


async def click_idle(one: Contestant, site: Site) -> Acts:
    """A button without a handler."""
    await one.navigate(site.url("acts"))
    while True:
        ref = await one.find("button", "Rest")
        yield partial(one.click, ref)


async def click_dom(one: Contestant, site: Site) -> Acts:
    """Yield a click on a button whose handler changes a number on the page."""
    await one.navigate(site.url("acts"))
    for count in itertools.count(1):
        ref = await one.find("button", "Count")
        yield partial(one.click, ref)
        await expect(one, '"count=" + document.querySelector("#count").value', f"count={count}")


async def click_navigate(one: Contestant, site: Site) -> Acts:
    """A link to another page."""
    while True:
        await one.navigate(site.url("acts"))
        ref = await one.find("link", "Leave")
        before = site.hits("arrived")
        yield partial(one.follow, ref)
        if site.hits("arrived") == before:
            raise ContestantFailed("the reply came before the navigation began")


async def type_text(one: Contestant, site: Site) -> Acts:
    """Five characters into an empty text box that has the focus."""
    for count in itertools.count(10):
        await one.navigate(site.url("acts"))
        ref = await one.find("textbox", "Name")
        await one.click(ref)
        text = f"abc{count}"
        yield partial(one.type, ref, text)
        await expect(one, '"value=" + document.querySelector("#name").value', f"value={text}")


async def fill_form(one: Contestant, site: Site) -> Acts:
    """A form of twenty empty text boxes."""
    for count in itertools.count(10):
        await one.navigate(site.url("fields"))
        refs = [await one.find("textbox", f"Field {number}") for number in range(1, FIELDS + 1)]
        yield partial(one.fill, dict.fromkeys(refs, f"text {count}"))
        held = f'[...document.querySelectorAll("input")].filter(i => i.value == "text {count}")'
        await expect(one, f'"filled=" + {held}.length', f"filled={FIELDS}")


async def evaluate(one: Contestant, site: Site) -> Acts:
    """The smallest function that gives an answer."""
    await one.navigate(site.url("small"))
    while True:
        yield partial(one.evaluate, "() => 6 * 7")


async def screenshot(one: Contestant, site: Site) -> Acts:
    """Yield a screenshot of the viewport in the server's default format."""
    await one.navigate(site.url("rows?count=50"))
    while True:
        yield one.screenshot


async def expect(one: Contestant, expression: str, wanted: str) -> None:
    """Check that the action had its effect, because a fast action without effect must not count."""
    told = await one.evaluate(f"() => {expression}")
    if wanted not in told:
        raise ContestantFailed(f"the action had no effect: expected {wanted}, the page says {told}")


SCENARIOS = (
    Scenario("navigate", "navigate to a small page", navigate),
    Scenario("snapshot-small", "snapshot, small page", snapshot("small")),
    Scenario("snapshot-50", "snapshot, 50 rows", snapshot("rows?count=50")),
    Scenario("snapshot-500", "snapshot, 500 rows", snapshot("rows?count=500")),
    Scenario("snapshot-2000", "snapshot, 2000 rows", snapshot("rows?count=2000")),
    Scenario("again-500", "snapshot, 500 rows unchanged", snapshot_again),
    Scenario(
        "large", "snapshot, 100,000 elements", snapshot(f"rows?count={LARGE}"), ours_only=True
    ),
    Scenario("ax-tree-50", "getFullAXTree, 50 rows", ax_tree("rows?count=50"), True),
    Scenario("ax-tree-500", "getFullAXTree, 500 rows", ax_tree("rows?count=500"), True),
    Scenario("ax-tree-2000", "getFullAXTree, 2000 rows", ax_tree("rows?count=2000"), True),
    Scenario("click-idle", "click that runs no script", click_idle),
    Scenario("click-dom", "click that changes the DOM", click_dom),
    Scenario("click-navigate", "click that navigates", click_navigate),
    Scenario("type", "type 5 characters", type_text),
    Scenario("fill", f"fill in a form of {FIELDS} fields", fill_form),
    Scenario("evaluate", "evaluate 6 * 7", evaluate),
    Scenario("screenshot", "screenshot of the viewport", screenshot),
)
