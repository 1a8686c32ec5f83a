"""Two readers of one page: a ref that one of them was shown keeps its meaning for both."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.accessibility.diff.equality import iterate_nodes_at_any_depth
from viewpoint_mcp.caller import Caller, set_caller
from viewpoint_mcp.errors import StaleRefError

T = TypeVar("T")
PAGE = """<nav><a href="/a">Start of the shop</a><a href="/b">All teas</a></nav>
<main><ul id=list></ul></main>
<script>
  const show = (...names) => {
    list.innerHTML = names.map(name => `<li>Order <button>${name}</button>`).join("");
  };
</script>"""


class Other(Caller):
    """A reader that is not the client of the session."""

    reader = "other"


async def by_other(work: Coroutine[Any, Any, T]) -> T:
    """Run work for the other reader."""

    async def run() -> T:
        set_caller(Other())
        return await work

    return await asyncio.create_task(run())


async def look(agent: Agent) -> dict[str, str]:
    """Show the page to a reader; return the refs of its buttons and links by their names."""
    capture = await agent.page.snapshot()
    agent.page.baselines.current.set_tree(capture.tree, agent.page.document_id)
    return {node.name: node.ref for node in iterate_nodes_at_any_depth(capture.nodes) if node.ref}


async def test_a_ref_that_one_reader_knows_carries_over_in_the_look_of_the_other(
    agent: Agent, site: Site
) -> None:
    await agent.page.navigate(site.page(PAGE))
    await agent.page.evaluate("() => show('Save', 'Send')")
    first = await look(agent)
    await agent.page.evaluate("() => show('Save', 'Print')")
    assert (await by_other(look(agent)))["Save"] == first["Save"]


async def test_a_ref_that_the_other_reader_was_shown_does_not_change(
    agent: Agent, site: Site
) -> None:
    await agent.page.navigate(site.page(PAGE))
    await agent.page.evaluate("() => show('Save', 'Send')")
    await look(agent)
    await agent.page.evaluate("() => show('Print', 'Copy')")
    shown = await by_other(look(agent))
    # The button that the other reader knows becomes equal to one that the first reader knew.
    await agent.page.evaluate(
        "() => { const [button] = list.querySelectorAll('button'); button.textContent = 'Save';"
        " list.insertAdjacentHTML('beforeend', '<li>Order <button>New</button>') }"
    )
    for refs in (await look(agent), await by_other(look(agent))):
        assert refs["Save"] == shown["Print"]
        assert refs["Copy"] == shown["Copy"]


async def test_each_reader_has_a_baseline_and_both_end_with_the_document(
    agent: Agent, site: Site
) -> None:
    baselines = agent.page.baselines
    await agent.page.navigate(site.page(PAGE))
    await look(agent)
    document = agent.page.document_id

    async def has_baseline() -> bool:
        return baselines.current.nodes_for(document) is not None

    assert await has_baseline()
    assert not await by_other(has_baseline())
    await by_other(look(agent))
    assert await by_other(has_baseline())
    await agent.page.navigate(site.page("<h1>Other</h1>"))
    assert not await has_baseline()
    assert not await by_other(has_baseline())


async def test_only_the_navigation_of_a_page_that_the_other_reader_opened_can_be_acted_on(
    agent: Agent, site: Site
) -> None:
    first, second = (site.page(PAGE.replace("</script>", "show('Save')</script>")) for _ in "ab")
    await agent.page.navigate(first)
    refs = await look(agent)
    await agent.page.navigate(second)
    assert await by_other(look(agent)) == refs
    await agent.page.find_element(refs["All teas"])
    with pytest.raises(StaleRefError, match="belongs to a document that is no longer shown"):
        await agent.page.find_element(refs["Save"])
    await agent.page.find_element(refs["Save"])  # the error described the new document
