"""Calls without a session name their context by a handle."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import threading
from contextlib import nullcontext
from pathlib import Path

import pytest
from werkzeug import Request, Response

from tests.browser.clients import Client, Server
from tests.e2e.support.client import Reply
from tests.e2e.support.processes import wait_until
from tests.site import Site
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.tools.core.runner import ExecutorWithLog, Runner
from viewpoint_mcp.tools.core.sessionless_call_executor import SessionlessCallExecutor

pytestmark = pytest.mark.time_limit(60)


@pytest.fixture
def client(server: Server) -> Client:
    return server.request()


def handle_in(reply: Reply) -> str:
    """Return the handle that a reply contains."""
    assert not reply.is_error, reply.text
    found = re.findall(r'Pass context: "([^"]+)" in each further call', reply.text)
    assert len(found) == 1, reply.text
    return str(found[0])


@pytest.mark.parametrize(
    ("tool", "rest"), [("browser_navigate", {}), ("browser_tabs", {"action": "new"})]
)
async def test_opening_a_page_without_a_context_makes_one_and_reports_its_handle(
    client: Client, site: Site, tool: str, rest: dict[str, str]
) -> None:
    url = site.page("<h1>Here</h1>")
    reply = await client.call(tool, url=url, **rest)
    handle = handle_in(reply)
    assert re.fullmatch(r"page-[\w-]{22}", handle)
    data = reply.raw.get("structuredContent")
    assert (data is None) is (tool == "browser_navigate")
    assert data is None or handle in data["notes"]
    look = await client.call("browser_snapshot", context=handle)
    assert "Here" in look.text
    assert "Pass context" not in look.text


async def test_a_batch_opens_a_context_or_acts_in_one(client: Client, site: Site) -> None:
    url = site.page("<h1>Here</h1><input>")
    opening = {"tool": "browser_navigate", "arguments": {"url": url}}
    typing = {"tool": "browser_type", "arguments": {"ref": "input", "text": "Ada"}}
    handle = handle_in(await client.call("browser_batch", calls=[opening, typing]))
    reply = await client.call("browser_batch", calls=[{"tool": "snapshot"}], context=handle)
    assert "Ada" in reply.text
    reply = await client.call("browser_batch", calls=[typing])
    assert reply.sections["Error"].startswith("browser_batch needs a context")
    closing = {"tool": "browser_context_close", "arguments": {"name": handle}}
    reply = await client.call("browser_batch", calls=[typing, closing], context=handle)
    assert "Step 2 (browser_context_close): Without a session" in reply.sections["Error"]


async def test_contexts_of_the_same_name_have_different_handles_and_storage(
    client: Client, site: Site
) -> None:
    url = site.page("<p>Here</p>")
    handles = [
        handle_in(await client.call("browser_context_create", name="work")) for _ in range(2)
    ]
    assert len(set(handles)) == 2
    for handle in handles:
        assert handle.startswith("work-")
        await client.go(url, context=handle)
        function = f"document.cookie = 'of={handle}'"
        await client.call("browser_evaluate", function=function, context=handle)
    for handle in handles:
        answer = await client.call("browser_evaluate", function="document.cookie", context=handle)
        assert answer.sections["Result"] == f"of={handle}"


async def test_calls_in_different_contexts_run_in_parallel(client: Client, site: Site) -> None:
    site.respond("/begun")
    slow, quick = [handle_in(await client.go(site.page("<p>Here</p>"))) for _ in range(2)]
    function = "() => new Promise(done => { window.go = done; fetch('/begun') })"
    waiting = asyncio.create_task(client.call("browser_evaluate", function=function, context=slow))
    await wait_until(lambda: bool(site.requests("/begun")))
    assert "Here" in (await client.call("browser_snapshot", context=quick)).text
    assert not waiting.done()
    await client.call("browser_context_close", name=slow)
    assert "No context has this handle" in (await waiting).text


async def test_a_closed_context_and_an_unknown_handle_get_the_same_answer(
    server: Server, client: Client, site: Site
) -> None:
    before = await server.context_ids()
    handle = handle_in(await client.go(site.page("<p>Here</p>")))
    assert len(await server.context_ids()) == len(before) + 1
    closed = await client.call("browser_context_close", name=handle)
    assert closed.sections["Result"] == f'Closed context "{handle}".'
    assert await server.context_ids() == before
    errors = {
        (await client.call("browser_snapshot", context=each)).text
        for each in (handle, "page-AAAAAAAAAAAAAAAAAAAAAA", "default")
    }
    assert len(errors) == 1
    assert "No context has this handle" in errors.pop()


async def test_a_handle_ends_with_the_browser_and_the_next_call_says_so(
    settings: Settings,
) -> None:
    server = Server(settings)
    try:
        client = server.request()
        handle = handle_in(await client.call("browser_context_create", name="work"))
        assert server.supervisor.running_browser is not None
        assert server.supervisor.running_browser._process is not None
        os.kill(server.supervisor.running_browser._process.pid, signal.SIGKILL)
        await wait_until(lambda: server.supervisor.running_browser is None)
        answer = await client.call("browser_snapshot", context=handle)
        assert f'Context "{handle}" was lost: the browser exited.' in answer.text
        assert "Use browser_context_create to make a new one" in answer.text
        answer = await client.call("browser_snapshot", context=handle)
        assert "No context has this handle" in answer.text
    finally:
        await server.close()


async def test_storage_is_saved_by_handle(client: Client, site: Site, working_dir: Path) -> None:
    handle = handle_in(await client.go(site.page("<script>document.cookie = 'a=b'</script>")))
    answer = await client.call("browser_context_save_storage", path="state.json", name=handle)
    assert not answer.is_error, answer.text
    (path,) = await asyncio.to_thread(lambda: list(working_dir.rglob("state.json")))
    assert '"a"' in await asyncio.to_thread(path.read_text)


async def test_the_handle_of_a_context_is_not_in_the_files_it_saved(
    client: Client, site: Site
) -> None:
    handle = handle_in(await client.call("browser_context_create", name="hush"))
    await client.go(site.page("<p>Here</p>"), context=handle)
    await client.call("browser_take_screenshot", context=handle)
    listed = await client.call("list_screenshots")
    assert "Screenshots 1-1 of 1" in listed.text
    assert "hush" not in listed.text
    answer = await client.call("browser_context_list")
    assert answer.sections["Result"] == "[]"


async def test_a_ref_of_another_handle_is_unknown(client: Client, site: Site) -> None:
    url = site.page("<button onclick=\"this.textContent = 'Pressed'\">Press</button>")
    theirs, ours = await client.go(url), await client.go(url)
    mine = handle_in(ours)
    answer = await client.call("browser_click", ref=theirs.ref("button"), context=mine)
    assert "No context ever had this number." in answer.text
    assert handle_in(theirs) not in answer.text
    answer = await client.call("browser_click", ref=ours.ref("button"), context=mine)
    assert "Pressed" in answer.text


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("browser_context_create", {"name": "bad", "storageState": "none.json"}),
        ("browser_navigate", {"url": "file:///"}),
        ("browser_navigate", {"url": "http://127.0.0.1:9/"}),
        ("browser_tabs", {"action": "new", "url": "file:///"}),
    ],
)
async def test_a_first_call_that_fails_without_a_page_leaves_no_context(
    server: Server, client: Client, tool: str, arguments: dict[str, str]
) -> None:
    before = await server.context_ids()
    answer = await client.call(tool, **arguments)
    assert answer.is_error
    assert "Pass context" not in answer.text
    assert await server.context_ids() == before


async def test_a_cancelled_first_call_leaves_no_context(
    server: Server, client: Client, site: Site
) -> None:
    before = await server.context_ids()
    begun, gate = threading.Event(), threading.Event()

    def respond(_: Request) -> Response:
        begun.set()
        gate.wait(30)
        return Response("late")

    call = asyncio.create_task(client.call("browser_navigate", url=site.handle("/held", respond)))
    await wait_until(begun.is_set)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    gate.set()
    assert call.cancelled()
    assert await server.context_ids() == before


async def test_a_context_in_which_a_person_acts_is_not_closed_as_unused(
    server: Server, settings: Settings, site: Site
) -> None:
    handles = SessionlessCallExecutor(server.supervisor, settings, idle_limit=0.05)
    client = Client(Runner(server.runners, lambda: ExecutorWithLog(handles, None, is_shared=True)))
    handle = handle_in(await client.go(site.page("<p>Here</p>")))
    workspace = handles._contexts[handle].executor.workspace
    page = await (await workspace.get_context(handle)).get_active_page()
    await page.handovers.start("Log in", 30, has_window=False, keep_browser=nullcontext)
    before = await server.context_ids()

    await asyncio.sleep(0.3)  # many times the limit

    assert await server.context_ids() == before
    await page.handovers.close()
    while len(await server.context_ids()) == len(before):  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.02)
    await handles.close()


async def test_an_unused_context_is_closed_and_its_handle_expires(
    server: Server, settings: Settings, site: Site
) -> None:
    handles = SessionlessCallExecutor(server.supervisor, settings, idle_limit=0.05)
    client = Client(Runner(server.runners, lambda: ExecutorWithLog(handles, None, is_shared=True)))
    before = await server.context_ids()
    handle = handle_in(await client.go(site.page("<p>Here</p>")))
    assert "closed after 0" in (await client.call("browser_context_create", name="a")).text
    while await server.context_ids() != before:  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.02)
    answer = await client.call("browser_snapshot", context=handle)
    assert "No context has this handle" in answer.text
    await handles.close()
