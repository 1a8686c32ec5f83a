"""Calls of the tools of a page: results, failures, dialogs, navigations, and calls without end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.browser.page.webmcp.test_offered_tools import CHILD, offered, wait_until_offered
from tests.site import Site
from viewpoint_mcp.errors import (
    PageChangedError,
    PageClosedError,
    PageCrashedError,
    PageTimeoutError,
)
from viewpoint_mcp.page.webmcp.webmcp import ToolOutcome

PAGE = """<title>Tools</title><p id=log></p><script>
const log = document.querySelector("#log");
const offer = (name, execute, signal) => document.modelContext.registerTool(
  { name, description: name, execute }, { signal });
window.gone = new AbortController();
offer("add", ({ a, b }) => a + b);
offer("write", async () => { log.textContent = "written"; return { content: [] } });
offer("nothing", () => {});
offer("throws", () => { throw new TypeError("bad") });
offer("rejects", async () => { throw "plain" });
offer("null", () => { throw null });
offer("circular", () => { const a = {}; a.a = a; return a });
offer("large", () => "x".repeat(2e6));
offer("asks", () => { const yes = confirm("Sure?"); log.textContent = "answered"; return { yes } });
offer("waits", () => new Promise(() => {}));
offer("loops", () => { for (;;); });
offer("leaves", () => { location.href = "/next"; return new Promise(() => {}) });
const elsewhere = origin.replace("127.0.0.1", "localhost");
offer("departs", () => { location.href = elsewhere + "/next"; return new Promise(() => {}) });
offer("gone", () => 1, gone.signal);
</script>
<form toolname=order tooldescription=Order id=order><input name=email type=email required>
<select name=size><option>S<option>L</select><button>Order</button></form>
<form toolname=find tooldescription=Find toolautosubmit action=/next><input name=q></form>
<script>order.onsubmit = (event) => { event.preventDefault();
  if (event.agentInvoked) event.respondWith(Promise.resolve("ordered")); }</script>"""


@pytest.fixture
async def at_page(agent: Agent, site: Site) -> Agent:
    site.page("<title>Next</title>", path="/next")
    await agent.go(site.page(PAGE))
    return agent


async def call(agent: Agent, name: str, **params: Any) -> ToolOutcome:
    assert agent.page.webmcp is not None
    tool = next(tool for key, tool in offered(agent).items() if key.endswith(f" {name}"))
    async with agent.page.settle_afterwards():
        return await agent.page.webmcp.call(tool, params)


@pytest.mark.parametrize(
    ("name", "params", "output"),
    [
        ("add", {"a": 1, "b": 2}, 3),
        ("write", {}, {"content": []}),
        ("nothing", {}, "undefined"),
        ("large", {}, "x" * 2_000_000),
    ],
)
async def test_a_tool_returns_a_value(
    at_page: Agent, name: str, params: dict[str, Any], output: object
) -> None:
    assert await call(at_page, name, **params) == ToolOutcome("completed", output)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("throws", "TypeError: bad"),
        ("rejects", "plain"),
        ("null", "null"),
        ("circular", "circular structure"),
    ],
)
async def test_a_tool_that_fails_gives_its_reason(at_page: Agent, name: str, words: str) -> None:
    outcome = await call(at_page, name)
    assert outcome.kind == "failed"
    assert words in outcome.error


async def test_tools_of_other_processes_are_called_in_their_frames(
    agent: Agent, site: Site
) -> None:
    other = site.page(CHILD.replace("'child' }", "location.hostname }")).replace(
        "127.0.0.1", "localhost"
    )
    await agent.go(site.page(f"<iframe src={other} allow=tools></iframe>"))
    await wait_until_offered(agent, "f1 search")
    assert await call(agent, "search") == ToolOutcome("completed", "localhost")


async def test_a_dialog_ends_the_wait_and_the_result_follows_as_an_event(at_page: Agent) -> None:
    page = at_page.page
    assert await call(at_page, "asks") == ToolOutcome("blocked")
    assert page.blockers.dialog is not None
    page.take_events()
    await page.answer_current_or_next_dialog(accept=True)
    assert await at_page.run("log.textContent") == "answered"
    assert page.take_events() == [
        'The tool "asks" of the page returned; text of the page: {"yes": true}'
    ]


async def test_a_call_without_end_is_cancelled(at_page: Agent) -> None:
    with pytest.raises(PageTimeoutError, match="did not end within 1 s and was cancelled"):
        await call(at_page, "waits")
    assert await call(at_page, "add", a=1, b=1) == ToolOutcome("completed", 2)
    assert at_page.page.take_events(omits_navigation=True) == []


async def test_a_call_that_the_client_cancels_is_cancelled_in_the_page(at_page: Agent) -> None:
    session = services_of(at_page.page).session
    async with session.expect("WebMCP.toolInvoked") as invoked:
        calling = asyncio.create_task(call(at_page, "waits"))
        await invoked
    async with session.expect("WebMCP.toolResponded") as responded:
        calling.cancel()
        assert (await responded)["status"] == "Canceled"
    with pytest.raises(asyncio.CancelledError):
        await calling
    assert at_page.page.take_events(omits_navigation=True) == []


async def test_a_script_without_end_is_stopped(at_page: Agent) -> None:
    with pytest.raises(PageTimeoutError, match="ran for 1 s and was stopped"):
        await call(at_page, "loops")
    assert await call(at_page, "add", a=1, b=1) == ToolOutcome("completed", 2)


@pytest.mark.parametrize("name", ["leaves", "departs", "find"])
async def test_a_tool_can_lead_to_another_document(at_page: Agent, name: str) -> None:
    assert await call(at_page, name) == ToolOutcome("left")
    assert await at_page.page.title() == "Next"
    assert offered(at_page) == {}


async def test_a_form_is_filled_in_and_its_result_follows_as_an_event(at_page: Agent) -> None:
    assert await call(at_page, "order", email="a@b.test", size="L") == ToolOutcome("filled")
    assert await at_page.run("order.email.value + order.size.value") == "a@b.testL"
    at_page.page.take_events()
    await at_page.click('button "Order"')
    assert at_page.page.take_events() == [
        'The tool "order" of the page returned; text of the page: "ordered"'
    ]


async def test_what_a_person_submits_is_not_recorded(at_page: Agent) -> None:
    assert (await call(at_page, "order", email="a@b.test", size="L")).kind == "filled"
    at_page.page.take_events()
    with at_page.page.handovers.private_time.hold():
        await at_page.click('button "Order"')
    (event,) = at_page.page.take_events()
    assert event == 'The tool "order" of the page ended while a person acted.'


async def test_a_form_refuses_a_value(at_page: Agent) -> None:
    outcome = await call(at_page, "order", email="a@b.test", size="XL")
    assert outcome == ToolOutcome("failed", error='Invalid value "XL" for parameter size')


async def test_a_tool_that_was_removed_is_named(at_page: Agent) -> None:
    assert at_page.page.webmcp is not None
    tool = offered(at_page)["f0 gone"]
    await at_page.run("gone.abort()")
    async with at_page.page.settle_afterwards():
        with pytest.raises(PageChangedError, match='no longer offers the tool "gone"'):
            await at_page.page.webmcp.call(tool, {})


async def test_a_crash_ends_the_call(at_page: Agent) -> None:
    session = services_of(at_page.page).session
    async with session.expect("WebMCP.toolInvoked") as invoked:
        calling = asyncio.create_task(call(at_page, "waits"))
        await invoked
    async with session.expect("Inspector.targetCrashed") as crashed:
        crashing = asyncio.create_task(session.send("Page.crash"))
        await crashed
    with pytest.raises(PageCrashedError):
        await calling
    crashing.cancel()
    assert offered(at_page) == {}


async def test_closing_the_page_ends_the_call(at_page: Agent) -> None:
    session = services_of(at_page.page).session
    async with session.expect("WebMCP.toolInvoked") as invoked:
        calling = asyncio.create_task(call(at_page, "waits"))
        await invoked
    at_page.page.blockers.note_page_closed()
    with pytest.raises(PageClosedError):
        await calling
