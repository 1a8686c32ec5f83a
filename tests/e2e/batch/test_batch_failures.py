"""browser_batch: what ends it, and what its reply states then."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from contextlib import suppress

import pytest

from tests.e2e.batch.test_batch import FORM, batch, step
from tests.e2e.conftest import Show
from tests.e2e.support.client import ServerClient, StdioClient
from tests.e2e.support.processes import find_renderers, kill_browser, wait_until
from tests.site import Site

DIALOG = """<title>Ask</title><button onclick="log.textContent = confirm('Sure?')">Ask</button>
<input type=file><p id=log></p>"""


async def test_a_failure_ends_the_batch_and_names_all_steps(
    shared_server: ServerClient, show: Show
) -> None:
    await show(FORM)
    reply = await batch(
        shared_server,
        step("type", ref='textbox "Name"', text="Ada"),
        step("click", ref="#none"),
        step("click", ref='button "Send"'),
        step("snapshot"),
    )
    assert reply.is_error
    assert reply.sections["Error"] == (
        'Step 2 (browser_click) failed: "#none" is neither a ref nor a CSS selector of exactly one '
        "element: it matches 0. Use a ref from a snapshot, such as e12.\n"
        "Steps 3 to 4 were not run.\n"
        "Run before it:\n"
        '1. browser_type: Typed into textbox "Name"'
    )
    assert "Ada" in reply.sections["Snapshot"]
    assert "Print" not in reply.text


async def test_a_failure_of_the_first_step(shared_server: ServerClient, show: Show) -> None:
    page = await show(FORM)
    reply = await batch(
        shared_server, step("click", ref='button "Sent"'), step("type", ref="input", text="Ada")
    )
    assert reply.sections["Error"].splitlines()[:3] == [
        'Step 1 (browser_click) failed: No element on this page is button "Sent".',
        "  Similar elements on the page now:",
        f'  - button "Send" [ref={page.ref("button", "Send")}]',
    ]
    assert reply.sections["Error"].endswith("Step 2 was not run.")
    assert "Page" in reply.sections


async def test_the_last_step_can_fail(shared_server: ServerClient, show: Show) -> None:
    await show("<button>A</button><button disabled>B</button>")
    reply = await batch(
        shared_server, step("click", ref='button "A"'), step("click", ref='button "B"')
    )
    assert 'Step 2 (browser_click) failed: button "B" is disabled.' in reply.sections["Error"]
    assert "not run" not in reply.text


async def test_invalid_arguments_are_found_before_the_first_step(
    shared_server: ServerClient, show: Show
) -> None:
    await show(FORM)
    reply = await batch(
        shared_server, step("type", ref="input", text="Ada"), step("type", ref="input")
    )
    assert reply.sections == {
        "Error": "Step 2 (browser_type): browser_type needs the argument 'text', a string. "
        "browser_type takes: text, ref, element, slowly, submit, context.\nNo step was run."
    }
    value = await shared_server.call("browser_evaluate", ref="input", function="e => [e.value]")
    assert '""' in value.text


async def test_a_dialog_stops_the_steps_that_do_not_answer_it(
    shared_server: ServerClient, show: Show
) -> None:
    await show(DIALOG)
    reply = await batch(
        shared_server, step("click", ref='button "Ask"'), step("click", ref="#log"), step("close")
    )
    assert "Step 2 (browser_click) failed: The page waits for an answer" in reply.sections["Error"]
    assert "browser_handle_dialog" in reply.sections["Modal state"]
    reply = await batch(
        shared_server, step("handle_dialog", accept=True), step("find", text="true")
    )
    assert not reply.is_error
    assert "Modal state" not in reply.sections


async def test_a_dialog_and_a_file_chooser_are_answered_by_the_next_step(
    server: ServerClient, site: Site
) -> None:
    (server.cwd / "a.txt").write_text("a")
    url = site.page(DIALOG)
    reply = await batch(
        server,
        step("navigate", url=url),
        step("click", ref='button "Ask"'),
        step("handle_dialog", accept=False),
        step("click", ref="[type=file]"),
        step("file_upload", paths=["a.txt"]),
    )
    assert not reply.is_error, reply.text
    assert "false" in reply.sections["Snapshot"]


async def test_a_dialog_at_the_end_is_reported(shared_server: ServerClient, show: Show) -> None:
    await show(DIALOG)
    reply = await batch(
        shared_server, step("hover", ref="input"), step("click", ref='button "Ask"')
    )
    assert not reply.is_error
    assert '"confirm" dialog with message "Sure?"' in reply.sections["Modal state"]
    await shared_server.call("browser_handle_dialog", accept=True)


async def test_a_dialog_in_another_context_is_reported(server: ServerClient, site: Site) -> None:
    url = site.page(DIALOG)
    reply = await batch(
        server,
        step("navigate", url=url),
        step("context_create", name="other"),
        step("navigate", url=url),
        step("click", ref='button "Ask"', context="default"),
        step("snapshot"),
    )
    assert not reply.is_error, reply.text
    assert reply.sections["Modal state"].endswith(
        "can be handled by browser_handle_dialog, with context default"
    )


async def test_a_closed_page_is_reported(shared_server: ServerClient, show: Show) -> None:
    await show("<title>First</title><p>Text")
    await shared_server.call("browser_tabs", action="new")
    reply = await batch(
        shared_server,
        step("evaluate", function="1"),
        step("close"),
        step("click", ref="#none"),
    )
    assert "Step 3 (browser_click) failed: " in reply.sections["Error"]
    assert "- Page Title: First" in reply.sections["Page"]


async def test_a_crash_ends_the_batch(spawned: StdioClient, site: Site) -> None:
    await spawned.call("browser_navigate", url=site.page(FORM))
    site.respond("/begun")
    begin = step("evaluate", function="fetch('/begun').then(() => 1)")
    waiting = asyncio.create_task(
        batch(spawned, begin, step("wait_for", time=20), step("find", text="a"))
    )
    await wait_until(lambda: bool(site.requests("/begun")))
    for renderer in find_renderers(spawned.process.pid):
        with suppress(ProcessLookupError):
            os.kill(renderer, signal.SIGKILL)
    reply = await waiting
    assert re.match(r"Step [12] .* failed: The page crashed\.", reply.sections["Error"])
    assert "not run." in reply.sections["Error"]
    assert "- Page status: crashed" in reply.sections["Page"]


async def test_a_lost_browser_ends_the_batch(spawned: StdioClient, site: Site) -> None:
    await spawned.call("browser_navigate", url=site.page(FORM))
    site.respond("/begun")
    begin = step("evaluate", function="fetch('/begun').then(() => 1)")
    waiting = asyncio.create_task(
        batch(spawned, begin, step("wait_for", time=20), step("snapshot"))
    )
    await wait_until(lambda: bool(site.requests("/begun")))
    await kill_browser(spawned)
    reply = await waiting
    assert re.match(r"Step [12] \(browser_\w+\) failed: .*browser", reply.sections["Error"])
    assert "not run." in reply.sections["Error"]
    assert not (await spawned.call("browser_navigate", url=site.page(FORM))).is_error


async def test_a_cancelled_batch_stops_and_changes_no_baseline(
    spawned: StdioClient, site: Site
) -> None:
    await spawned.call("browser_navigate", url=site.page(FORM))
    site.respond("/begun")
    calls = [
        step("type", ref="input", text="Ada"),
        step("snapshot"),
        step("evaluate", function="fetch('/begun').then(() => 1)"),
        step("wait_for", time=20),
        step("type", ref="input", text="Bob"),
    ]
    params = {"name": "browser_batch", "arguments": {"calls": calls}}
    message = {"jsonrpc": "2.0", "id": "mine", "method": "tools/call", "params": params}
    await spawned.send(message)
    await wait_until(lambda: bool(site.requests("/begun")))
    await spawned.notify("notifications/cancelled", {"requestId": "mine"})
    reply = await spawned.call("browser_hover", ref="h1")
    assert "Ada" in reply.sections["Snapshot"]


@pytest.mark.time_limit(60)
async def test_an_element_that_appears_late_is_waited_for(
    shared_server: ServerClient, show: Show
) -> None:
    await show(
        """<button onclick="setTimeout(() => { setTimeout(() => { out.innerHTML =
        '<button id=late>Late</button>' }, 1500) }, 500)">Start</button><div id=out></div>"""
    )
    reply = await batch(
        shared_server,
        step("click", ref='button "Start"'),
        step("click", ref='button "Late"'),
        step("click", ref="#late"),
    )
    assert not reply.is_error, reply.text
