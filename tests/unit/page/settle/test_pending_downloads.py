"""Downloads that settling waits for, and the time limits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.unit.page.tab import ScriptedTab
from viewpoint_mcp.page.isolated_world import DOWNLOAD_BINDING
from viewpoint_mcp.page.settle.page_network_state import PageNetworkState
from viewpoint_mcp.page.settle.pending_document_changes import ExpectedConsequence
from viewpoint_mcp.page.settle.pending_downloads import Downloads
from viewpoint_mcp.page.settle.pending_kind_base import DONE, Wait
from viewpoint_mcp.page.settle.pending_navigations import Navigation
from viewpoint_mcp.page.settle.pending_work import PendingWork
from viewpoint_mcp.page.settle.pending_work_dispatcher import WorkDispatcher
from viewpoint_mcp.page.settle.settle_limits import SettleLimits

LIMITS = SettleLimits(
    requested_navigation=1.0, requests=4.0, all_requests=10.0, download=5.0, patience=0.5
)


@pytest.fixture
def work() -> PendingWork:
    """The work of an action that began at the time 0."""
    return PendingWork(0.0, LIMITS, PageNetworkState(lambda: "M"))


def test_a_download_is_waited_for_to_its_end(work: PendingWork) -> None:
    work[Downloads].note_download_start("A", 0.1)
    assert work.next_wait(0.1) == Wait("change", 5.1)
    work[Downloads].end_work("A")
    assert work.next_wait(0.2) == DONE


def test_the_wait_for_a_slow_download_ends(work: PendingWork) -> None:
    work[Downloads].note_download_start("A", 0.1)
    assert work.next_wait(5.1) == DONE


def test_the_last_of_two_downloads_is_waited_for(work: PendingWork) -> None:
    work[Downloads].note_download_start("A", 0.1)
    work[Downloads].note_download_start("B", 0.2)
    work[Downloads].end_work("A")
    assert work.next_wait(0.3) == Wait("change", 5.2)
    work[Downloads].end_work("B")
    assert work.next_wait(0.3) == DONE


def test_the_wait_for_a_series_of_downloads_ends(work: PendingWork) -> None:
    work[Downloads].note_download_start("A", 9.0)
    assert work.next_wait(9.0) == Wait("change", 10.0)


def test_a_requested_file_is_waited_for_like_a_request(work: PendingWork) -> None:
    work[Downloads].note_request(0.1)
    assert work.next_wait(0.1) == Wait("change", 4.1)
    work[Downloads].note_download_start("A", 0.2)
    work[Downloads].end_work("A")
    assert work.next_wait(0.3) == DONE


def test_a_document_that_becomes_a_download_starts_at_once(work: PendingWork) -> None:
    work[Downloads].note_request(0.1, has_response=True)
    assert work.next_wait(0.1) == Wait("change", 1.1)
    assert work.next_wait(1.1) == DONE


def test_a_download_that_is_reported_before_its_request_is_not_waited_for_twice(
    work: PendingWork,
) -> None:
    work[Downloads].note_download_start("A", 0.1)
    work[Downloads].note_request(0.2)
    work[Downloads].end_work("A")
    assert work.next_wait(0.3) == DONE


def test_a_requested_file_that_became_a_document_is_no_download(work: PendingWork) -> None:
    work[Downloads].note_request(0.1)
    work[Navigation].note_commit(0.2)
    work[Navigation].note_end()
    assert work.next_wait(0.3) == DONE


def test_script_that_began_a_download_needs_no_patience(work: PendingWork) -> None:
    work[Downloads].note_request(0.1)
    work[Downloads].note_download_start("A", 0.1)
    work[Downloads].end_work("A")
    work[ExpectedConsequence].note_script_run(0.2)
    assert work.next_wait(0.2) == DONE


# ---- events of the browser


@pytest.fixture
def tracker(tab: ScriptedTab) -> WorkDispatcher:
    tracker = WorkDispatcher(lambda: "M")
    tracker.subscribe(tab.session)
    return tracker


@pytest.fixture
async def followed(tracker: WorkDispatcher) -> AsyncIterator[PendingWork]:
    """The work of an action that is followed from now on."""
    with tracker.follow_action(LIMITS) as (work, _):
        yield work


def waits_for(work: PendingWork) -> str:
    return work.next_wait(asyncio.get_running_loop().time()).signal


async def answer(tab: ScriptedTab, status: int = 200) -> None:
    response = {"status": status}
    await tab.emit("Network.responseReceived", requestId="L", type="Document", response=response)


FAILED: dict[str, Any] = {"requestId": "L", "errorText": "net::ERR_ABORTED", "canceled": True}


async def test_a_document_that_is_dropped_after_its_response_is_a_download(
    tab: ScriptedTab, followed: PendingWork
) -> None:
    await answer(tab)
    await tab.emit("Network.loadingFailed", **FAILED)
    assert waits_for(followed) == "change"


@pytest.mark.parametrize("status", [204, 205])
async def test_an_answer_without_content_is_no_file(
    tab: ScriptedTab, followed: PendingWork, status: int
) -> None:
    await answer(tab, status)
    await tab.emit("Network.loadingFailed", **FAILED)
    assert waits_for(followed) == "done"


async def test_a_document_that_was_shown_and_left_is_no_file(
    tab: ScriptedTab, followed: PendingWork
) -> None:
    await answer(tab)
    await tab.emit("Page.frameNavigated", frame={"id": "F", "parentId": "M", "loaderId": "L"})
    await tab.emit("Network.loadingFailed", **FAILED)
    assert waits_for(followed) == "done"


async def test_the_binding_reports_download_links_and_no_others(
    tab: ScriptedTab, followed: PendingWork
) -> None:
    await tab.emit("Runtime.bindingCalled", name="theirs", payload="")
    assert waits_for(followed) == "done"
    await tab.emit("Runtime.bindingCalled", name=DOWNLOAD_BINDING, payload="")
    assert waits_for(followed) == "change"


async def test_a_download_that_began_is_followed_to_its_end(
    tracker: WorkDispatcher, followed: PendingWork
) -> None:
    tracker.note_download_start("A")
    assert waits_for(followed) == "change"
    tracker.note_download_end("A")
    assert waits_for(followed) == "done"
