"""Dialogs: each call that finds one reports it, and browser_handle_dialog answers it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.e2e.conftest import Show
from tests.e2e.support.client import Reply, ServerClient
from tests.e2e.support.processes import wait_until
from tests.site import Site

CONFIRM = "<button onclick=\"p.textContent = 'answer ' + confirm('Sure?')\">A</button><p id=p></p>"
PROMPT = (
    "<button onclick=\"p.textContent = 'answer ' + prompt('Name?', 'Anna')\">A</button><p id=p>"
)


async def click(server: ServerClient, page: Reply) -> Reply:
    return await server.call("browser_click", ref=page.ref("button", "A"), within=10)


def modal(kind: str, message: str) -> str:
    return f'- ["{kind}" dialog with message "{message}"]: can be handled by browser_handle_dialog'


async def test_an_alert_that_a_click_opens_is_reported(
    shared_server: ServerClient, show: Show
) -> None:
    reply = await click(shared_server, await show("<button onclick=\"alert('Hi')\">A</button>"))
    assert not reply.is_error
    assert reply.sections["Result"] == 'Clicked button "A"'
    assert reply.sections["Modal state"] == modal("alert", "Hi")


async def test_an_alert_that_a_timer_opens_after_a_click_is_reported(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show("<button onclick=\"setTimeout(() => alert('Late'), 200)\">A</button>")
    reply = await click(shared_server, page)
    assert reply.sections["Modal state"] == modal("alert", "Late")


async def test_an_alert_between_calls_is_reported_by_the_next(
    shared_server: ServerClient, show: Show, site: Site
) -> None:
    site.respond("/ringing")
    await show("<p>x</p>")
    later = "() => { setTimeout(() => { fetch('/ringing'); alert('Later') }, 50) }"
    await shared_server.call("browser_evaluate", function=later)
    await wait_until(lambda: bool(site.requests("/ringing")))
    reply = await shared_server.call("browser_snapshot", within=10)
    assert reply.sections["Modal state"] == modal("alert", "Later")


@pytest.mark.parametrize(
    ("accept", "result", "answer"),
    [(True, "Accepted", "answer true"), (False, "Dismissed", "answer false")],
)
async def test_a_confirm_gets_its_answer(
    shared_server: ServerClient, show: Show, accept: bool, result: str, answer: str
) -> None:
    await click(shared_server, await show(CONFIRM))
    reply = await shared_server.call("browser_handle_dialog", accept=accept)
    assert reply.sections["Result"] == f'{result} the "confirm" dialog with message "Sure?"'
    assert answer in reply.sections["Snapshot"]
    assert "Modal state" not in reply.sections


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        ({"accept": True, "promptText": "Bob"}, "answer Bob"),
        ({"accept": True, "promptText": ""}, "answer"),
        ({"accept": True}, "answer Anna"),
        ({"accept": False, "promptText": "Bob"}, "answer null"),
    ],
)
async def test_a_prompt_gets_its_text(
    shared_server: ServerClient, show: Show, arguments: dict[str, Any], answer: str
) -> None:
    await click(shared_server, await show(PROMPT))
    reply = await shared_server.call("browser_handle_dialog", **arguments)
    assert f"- paragraph: {answer}\n" in reply.sections["Snapshot"]


async def test_an_answer_prepared_in_advance_is_used_once(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show(CONFIRM)
    prepared = await shared_server.call("browser_handle_dialog", accept=True)
    assert prepared.sections["Result"] == ("No dialog is open. The next dialog will be accepted.")
    first = await click(shared_server, page)
    assert "answer true" in first.sections["Snapshot"]
    second = await click(shared_server, page)
    assert second.sections["Modal state"] == modal("confirm", "Sure?")


async def test_a_dialog_that_was_answered_in_advance_is_reported(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show(CONFIRM)
    await shared_server.call("browser_handle_dialog", accept=True)
    reply = await click(shared_server, page)
    assert "Sure?" in reply.sections.get("Events", "")


async def test_two_dialogs_in_a_row_are_answered_one_by_one(
    shared_server: ServerClient, show: Show
) -> None:
    page = await show("<button onclick=\"alert('One'); alert('Two')\">A</button>")
    assert (await click(shared_server, page)).sections["Modal state"] == modal("alert", "One")
    first = await shared_server.call("browser_handle_dialog", accept=True)
    assert first.sections["Modal state"] == modal("alert", "Two")
    second = await shared_server.call("browser_handle_dialog", accept=True)
    assert "Modal state" not in second.sections


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("browser_snapshot", {}),
        ("browser_click", {"ref": "button"}),
        ("browser_type", {"ref": "button", "text": "x"}),
        ("browser_press_key", {"key": "a"}),
        ("browser_evaluate", {"function": "1"}),
        ("browser_wait_for", {"time": 5}),
        ("browser_navigate_back", {}),
        ("browser_resize", {"width": 300, "height": 300}),
    ],
)
async def test_other_tools_refuse_while_a_dialog_is_open(
    shared_server: ServerClient, show: Show, tool: str, arguments: dict[str, Any]
) -> None:
    await click(shared_server, await show("<button onclick=\"alert('Hi')\">A</button>"))
    reply = await shared_server.call(tool, **arguments, within=5)
    assert reply.is_error
    assert reply.sections["Error"] == (
        'The page waits for an answer to its "alert" dialog with message "Hi". '
        "Use browser_handle_dialog."
    )
    assert reply.sections["Modal state"] == modal("alert", "Hi")


async def test_tabs_can_be_listed_while_a_dialog_is_open(
    shared_server: ServerClient, show: Show
) -> None:
    await click(shared_server, await show("<title>T</title><button onclick=alert()>A</button>"))
    reply = await shared_server.call("browser_tabs", action="list", within=5)
    assert not reply.is_error


async def test_a_page_can_be_closed_while_a_dialog_is_open(
    shared_server: ServerClient, show: Show
) -> None:
    await click(shared_server, await show("<button onclick=alert()>A</button>"))
    reply = await shared_server.call("browser_close", within=10)
    assert reply.sections["Result"] == "Closed the page"


async def test_a_dialog_is_answered_while_another_call_waits(
    shared_server: ServerClient, show: Show
) -> None:
    await show("<p>x</p>")
    script = "() => new Promise(done => setTimeout(() => done(confirm('Now?')), 300))"
    call = asyncio.create_task(shared_server.call("browser_evaluate", function=script))
    prepared = await shared_server.call("browser_handle_dialog", accept=True, within=2)
    assert "No dialog is open" in prepared.text
    assert (await call).sections["Result"] == "true"


async def test_an_alert_in_a_frame_is_reported(shared_server: ServerClient, show: Show) -> None:
    page = await show("<iframe srcdoc='<button onclick=alert(7)>A</button>'></iframe>")
    reply = await click(shared_server, page)
    assert reply.sections["Modal state"] == modal("alert", "7")


async def test_the_argument_accept_is_required(shared_server: ServerClient, show: Show) -> None:
    await show("<p>x</p>")
    reply = await shared_server.call("browser_handle_dialog")
    assert reply.is_error
    assert "needs the argument 'accept', true or false." in reply.sections["Error"]
