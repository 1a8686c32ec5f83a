"""`browser_ask_user`: in the client by elicitation, and in the window of the browser."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import pytest

from cdp_protocol import Connection
from tests.browser.page.handover.person import Person
from tests.e2e.handoff.client import PersonsClient
from tests.e2e.handoff.conftest import OpenClient
from tests.e2e.support.client import Reply, ServerClient
from tests.site import Site

LOGIN = (
    "<!DOCTYPE html><title>Log in</title><form action=/welcome method=post>"
    "<input aria-label=User name=user><input type=password aria-label=Password name=password>"
    "<button>Log in</button></form>"
)
ASK: dict[str, Any] = {"message": "Please log in"}


@pytest.fixture
async def client(open_client: OpenClient) -> AsyncIterator[PersonsClient]:
    """Return a client without elicitation."""
    async with open_client() as client:
        await client.start({})
        yield client


@pytest.fixture
async def asking_client(open_client: OpenClient) -> AsyncIterator[PersonsClient]:
    """Return a client that shows questions to its person."""
    async with open_client() as client:
        await client.start({"elicitation": {}})
        yield client


async def at_tab(desk: Connection, url: str) -> Person:
    """Return a person at the tab that shows a URL."""
    infos = (await desk.root.Target.getTargets())["targetInfos"]
    target = next(each["targetId"] for each in infos if each["url"] == url)
    return Person(await desk.root.attach(target))


async def fill_in_login(person: Person) -> None:
    for name, text in (("user", "ada"), ("password", "hunter2")):
        await person.run(f"document.querySelector('[name={name}]').focus()")
        await person.type(text)


def ask(client: ServerClient, **arguments: Any) -> asyncio.Task[Reply]:
    return asyncio.create_task(client.call("browser_ask_user", **(ASK | arguments)))


async def test_a_person_logs_in_and_presses_done_in_the_window(
    client: PersonsClient, desk: Connection, site: Site
) -> None:
    site.respond("/welcome", "<title>Shop</title><h1>Hello Ada</h1>", content_type="text/html")
    url = site.page(LOGIN)
    await client.call("browser_navigate", url=url)
    asked = ask(client)
    person = await at_tab(desk, url)
    assert "Please log in" in await person.wait_for_notice()

    await fill_in_login(person)
    await person.run("document.querySelector('form button').click()")
    while await person.run("document.title") != "Shop":  # noqa: ASYNC110 - no event
        await asyncio.sleep(0.02)
    await person.press("Done")
    reply = await asked

    assert not reply.is_error
    assert reply.sections["Result"] == "Outcome: done"
    assert reply.raw["structuredContent"]["outcome"] == "done"
    assert "Hello Ada" in reply.sections["Snapshot"]
    assert "hunter2" not in str(reply.raw)
    requests = await client.call("browser_network_requests", all=True)
    assert "/welcome" in requests.text
    body = await client.call("browser_network_request", index=1, part="request-body")
    assert body.is_error
    assert "not kept, because a person acted in the browser" in body.text
    assert "hunter2" not in body.text


async def test_a_filled_password_is_not_shown(
    client: PersonsClient, desk: Connection, site: Site
) -> None:
    url = site.page(LOGIN)
    await client.call("browser_navigate", url=url)
    asked = ask(client)
    person = await at_tab(desk, url)
    await person.wait_for_notice()

    await fill_in_login(person)
    await person.press("Done")
    reply = await asked

    assert 'textbox "User"' in reply.text
    assert "ada" in reply.text
    assert "•••••••" in reply.text
    assert "hunter2" not in reply.text


async def test_a_person_who_cannot_do_it_writes_why(
    client: PersonsClient, desk: Connection, site: Site
) -> None:
    url = site.page(LOGIN)
    await client.call("browser_navigate", url=url)
    asked = ask(client)
    person = await at_tab(desk, url)

    await person.press("input")
    await person.type("No account")
    await person.press("Cannot do it")
    reply = await asked

    assert not reply.is_error
    assert "Outcome: declined" in reply.sections["Result"]
    assert "Message of the person: No account" in reply.sections["Result"]
    assert reply.raw["structuredContent"]["answer"] == "No account"


async def test_a_request_without_an_answer_ends_with_its_time(
    client: PersonsClient, site: Site
) -> None:
    await client.call("browser_navigate", url=site.page(LOGIN))

    reply = await client.call("browser_ask_user", **ASK, timeout=0.1)

    assert not reply.is_error
    assert "Outcome: timeout" in reply.sections["Result"]
    assert not (await client.call("browser_snapshot")).is_error


async def test_other_calls_on_the_tab_are_refused_and_other_tabs_go_on(
    client: PersonsClient, desk: Connection, site: Site
) -> None:
    url, other = site.page(LOGIN), site.page("<h1>Other</h1>")
    await client.call("browser_navigate", url=url)
    asked = ask(client, timeout=30)
    person = await at_tab(desk, url)
    await person.wait_for_notice()

    refused = await client.call("browser_take_screenshot")
    second = await client.call("browser_ask_user", message="Pay the bill")
    opened = await client.call("browser_tabs", action="new", url=other)
    await client.call("browser_tabs", action="select", index=0)
    joined = ask(client)
    await client.call("browser_tabs", action="list")
    await person.press("Done")

    for each in (refused, second):
        assert each.is_error
        assert each.raw["structuredContent"]["error"]["code"] == "handed_over"
        assert 'browser_ask_user asked: "Please log in".' in each.text
    assert "Other" in opened.text
    assert "Outcome: done" in (await asked).text
    assert "Outcome: done" in (await joined).text


async def test_a_request_is_withdrawn(client: PersonsClient, desk: Connection, site: Site) -> None:
    url = site.page(LOGIN)
    await client.call("browser_navigate", url=url)
    none = await client.call("browser_ask_user", **ASK, timeout=0)
    asked = ask(client)
    await (await at_tab(desk, url)).wait_for_notice()

    withdrawn = await client.call("browser_ask_user", **ASK, timeout=0)

    assert "Outcome: withdrawn. No request was open in the tab" in none.text
    assert "Outcome: withdrawn" in withdrawn.text
    assert "Outcome: timeout" in (await asked).text


async def test_a_cancelled_call_removes_the_notice(
    client: PersonsClient, desk: Connection, site: Site
) -> None:
    url = site.page(LOGIN)
    await client.call("browser_navigate", url=url)
    params = {"name": "browser_ask_user", "arguments": ASK}
    await client.send({"jsonrpc": "2.0", "id": 4711, "method": "tools/call", "params": params})
    person = await at_tab(desk, url)
    await person.wait_for_notice()

    await client.notify("notifications/cancelled", {"requestId": 4711})

    assert not (await client.call("browser_snapshot")).is_error
    assert await person.read_notice() == ""


async def test_the_end_of_the_session_removes_the_notice(
    open_client: OpenClient, desk: Connection, site: Site
) -> None:
    url = site.page(LOGIN)
    async with open_client() as client:
        await client.start({})
        await client.call("browser_navigate", url=url)
        asked = ask(client)
        person = await at_tab(desk, url)
        await person.wait_for_notice()
        asked.cancel()
        with suppress(asyncio.CancelledError):
            await asked
    assert await person.read_notice() == ""


async def test_a_closed_tab_ends_the_wait(
    client: PersonsClient, desk: Connection, site: Site
) -> None:
    url = site.page(LOGIN)
    await client.call("browser_tabs", action="new", url=url)
    asked = ask(client)
    await (await at_tab(desk, url)).wait_for_notice()

    await client.call("browser_close")
    reply = await asked

    assert reply.is_error
    assert reply.raw["structuredContent"]["error"]["code"] == "page_closed"
    assert "The tab was closed before the person answered." in reply.text


async def test_elicitation_asks_in_the_client(
    asking_client: PersonsClient, desk: Connection, site: Site
) -> None:
    url = site.page(LOGIN)
    await asking_client.call("browser_navigate", url=url)
    asked = ask(asking_client)
    question = await asking_client.receive_question()
    notice = await (await at_tab(desk, url)).wait_for_notice()
    await asking_client.answer(question, "accept", answer="I am in")
    reply = await asked

    assert question["params"]["message"].startswith("Please log in\n\nDo it in the window")
    assert list(question["params"]["requestedSchema"]["properties"]) == ["answer"]
    assert "Please log in" in notice
    assert reply.sections["Result"] == "Outcome: done\nMessage of the person: I am in"


@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_a_declined_elicitation_is_a_normal_result(
    asking_client: PersonsClient, site: Site, action: str
) -> None:
    await asking_client.call("browser_navigate", url=site.page(LOGIN))
    asked = ask(asking_client)
    await asking_client.answer(await asking_client.receive_question(), action)
    reply = await asked

    assert not reply.is_error
    assert "Outcome: declined" in reply.text


async def test_an_answer_in_the_window_withdraws_the_elicitation(
    asking_client: PersonsClient, desk: Connection, site: Site
) -> None:
    url = site.page(LOGIN)
    await asking_client.call("browser_navigate", url=url)
    asked = ask(asking_client)
    question = await asking_client.receive_question()
    await (await at_tab(desk, url)).press("Done")
    reply = await asked
    notified = await asking_client.receive()

    assert "Outcome: done" in reply.text
    assert notified["method"] == "notifications/cancelled"
    assert notified["params"]["requestId"] == question["id"]


async def test_a_client_that_refuses_the_question_leaves_it_to_the_window(
    asking_client: PersonsClient, desk: Connection, site: Site
) -> None:
    url = site.page(LOGIN)
    await asking_client.call("browser_navigate", url=url)
    asked = ask(asking_client)
    question = await asking_client.receive_question()
    error = {"code": -32601, "message": "Method not found"}
    await asking_client.send({"jsonrpc": "2.0", "id": question["id"], "error": error})
    await (await at_tab(desk, url)).press("Done")

    assert "Outcome: done" in (await asked).text


async def test_a_client_without_a_session_repeats_its_call_with_the_answer(
    open_client: OpenClient, desk: Connection, site: Site
) -> None:
    url = site.page(LOGIN)
    async with open_client() as client:
        opened = await client.call_without_session("browser_navigate", more={}, url=url)
        first = await client.call_without_session("browser_ask_user", more={}, **ASK)
        person = await at_tab(desk, url)
        notice = await person.wait_for_notice()
        refused = await client.call_without_session("browser_snapshot", more={})
        answer = {"person": {"action": "accept", "content": {"answer": "I am in"}}}
        more = {"inputResponses": answer, "requestState": first["requestState"]}
        second = await client.call_without_session("browser_ask_user", more=more, **ASK)
        left = await person.read_notice()
        after = await client.call_without_session("browser_snapshot", more={})

    assert not opened.get("isError")
    assert first["resultType"] == "input_required"
    assert "Please log in" in first["inputRequests"]["person"]["params"]["message"]
    assert "Please log in" in notice
    assert refused["isError"]
    assert "Outcome: done\nMessage of the person: I am in" in second["content"][0]["text"]
    assert left == ""
    assert not after.get("isError")


async def test_a_batch_refuses_to_ask(client: PersonsClient) -> None:
    reply = await client.call("browser_batch", calls=[{"tool": "ask_user", "arguments": ASK}])

    assert reply.is_error
    assert "It may wait for an hour. Call it alone." in reply.text
