"""Dialogs: detected at once during any call, answered once, and then forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from cdp_protocol import Connection
from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.site import Site
from viewpoint_mcp.errors import ModalOpenError
from viewpoint_mcp.page.actions.element import Element
from viewpoint_mcp.page.blocking_conditions import Dialog
from viewpoint_mcp.page.dialogs import DialogAnswer

ACCEPT, DISMISS = DialogAnswer(accept=True), DialogAnswer(accept=False)


async def act(agent: Agent, element: Element) -> None:
    async with agent.page.settle_afterwards():
        await element.click()


async def answer(agent: Agent, told: DialogAnswer) -> str:
    await reply(agent, told)
    return await agent.snapshot()


async def reply(agent: Agent, told: DialogAnswer) -> None:
    dialog = agent.page.blockers.dialog
    assert dialog is not None
    await agent.page.answer_current_or_next_dialog(accept=told.accept, prompt_text=told.prompt_text)


async def meet_dialog(agent: Agent) -> None:
    """Wait until a dialog that a timer opens is open."""
    with pytest.raises(ModalOpenError):
        await agent.page.pause(5)


@pytest.mark.parametrize(
    ("script", "dialog"),
    [
        ("alert('Hi')", Dialog("alert", "Hi")),
        ("confirm('Sure?')", Dialog("confirm", "Sure?")),
        ("prompt('Name?', 'Ann')", Dialog("prompt", "Name?", "Ann")),
    ],
)
async def test_a_click_that_opens_a_dialog_returns(
    agent: Agent, script: str, dialog: Dialog
) -> None:
    await agent.open(f'<button onclick="{script}">Go</button>')
    await act(agent, await agent.find("button"))
    assert agent.page.blockers.dialog == dialog


@pytest.mark.parametrize(
    ("script", "expected", "result"),
    [
        ("confirm('Sure?')", ACCEPT, "true"),
        ("confirm('Sure?')", DISMISS, "false"),
        ("prompt('Name?', 'Ann')", DialogAnswer(accept=True, prompt_text="Bob"), "Bob"),
        ("prompt('Name?', 'Ann')", DISMISS, "null"),
        ("prompt('Name?', 'Ann')", DialogAnswer(accept=True, prompt_text=""), ""),
        ("alert('Hi')", ACCEPT, "undefined"),
    ],
)
async def test_the_answer_reaches_the_page(
    agent: Agent, script: str, expected: DialogAnswer, result: str
) -> None:
    await agent.open(f'<button onclick="document.title = {script}">Go</button>')
    await act(agent, await agent.find("button"))
    await answer(agent, expected)
    assert await agent.run("document.title") == result
    assert agent.page.blockers.dialog is None


async def test_a_prompt_accepted_without_a_text_uses_its_default(agent: Agent) -> None:
    await agent.open("<button onclick=\"document.title = prompt('Name?', 'Ann')\">Go</button>")
    await act(agent, await agent.find("button"))
    await answer(agent, ACCEPT)
    assert await agent.run("document.title") == "Ann"


async def test_the_consequences_of_the_answer_are_in_the_snapshot(agent: Agent) -> None:
    await agent.open(
        "<button onclick=\"if (confirm('?')) setTimeout(() => document.body.append('DONE'), 200)\">"
        "Go</button>"
    )
    await act(agent, await agent.find("button"))
    assert "DONE" in await answer(agent, ACCEPT)


async def test_one_dialog_after_another_is_reported(agent: Agent) -> None:
    await agent.open("<button onclick=\"alert('1'); alert('2')\">Go</button>")
    await act(agent, await agent.find("button"))
    await reply(agent, ACCEPT)
    assert agent.page.blockers.dialog == Dialog("alert", "2")
    await answer(agent, ACCEPT)
    assert agent.page.blockers.dialog is None


async def test_a_prepared_answer_is_used_once(agent: Agent) -> None:
    await agent.open("<button onclick=\"document.title += confirm('?')\">Go</button>")
    assert await agent.page.answer_current_or_next_dialog(accept=True) is None
    await agent.click("button")
    assert await agent.run("document.title") == "true"
    await act(agent, await agent.find("button"))
    assert agent.page.blockers.dialog is not None


async def test_a_dialog_ends_every_wait(agent: Agent) -> None:
    await agent.open("<h1>Hello</h1>")
    await agent.run("() => { setTimeout(() => alert('Hi'), 50) }")
    await meet_dialog(agent)
    with pytest.raises(ModalOpenError, match=r'"alert" dialog with message "Hi"'):
        await agent.page.snapshot()


async def test_a_dialog_during_a_snapshot_ends_it(agent: Agent) -> None:
    await agent.open("<h1>Hello</h1>")
    await agent.run("() => { setTimeout(() => alert('Hi'), 50) }")
    with pytest.raises(ModalOpenError):
        await look_for_ever(agent)


async def test_a_dialog_that_a_function_opens_leaves_its_value_open(agent: Agent) -> None:
    async with agent.page.settle_afterwards(is_patient=False):
        assert await agent.page.evaluate("() => confirm('Sure?')") is None
    assert agent.page.blockers.dialog == Dialog("confirm", "Sure?")


async def test_a_dialog_during_the_load_is_reported(agent: Agent, site: Site) -> None:
    await agent.page.navigate(site.page("<script>alert('Welcome')</script><h1>Hello</h1>"))
    assert agent.page.blockers.dialog == Dialog("alert", "Welcome")
    assert 'heading "Hello"' in await answer(agent, ACCEPT)


async def test_answering_a_dialog_that_has_closed_is_no_error(agent: Agent) -> None:
    await agent.open("<h1>Hello</h1>")
    await services_of(agent.page).dialogs.answer_dialog(Dialog("alert", "Hi"), ACCEPT)
    assert 'heading "Hello"' in await agent.snapshot()


async def test_a_beforeunload_dialog_can_be_accepted(agent: Agent, site: Site) -> None:
    await asking_page(agent, site)
    there = site.page("<h1>There</h1>")
    await agent.page.navigate(there)
    assert agent.page.blockers.dialog is not None
    assert agent.page.blockers.dialog.kind == "beforeunload"
    assert 'heading "There"' in await answer(agent, ACCEPT)
    assert agent.page.url == there


async def test_a_beforeunload_dialog_can_be_dismissed(agent: Agent, site: Site) -> None:
    url = await asking_page(agent, site)
    await agent.page.navigate(site.page("<h1>There</h1>"))
    await answer(agent, DISMISS)
    assert agent.page.url == url


async def test_no_button_stays_down_behind_a_dialog(agent: Agent) -> None:
    await agent.open(
        "<button onmousedown=\"alert('Down')\" onclick=\"document.title += 'click '\">Go</button>"
    )
    button = await agent.find("button")
    await act(agent, button)
    await answer(agent, ACCEPT)
    assert services_of(agent.page).mouse._pressed == []


async def test_a_dialog_leaves_no_task(agent: Agent) -> None:
    await agent.open("<button onclick=\"alert('Hi')\">Go</button>")
    before = asyncio.all_tasks()
    await act(agent, await agent.find("button"))
    await answer(agent, ACCEPT)
    await agent.snapshot()
    assert asyncio.all_tasks() - before == set()


async def look_for_ever(agent: Agent) -> None:
    while True:
        await agent.page.snapshot()


async def asking_page(agent: Agent, site: Site, more: str = "") -> str:
    """Load a page that asks before it is left; it may do so once a person has touched it."""
    url = site.page(f"<button>Go</button><script>onbeforeunload = () => 'Really?'</script>{more}")
    await agent.go(url)
    await agent.click("button")
    return url


async def test_a_loop_of_confirms_ends_with_the_one_that_is_declined(agent: Agent) -> None:
    await agent.open("<button onclick=\"n = 0; while (confirm('More? ' + ++n));\">Go</button>")
    await act(agent, await agent.find("button"))
    for number in range(1, 6):
        assert agent.page.blockers.dialog == Dialog("confirm", f"More? {number}")
        await reply(agent, ACCEPT)
    await answer(agent, DISMISS)
    assert agent.page.blockers.dialog is None


@pytest.mark.prove
async def test_fifty_alerts_are_answered_one_by_one(agent: Agent) -> None:
    await agent.open('<button onclick="for (let n = 0; n < 50; n++) alert(n)">Go</button>')
    await act(agent, await agent.find("button"))
    for number in range(50):
        assert agent.page.blockers.dialog == Dialog("alert", str(number))
        await reply(agent, ACCEPT)
    assert 'button "Go"' in await agent.snapshot()


async def test_a_dialog_after_a_fetch_belongs_to_the_click(agent: Agent, site: Site) -> None:
    site.respond("/data", "Sure?")
    html = "<button onclick=\"fetch('/data').then(r => r.text()).then(confirm)\">Go</button>"
    await agent.go(site.page(html))
    await act(agent, await agent.find("button"))
    assert agent.page.blockers.dialog == Dialog("confirm", "Sure?")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_dialog_in_a_frame_of_any_process_is_answered(
    agent: Agent, site: Site, host: str
) -> None:
    inner = site.page("<button onclick=\"document.body.append('got ' + confirm('?'))\">Go</button>")
    await agent.go(site.page(f"<iframe src='{inner.replace('127.0.0.1', host)}'></iframe>"))
    await act(agent, await agent.find("button"))
    assert "got true" in await answer(agent, ACCEPT)


async def type_x(agent: Agent) -> None:
    async with agent.page.settle_afterwards():
        await (await agent.page.find_element("input")).type_text("x")


DOINGS: dict[str, Callable[[Agent], Awaitable[object]]] = {
    "snapshot": lambda agent: agent.page.snapshot(),
    "screenshot": lambda agent: agent.page.capture.screenshot(),
    "full screenshot": lambda agent: agent.page.capture.screenshot(full_page=True),
    "wait": lambda agent: agent.page.wait_for_text("never", 20),
    "pause": lambda agent: agent.page.pause(20),
    "resize": lambda agent: agent.page.emulation.resize_viewport(700, 500),
    "type": type_x,
    "find": lambda agent: agent.page.find_element("input"),
}


@pytest.mark.parametrize("doing", DOINGS.values(), ids=DOINGS)
async def test_a_dialog_ends_any_action_in_progress(
    agent: Agent, doing: Callable[[Agent], Awaitable[object]]
) -> None:
    await agent.open("<input>")
    await agent.run("() => { setTimeout(() => alert('Now'), 60) }")
    with pytest.raises(ModalOpenError):  # noqa: PT012 - whichever round meets it
        while True:
            await doing(agent)
    assert "textbox" in await answer(agent, ACCEPT)


async def test_a_link_navigates_after_its_beforeunload_dialog_is_accepted(
    agent: Agent, site: Site
) -> None:
    there = site.page("<h1>There</h1>")
    url = await asking_page(agent, site, f"<a href={there}>Away</a>")
    await act(agent, await agent.find("link"))
    assert agent.page.blockers.dialog == Dialog("beforeunload", "")
    assert "Away" in await answer(agent, DISMISS)
    assert agent.page.url == url
    await act(agent, await agent.find("link"))
    assert "There" in await answer(agent, ACCEPT)
    assert agent.page.url == there


async def test_going_back_from_a_page_with_a_beforeunload_dialog_says_so(
    agent: Agent, site: Site
) -> None:
    before = site.page("<h1>Before</h1>")
    await agent.go(before)
    await asking_page(agent, site)
    assert await agent.page.go_back() == "dialog"
    assert "Before" in await answer(agent, ACCEPT)
    assert agent.page.url == before


async def test_a_dialog_that_another_client_answers_blocks_nothing(
    agent: Agent, connection: Connection
) -> None:
    other = await connection.root.attach(agent.page.target_id)
    await other.Page.enable()
    await agent.open("<button onclick=\"alert('Hi')\">Go</button>")
    async with other.expect("Page.javascriptDialogOpening"):
        await act(agent, await agent.find("button"))
    async with services_of(agent.page).session.expect("Page.javascriptDialogClosed"):
        await other.Page.handleJavaScriptDialog(accept=True)
    assert 'button "Go"' in await agent.snapshot()
    await other.close()


async def test_printing_stops_nothing(agent: Agent) -> None:
    await agent.open("<button onclick=\"print(); document.title = 'printed'\">Go</button>")
    await agent.click("button")
    assert await agent.run("document.title") == "printed"
