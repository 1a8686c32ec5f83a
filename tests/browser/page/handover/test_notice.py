"""The notice with which a person answers in the window of the browser."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext, suppress
from urllib.parse import quote

import pytest

from cdp_protocol import CdpError
from tests.browser.inside import services_of
from tests.browser.page.agent import Agent
from tests.browser.page.handover.person import Person
from tests.site import Site
from viewpoint_mcp.errors import HandedOverError, PageClosedError, PageCrashedError
from viewpoint_mcp.page.handover.answer import Answer
from viewpoint_mcp.page.handover.handover import HandOver

PAGE = "<!DOCTYPE html><title>Shop</title><h1>Log in</h1><input aria-label=User>"


@pytest.fixture
def person(agent: Agent) -> Person:
    return Person(services_of(agent.page).session)


async def hand_over(agent: Agent, *, seconds: float = 30, has_window: bool = True) -> HandOver:
    return await agent.page.handovers.start(
        "Please log in", seconds, has_window=has_window, keep_browser=nullcontext
    )


async def finish(handover: HandOver) -> Answer | None:
    async with asyncio.timeout(10):
        return await handover.wait()


@pytest.mark.parametrize(("button", "outcome"), [("Done", "done"), ("Cannot do it", "declined")])
async def test_a_button_of_the_notice_answers_and_removes_it(
    agent: Agent, person: Person, button: str, outcome: str
) -> None:
    before = await agent.open(PAGE)
    handover = await hand_over(agent)

    text = await person.wait_for_notice()
    assert "Please log in" in text
    await person.press(button)

    assert await finish(handover) == Answer(outcome)  # type: ignore[arg-type]
    await handover.end()
    assert await person.read_notice() == ""
    assert await agent.snapshot() == before


async def test_a_text_in_the_field_is_part_of_the_answer(agent: Agent, person: Person) -> None:
    await agent.open(PAGE)
    handover = await hand_over(agent)

    await person.press("input")
    await person.type("user is Ada")
    await person.press("Done")

    assert await finish(handover) == Answer("done", "user is Ada")


async def test_the_enter_key_in_the_field_means_done(agent: Agent, person: Person) -> None:
    await agent.open(PAGE)
    handover = await hand_over(agent)

    await person.press("input")
    await agent.page.press_key_and_detect_select_all("Enter")

    assert await finish(handover) == Answer("done")


async def test_the_notice_returns_in_the_next_document(agent: Agent, person: Person) -> None:
    await agent.load(PAGE)
    handover = await hand_over(agent)
    await person.wait_for_notice()

    url = f"data:text/html,{quote('<h1>Welcome</h1>')}"
    await services_of(agent.page).session.Page.navigate(url=url)
    while "Welcome" not in await agent.snapshot():
        pass
    await person.press("Done")

    assert await finish(handover) == Answer("done")
    await handover.end()
    assert "Welcome" in await agent.snapshot()


async def test_the_script_of_the_page_cannot_answer(agent: Agent, person: Person) -> None:
    await agent.open(PAGE)
    handover = await hand_over(agent)
    x, y = await person.find("Done")

    found = await agent.run(f"""
        const host = document.elementFromPoint({x}, {y});
        const options = {{ bubbles: true, composed: true, clientX: {x}, clientY: {y}, detail: 1 }};
        for (const type of ["pointerdown", "mousedown", "mouseup", "click"])
          host.dispatchEvent(new MouseEvent(type, options));
        host.click();
        dispatchEvent(new PageTransitionEvent("pagehide"));
        [host.localName, host.shadowRoot, typeof viewpointAnswer, typeof viewpointNotice].join()
    """)

    assert found == "viewpoint-notice,,undefined,undefined"
    await agent.run("0")  # an answer would have arrived before this response
    assert handover.is_open
    assert await person.read_notice()


async def test_the_page_gets_no_event_of_the_notice_and_keeps_its_focus(
    agent: Agent, person: Person
) -> None:
    await agent.open(
        PAGE + "<script>heard = []; for (const name of ['mousedown', 'click', 'keydown', 'blur'])"
        " document.addEventListener(name, (event) => heard.push(name), true);"
        "document.querySelector('input').focus()</script>"
    )
    handover = await hand_over(agent)

    await person.press("Done")
    await finish(handover)

    assert await agent.run("heard.join() + document.activeElement.localName") == "input"


async def test_the_notice_comes_back_when_the_page_removes_or_hides_it(
    agent: Agent, person: Person
) -> None:
    await agent.open(PAGE + "<style>viewpoint-notice { display: none !important }</style>")
    handover = await hand_over(agent)
    await person.wait_for_notice()

    await agent.run("document.querySelector('viewpoint-notice').style.display = 'none'")
    await agent.run("document.documentElement.replaceChildren(document.createElement('body'))")
    await person.press("Done")

    assert await finish(handover) == Answer("done")


async def test_the_notice_can_be_used_above_a_modal_dialog_that_stops_all_other_events(
    agent: Agent, person: Person
) -> None:
    await agent.open(
        PAGE + "<dialog>Cookies<button>OK</button></dialog><script>"
        "document.addEventListener('click', (event) => event.stopImmediatePropagation(), true)"
        "</script>"
    )
    handover = await hand_over(agent)
    await person.wait_for_notice()

    await agent.run("document.querySelector('dialog').showModal()")
    in_dialog = "!!document.querySelector('dialog > viewpoint-notice')"
    while not await person.run(in_dialog):  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.02)
    await person.press("Done")

    assert await finish(handover) == Answer("done")


async def test_a_page_that_forbids_styles_does_not_change_the_notice(
    agent: Agent, person: Person, site: Site
) -> None:
    url = site.page(PAGE, headers={"Content-Security-Policy": "default-src 'none'"})
    await agent.go(url)
    await hand_over(agent)

    _, y = await person.find("Done")

    assert y > 500  # at the lower edge of the viewport


async def test_the_notice_moves_to_the_other_edge(agent: Agent, person: Person) -> None:
    await agent.open(PAGE)
    handover = await hand_over(agent)
    _, bottom = await person.find("Done")

    await person.press("\u2195")
    _, top = await person.find("Done")

    assert bottom > 400 > top
    assert handover.is_open


async def test_a_document_that_is_not_html_has_no_notice_until_the_next_one(
    agent: Agent, person: Person
) -> None:
    svg = "<svg xmlns='http://www.w3.org/2000/svg'><text y='20'>Chart</text></svg>"
    await agent.go(f"data:image/svg+xml,{quote(svg)}")
    handover = await hand_over(agent)
    assert await person.read_notice() == ""

    url = f"data:text/html,{quote('<h1>Welcome</h1>')}"
    await services_of(agent.page).session.Page.navigate(url=url)
    await person.press("Done")

    assert await finish(handover) == Answer("done")


async def test_the_wait_ends_without_an_answer_when_the_time_is_over(agent: Agent) -> None:
    await agent.open(PAGE)
    handover = await hand_over(agent, seconds=0.05)

    assert await finish(handover) is None
    await handover.end()
    assert not agent.page.handovers.private_time.is_now


async def test_a_second_hand_over_is_refused_while_the_first_is_open(agent: Agent) -> None:
    await agent.open(PAGE)
    handover = await hand_over(agent)

    with pytest.raises(HandedOverError, match='browser_ask_user asked: "Please log in"'):
        await hand_over(agent)

    await handover.end()
    assert agent.page.handovers.error is None


async def test_the_end_of_the_page_ends_the_wait(agent: Agent) -> None:
    await agent.open(PAGE)
    handover = await hand_over(agent)
    waiting = asyncio.create_task(finish(handover))
    await asyncio.sleep(0)

    await agent.page.mark_closed_and_cancel_work()

    with pytest.raises(PageClosedError):
        await waiting
    assert not agent.page.handovers.private_time.is_now


async def test_a_crash_ends_the_wait(agent: Agent, person: Person) -> None:
    await agent.load(PAGE)
    handover = await hand_over(agent)
    await person.wait_for_notice()
    waiting = asyncio.create_task(finish(handover))
    await asyncio.sleep(0)

    session = services_of(agent.page).session
    with suppress(CdpError):
        await session.send("Page.crash", timeout=1)

    with pytest.raises(PageCrashedError):
        await waiting
    assert agent.page.handovers.error is None


async def test_a_dialog_is_for_the_person(agent: Agent, person: Person) -> None:
    await agent.open(PAGE)
    handover = await hand_over(agent)
    await person.wait_for_notice()
    waiting = asyncio.create_task(finish(handover))

    await agent.run("setTimeout(() => alert('Wrong password'))")
    while agent.page.blockers.dialog is None:  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.01)
    await agent.page.answer_current_or_next_dialog(accept=True)
    await person.press("Done")

    assert await waiting == Answer("done")


async def test_a_notice_that_ends_during_a_dialog_is_gone_after_it(
    agent: Agent, person: Person
) -> None:
    await agent.open(PAGE)
    handover = await hand_over(agent)
    await person.wait_for_notice()
    await agent.run("setTimeout(() => alert('Wrong password'))")
    while agent.page.blockers.dialog is None:  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.01)

    await handover.end()
    await agent.page.answer_current_or_next_dialog(accept=True)

    assert await person.read_notice() == ""


@pytest.mark.parametrize("has_window", [True, False])
async def test_a_browser_with_a_window_shows_file_choosers_itself(
    agent: Agent, person: Person, has_window: bool
) -> None:
    await agent.open(PAGE + "<input type=file style='position: fixed; top: 0; left: 0'>")
    handover = await hand_over(agent, has_window=has_window)

    await person.click(20, 8)
    await agent.run("new Promise((resolve) => setTimeout(resolve, 200))")

    assert (agent.page.blockers.file_chooser is None) == has_window
    assert handover.is_open
    await handover.end()
    await agent.page.mark_closed_and_cancel_work()


async def test_file_choosers_are_intercepted_again_afterwards(agent: Agent, person: Person) -> None:
    await agent.open(PAGE + "<input type=file style='position: fixed; top: 0; left: 0'>")
    await (await hand_over(agent)).end()

    await person.click(20, 8)
    while agent.page.blockers.file_chooser is None:  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.01)
