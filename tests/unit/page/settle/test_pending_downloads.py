"""Which downloads an act is followed to, and for how long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.unit.page.tab import ScriptedTab
from viewpoint_mcp.page.isolated_world import DOWNLOADS
from viewpoint_mcp.page.settle.activity import Activity
from viewpoint_mcp.page.settle.pending import DONE, Consequences, Limits, Want

LIMITS = Limits(requested=1.0, requests=4.0, following=10.0, download=5.0, patience=0.5)


@pytest.fixture
def act() -> Consequences:
    """An act that began at the time 0."""
    return Consequences(0.0, LIMITS)


def test_a_download_is_waited_for_to_its_end(act: Consequences) -> None:
    act.download_begun("A", 0.1)
    assert act.next(0.1) == Want("change", 5.1)
    act.download_ended("A")
    assert act.next(0.2) == DONE


def test_a_slow_download_is_given_up(act: Consequences) -> None:
    act.download_begun("A", 0.1)
    assert act.next(5.1) == DONE


def test_the_last_of_two_downloads_is_waited_for(act: Consequences) -> None:
    act.download_begun("A", 0.1)
    act.download_begun("B", 0.2)
    act.download_ended("A")
    assert act.next(0.3) == Want("change", 5.2)
    act.download_ended("B")
    assert act.next(0.3) == DONE


def test_one_after_another_is_not_waited_for_for_ever(act: Consequences) -> None:
    act.download_begun("A", 9.0)
    assert act.next(9.0) == Want("change", 10.0)


def test_a_file_that_was_asked_for_is_waited_for_as_a_request_is(act: Consequences) -> None:
    act.download_wished(0.1)
    assert act.next(0.1) == Want("change", 4.1)
    act.download_begun("A", 0.2)
    act.download_ended("A")
    assert act.next(0.3) == DONE


def test_a_document_that_turns_out_to_be_a_file_begins_at_once(act: Consequences) -> None:
    act.download_wished(0.1, is_answered=True)
    assert act.next(0.1) == Want("change", 1.1)
    assert act.next(1.1) == DONE


def test_a_download_told_of_before_it_was_asked_for_is_not_waited_for_twice(
    act: Consequences,
) -> None:
    act.download_begun("A", 0.1)
    act.download_wished(0.2)
    act.download_ended("A")
    assert act.next(0.3) == DONE


def test_what_was_asked_for_and_became_a_document_is_no_download(act: Consequences) -> None:
    act.download_wished(0.1)
    act.navigation_committed(0.2)
    act.navigation_ended()
    assert act.next(0.3) == DONE


def test_script_that_began_a_download_needs_no_patience(act: Consequences) -> None:
    act.download_wished(0.1)
    act.download_begun("A", 0.1)
    act.download_ended("A")
    act.script_ran(0.2)
    assert act.next(0.2) == DONE


# ---- what the browser tells


@pytest.fixture
def activity(tab: ScriptedTab) -> Activity:
    activity = Activity(lambda: "M")
    activity.subscribe(tab.session)
    return activity


@pytest.fixture
async def followed(activity: Activity) -> AsyncIterator[Consequences]:
    """An act that is followed from now on."""
    consequences = Consequences(asyncio.get_running_loop().time(), LIMITS)
    with activity.following(consequences):
        yield consequences


def waits_for(act: Consequences) -> str:
    return act.next(asyncio.get_running_loop().time()).kind


async def answer(tab: ScriptedTab, status: int = 200) -> None:
    response = {"status": status}
    await tab.tell("Network.responseReceived", requestId="L", type="Document", response=response)


FAILED: dict[str, Any] = {"requestId": "L", "errorText": "net::ERR_ABORTED", "canceled": True}


async def test_a_document_that_is_dropped_once_it_is_answered_is_a_file(
    tab: ScriptedTab, followed: Consequences
) -> None:
    await answer(tab)
    await tab.tell("Network.loadingFailed", **FAILED)
    assert waits_for(followed) == "change"


@pytest.mark.parametrize("status", [204, 205])
async def test_an_answer_without_content_is_no_file(
    tab: ScriptedTab, followed: Consequences, status: int
) -> None:
    await answer(tab, status)
    await tab.tell("Network.loadingFailed", **FAILED)
    assert waits_for(followed) == "done"


async def test_a_document_that_was_shown_and_left_is_no_file(
    tab: ScriptedTab, followed: Consequences
) -> None:
    await answer(tab)
    await tab.tell("Page.frameNavigated", frame={"id": "F", "parentId": "M", "loaderId": "L"})
    await tab.tell("Network.loadingFailed", **FAILED)
    assert waits_for(followed) == "done"


async def test_our_binding_tells_of_download_links_and_others_of_nothing(
    tab: ScriptedTab, followed: Consequences
) -> None:
    await tab.tell("Runtime.bindingCalled", name="theirs", payload="")
    assert waits_for(followed) == "done"
    await tab.tell("Runtime.bindingCalled", name=DOWNLOADS, payload="")
    assert waits_for(followed) == "change"


async def test_a_download_that_began_is_followed_to_its_end(
    activity: Activity, followed: Consequences
) -> None:
    activity.download_begun("A")
    assert waits_for(followed) == "change"
    activity.download_ended("A")
    assert waits_for(followed) == "done"
