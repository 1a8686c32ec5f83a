"""Which tools a page offers: scripts, forms, frames, navigation, and pages that misbehave."""

from __future__ import annotations

import asyncio
import json

from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.page.webmcp.offered_tools import OfferedTool

SHOP = """<title>Shop</title><script>
const offer = (name, more) => document.modelContext.registerTool(
  { name, description: `The ${name}`, execute: () => name, ...more });
offer("search", { annotations: { readOnlyHint: true, untrustedContentHint: true }, inputSchema: {
  type: "object", properties: { query: { type: "string" } }, required: ["query"] } });
offer("buy", { annotations: { consequentialHint: true } });
</script>
<form toolname=subscribe tooldescription=Subscribe><input name=email required></form>
<form toolname=find tooldescription=Find toolautosubmit><input name=q></form>"""
CHILD = """<script>document.modelContext.registerTool(
  { name: 'search', description: 'child', execute: () => 'child' })</script>"""


def offered(agent: Agent) -> dict[str, OfferedTool]:
    """Return the tools by the number of the frame and the name."""
    assert agent.page.webmcp is not None
    return {f"f{frame.number} {tool.name}": tool for frame, tool in agent.page.webmcp.tools}


async def wait_until_offered(agent: Agent, *names: str) -> dict[str, OfferedTool]:
    """Wait until the page offers these tools and no others."""
    async with asyncio.timeout(5):
        while set(found := offered(agent)) != set(names):  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.01)
    return found


async def test_tools_of_scripts_and_forms_have_their_schemas_and_hints(
    agent: Agent, site: Site
) -> None:
    await agent.go(site.page(SHOP))
    tools = offered(agent)
    assert set(tools) == {"f0 subscribe", "f0 find", "f0 search", "f0 buy"}
    search, buy, subscribe = tools["f0 search"], tools["f0 buy"], tools["f0 subscribe"]
    assert search.description == "The search"
    assert json.loads(search.schema)["properties"] == {"query": {"type": "string"}}
    assert (search.required, search.annotations) == (("query",), ("readOnly", "untrustedContent"))
    assert (buy.schema, buy.annotations, buy.is_form) == ("", ("consequential",), False)
    assert (subscribe.required, subscribe.is_submitted_by_hand) == (("email",), True)
    assert not tools["f0 find"].is_submitted_by_hand


async def test_tools_come_and_go_without_a_navigation(agent: Agent, site: Site) -> None:
    await agent.go(site.page("<p>empty</p>"))
    assert offered(agent) == {}
    await agent.run(
        "window.leave = new AbortController();"
        "document.modelContext.registerTool({ name: 'late', description: 'x', execute() {} },"
        " { signal: leave.signal })"
    )
    (late,) = (await wait_until_offered(agent, "f0 late")).values()
    await agent.run("leave.abort()")
    await wait_until_offered(agent)
    assert agent.page.webmcp is not None
    assert not agent.page.webmcp.tools.has(late)


async def test_a_navigation_drops_the_tools_and_going_back_restores_them(
    agent: Agent, site: Site
) -> None:
    await agent.go(site.page(SHOP))
    names = set(offered(agent))
    before = offered(agent)["f0 buy"]
    await agent.go(site.page(CHILD))
    assert set(offered(agent)) == {"f0 search"}
    await agent.page.go_back()
    await wait_until_offered(agent, *names)
    assert offered(agent)["f0 buy"] is not before
    await agent.page.reload()
    assert set(offered(agent)) == names


async def test_tools_of_frames_of_the_same_and_of_another_site(agent: Agent, site: Site) -> None:
    child = site.page(CHILD)
    other = child.replace("127.0.0.1", "localhost")
    await agent.go(
        site.page(
            f"<iframe src={child}></iframe><iframe src={other} allow=tools></iframe>"
            f"<iframe src={other}></iframe>{CHILD}"
        )
    )
    await wait_until_offered(agent, "f0 search", "f1 search", "f2 search")
    assert list(offered(agent)) == ["f0 search", "f1 search", "f2 search"]
    await agent.run("for (const frame of document.querySelectorAll('iframe')) frame.remove()")
    await wait_until_offered(agent, "f0 search")


async def test_a_page_cannot_fill_the_memory_with_tools(agent: Agent, site: Site) -> None:
    await agent.go(
        site.page(
            "<script>for (let n = 0; n < 1100; n++) document.modelContext.registerTool({"
            "name: `tool-${n}`, description: 'x'.repeat(5000), execute() {}, inputSchema:"
            "{ type: 'object', properties: { q: { description: 'y'.repeat(9000) } },"
            " required: Array(500).fill('q') } })</script>"
        )
    )
    async with asyncio.timeout(10):
        while len(tools := offered(agent)) < 1000:  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.01)
    assert len(tools) == 1000
    assert all(len(tool.description) < 2100 for tool in tools.values())
    assert all(len(tool.schema) < 8100 and len(tool.required) == 100 for tool in tools.values())


async def test_a_page_without_tools_is_explained(agent: Agent, site: Site) -> None:
    assert agent.page.webmcp is not None
    await agent.go(site.page("<p>empty</p>"))
    assert await agent.page.webmcp.explain_absence() == ""
    await agent.load("<p>a data: URL is not secure</p>")
    assert "needs a page with https" in await agent.page.webmcp.explain_absence()
