"""Browser events that are passed to the settling of an action."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.unit.page.tab import ScriptedTab
from viewpoint_mcp.page.settle.page_network_state import FOLLOWED_TYPES
from viewpoint_mcp.page.settle.pending_document_changes import ExpectedConsequence
from viewpoint_mcp.page.settle.pending_work import PendingWork
from viewpoint_mcp.page.settle.pending_work_dispatcher import WorkDispatcher
from viewpoint_mcp.page.settle.settle_limits import SettleLimits

MAIN = "M"


class Act:
    """An action on a tab, during its settling."""

    def __init__(self, tab: ScriptedTab, work: PendingWork, wake: asyncio.Event) -> None:
        self.tab = tab
        self.work = work
        self.wake = wake

    @property
    def waits_for(self) -> str:
        return self.work.next_wait(asyncio.get_running_loop().time()).signal

    async def begin_navigation(self, loader: str = "L2", frame: str = MAIN) -> None:
        kind = "differentDocument"
        await self.tab.emit(
            "Page.frameStartedNavigating", frameId=frame, loaderId=loader, navigationType=kind
        )

    async def commit(self, loader: str = "L2", **more: Any) -> None:
        await self.tab.emit("Page.frameNavigated", frame={"id": MAIN, "loaderId": loader}, **more)


@pytest.fixture
def tracker(tab: ScriptedTab) -> WorkDispatcher:
    tracker = WorkDispatcher(lambda: MAIN)
    tracker.subscribe(tab.session)
    tracker.subscribe_main_frame(tab.session)
    return tracker


@pytest.fixture
async def act(tab: ScriptedTab, tracker: WorkDispatcher) -> AsyncIterator[Act]:
    with tracker.follow_action(SettleLimits()) as (work, wake):
        yield Act(tab, work, wake)


async def request(tab: ScriptedTab, kind: str = "Fetch", number: str = "1", **more: Any) -> None:
    asked = {"method": "GET", "url": "http://a/data?n=1", **more.pop("request", {})}
    await tab.emit("Network.requestWillBeSent", requestId=number, type=kind, request=asked, **more)


# ---- requests


@pytest.mark.parametrize("kind", sorted(FOLLOWED_TYPES))
async def test_a_request_that_may_change_the_page_is_followed(act: Act, kind: str) -> None:
    await request(act.tab, kind)
    assert act.waits_for == "change"
    assert act.wake.is_set()


@pytest.mark.parametrize("kind", ["Image", "Ping", "EventSource", "Prefetch", "Media", "Font"])
async def test_a_request_that_shows_nothing_is_not_followed(act: Act, kind: str) -> None:
    await request(act.tab, kind)
    assert act.waits_for == "done"


async def test_the_script_of_a_worker_is_not_followed(act: Act) -> None:
    await request(act.tab, "Script", loaderId="")
    assert act.waits_for == "done"


async def test_a_redirect_is_the_same_request(act: Act) -> None:
    await request(act.tab)
    await request(act.tab, redirectResponse={"status": 302})
    await act.tab.emit("Network.loadingFailed", requestId="1", canceled=True)
    act.work.note_consequence()
    assert act.waits_for == "done"


@pytest.mark.parametrize(
    ("event", "params"),
    [
        ("Network.responseReceived", {"response": {"status": 200}}),
        ("Network.loadingFinished", {}),
        ("Network.loadingFailed", {}),
    ],
)
async def test_each_end_of_a_request_is_an_answer(
    act: Act, event: str, params: dict[str, Any]
) -> None:
    await request(act.tab)
    await act.tab.emit(event, requestId="1", **params)
    act.work.note_consequence()  # no wait for a change after the answer
    assert act.waits_for == "done"


async def test_an_unanswered_request_is_open(tab: ScriptedTab, tracker: WorkDispatcher) -> None:
    was_open = [tracker.has_open_request]
    await request(tab, "XHR")
    was_open.append(tracker.has_open_request)
    await tab.emit("Network.loadingFinished", requestId="1")
    assert [*was_open, tracker.has_open_request] == [False, True, False]


async def test_an_open_poll_is_no_open_request(tab: ScriptedTab, tracker: WorkDispatcher) -> None:
    for number in ("1", "2"):
        await request(tab, number=number, request={"url": f"http://a/poll?t={number}"})
    assert not tracker.has_open_request


@pytest.mark.parametrize("body", ["", "a body"])
async def test_a_request_that_timed_out_is_not_an_open_request(
    tab: ScriptedTab, tracker: WorkDispatcher, body: str
) -> None:
    with tracker.follow_action(SettleLimits()):
        await request(tab, request={"postData": body})
    was_open = tracker.has_open_request
    await request(tab, number="3", request={"url": "http://a/data/3"})
    assert [was_open, tracker.has_open_request] == [False, True]


async def test_a_request_that_the_page_repeats_is_a_poll(
    tab: ScriptedTab, tracker: WorkDispatcher
) -> None:
    for number in ("1", "2"):
        await request(tab, number=number, request={"url": f"http://a/poll?t={number}"})
    with tracker.follow_action(SettleLimits()) as (work, wake):
        act = Act(tab, work, wake)
        await request(tab, number="3", request={"url": "http://a/poll?t=3"})
        assert act.waits_for == "done"
        await request(tab, number="4", request={"url": "http://a/poll", "method": "POST"})
        assert act.waits_for == "change"


async def test_a_request_made_once_before_is_no_poll(
    tab: ScriptedTab, tracker: WorkDispatcher
) -> None:
    await request(tab, number="1")
    await tab.emit("Network.loadingFinished", requestId="1")
    with tracker.follow_action(SettleLimits()) as (work, wake):
        await request(tab, number="2")
        assert Act(tab, work, wake).waits_for == "change"


async def test_the_next_turn_of_a_long_poll_does_not_belong_to_the_action(
    tab: ScriptedTab, tracker: WorkDispatcher
) -> None:
    await request(tab, number="1")
    with tracker.follow_action(SettleLimits()) as (work, wake):
        await tab.emit("Network.loadingFinished", requestId="1")
        await request(tab, number="2")
        assert Act(tab, work, wake).waits_for == "done"


async def test_a_request_that_timed_out_is_not_waited_for_again(
    tab: ScriptedTab, tracker: WorkDispatcher
) -> None:
    with tracker.follow_action(SettleLimits()):
        await request(tab, number="1", request={"url": "http://a/poll?turn=1"})
    await tab.emit("Page.frameNavigated", frame={"id": MAIN, "loaderId": "L2"})
    with tracker.follow_action(SettleLimits()) as (work, wake):
        await request(tab, number="2", request={"url": "http://a/poll?turn=2"})
        assert Act(tab, work, wake).waits_for == "done"


async def test_a_new_document_forgets_the_polls_of_the_old(
    tab: ScriptedTab, tracker: WorkDispatcher
) -> None:
    for number in ("1", "2"):
        await request(tab, number=number)
    await tab.emit("Page.frameNavigated", frame={"id": MAIN, "loaderId": "L2"})
    with tracker.follow_action(SettleLimits()) as (work, wake):
        await request(tab, number="3")
        assert Act(tab, work, wake).waits_for == "change"


async def test_no_event_is_sent_after_settling(tab: ScriptedTab, tracker: WorkDispatcher) -> None:
    with tracker.follow_action(SettleLimits()) as (work, wake):
        pass
    await request(tab)
    assert not wake.is_set()
    assert Act(tab, work, wake).waits_for == "done"


# ---- navigations


async def test_a_wish_of_the_main_frame_is_followed(act: Act) -> None:
    await act.tab.emit(
        "Page.frameRequestedNavigation", frameId=MAIN, disposition="currentTab", url="http://b/"
    )
    assert act.waits_for == "events"


def scheduled_navigation(**how: Any) -> dict[str, Any]:
    return {"frameId": MAIN, "delay": 0, "reason": "metaTagRefresh", "url": "http://b/", **how}


@pytest.mark.parametrize("reason", ["metaTagRefresh", "httpHeaderRefresh"])
async def test_a_refresh_at_once_is_followed(act: Act, reason: str) -> None:
    await act.tab.emit("Page.frameScheduledNavigation", **scheduled_navigation(reason=reason))
    assert act.waits_for == "events"


@pytest.mark.parametrize("how", [{"delay": 1}, {"frameId": "A"}, {"reason": "scriptInitiated"}])
async def test_a_later_or_partial_refresh_does_not_belong_to_the_action(
    act: Act, how: dict[str, object]
) -> None:
    await act.tab.emit("Page.frameScheduledNavigation", **scheduled_navigation(**how))
    assert act.waits_for == "done"


async def test_a_wish_of_another_frame_is_followed_until_the_frame_has_loaded(act: Act) -> None:
    await act.tab.emit("Page.frameRequestedNavigation", frameId="A", disposition="currentTab")
    await act.begin_navigation(frame="A")
    assert act.waits_for == "change"
    await act.tab.emit("Page.frameStoppedLoading", frameId="A")
    act.work.note_consequence()  # no wait for a change after it
    assert act.waits_for == "done"


@pytest.mark.parametrize("disposition", ["newTab", "newWindow"])
async def test_a_wish_for_a_new_window_waits_for_it(
    act: Act, tracker: WorkDispatcher, disposition: str
) -> None:
    await act.tab.emit(
        "Page.frameRequestedNavigation", frameId=MAIN, disposition=disposition, url="http://b/"
    )
    assert act.waits_for == "change"
    tracker.note_popup_opened()
    assert act.waits_for == "done"
    assert not tracker.claim_requested_tab("http://a/")
    assert tracker.claim_requested_tab("http://b/")
    assert not tracker.claim_requested_tab("http://b/")  # that was the requested one


async def test_a_download_is_waited_for_no_longer_than_a_wish(act: Act) -> None:
    await act.tab.emit("Page.frameRequestedNavigation", frameId=MAIN, disposition="download")
    assert act.waits_for in ("done", "events")


async def test_a_navigation_is_followed_to_its_load_event(act: Act) -> None:
    await act.begin_navigation()
    await act.commit()
    assert act.waits_for == "events"
    await act.tab.emit("Page.loadEventFired", timestamp=1.0)
    assert act.waits_for == "done"


@pytest.mark.parametrize("kind", ["sameDocument", "historySameDocument"])
async def test_a_move_within_the_document_is_no_navigation(act: Act, kind: str) -> None:
    await act.tab.emit(
        "Page.frameStartedNavigating", frameId=MAIN, loaderId="L", navigationType=kind
    )
    assert act.waits_for == "done"


async def test_a_move_within_the_document_is_a_consequence_of_the_script(act: Act) -> None:
    act.work[ExpectedConsequence].note_script_run(asyncio.get_running_loop().time())
    assert act.waits_for == "change"
    await act.tab.emit("Page.navigatedWithinDocument", frameId=MAIN, url="http://a/#b")
    assert act.waits_for == "done"


async def test_the_load_of_another_session_is_not_that_of_the_main_frame(tab: ScriptedTab) -> None:
    tracker = WorkDispatcher(lambda: MAIN)
    tracker.subscribe(tab.session)
    with tracker.follow_action(SettleLimits()) as (work, wake):
        act = Act(tab, work, wake)
        await act.begin_navigation()
        await act.commit()
        await tab.emit("Page.loadEventFired", timestamp=1.0)
        assert act.waits_for == "events"


@pytest.mark.parametrize("canceled", [True, False])
async def test_a_failed_navigation_awaits_the_error_page(act: Act, canceled: bool) -> None:
    await act.begin_navigation("L2")
    await act.tab.emit("Network.loadingFailed", requestId="L2", canceled=canceled)
    assert act.waits_for == ("done" if canceled else "events")


async def test_another_requests_failure_does_not_end_the_navigation(act: Act) -> None:
    await act.begin_navigation("L2")
    await act.tab.emit("Network.loadingFailed", requestId="7")
    assert act.waits_for == "events"


async def test_a_page_from_the_back_forward_cache_is_loaded_already(act: Act) -> None:
    await act.begin_navigation()
    await act.commit(type="BackForwardCacheRestore")
    assert act.waits_for == "done"


async def test_the_commit_of_a_child_frame_is_no_navigation(act: Act) -> None:
    frame = {"id": "A", "parentId": MAIN, "loaderId": "L9"}
    await act.tab.emit("Page.frameNavigated", frame=frame, type="Navigation")
    assert act.waits_for == "done"


async def load_frame(act: Act, frame: str = "A") -> None:
    """Send all events before the end of the frame's load."""
    await act.tab.emit("Page.frameRequestedNavigation", frameId=frame, disposition="currentTab")
    await act.begin_navigation("L9", frame)
    await request(act.tab, "Document", "L9", frameId=frame)
    await act.tab.emit(
        "Network.responseReceived", requestId="L9", type="Document", response={"status": 200}
    )
    info = {"id": frame, "parentId": MAIN, "loaderId": "L9"}
    await act.tab.emit("Page.frameNavigated", frame=info, type="Navigation")
    await act.tab.emit("Network.loadingFinished", requestId="L9")


async def test_the_load_of_a_frame_is_a_consequence_of_its_navigation(act: Act) -> None:
    await load_frame(act)
    assert act.waits_for == "change"
    await act.tab.emit("Page.frameStoppedLoading", frameId="A")
    assert act.waits_for == "done"


async def test_no_script_is_expected_when_a_frame_has_already_loaded(act: Act) -> None:
    await load_frame(act)
    await act.tab.emit("Page.frameStoppedLoading", frameId="A")
    act.work[ExpectedConsequence].note_script_run(asyncio.get_running_loop().time())
    assert act.waits_for == "done"


async def test_a_requested_frame_is_followed_until_it_has_loaded(act: Act) -> None:
    await request(act.tab, "Document", "L9", frameId="A")
    await act.tab.emit("Network.loadingFinished", requestId="L9")
    assert act.waits_for == "change"
    await act.tab.emit("Page.frameStoppedLoading", frameId="A")
    assert act.waits_for == "done"


@pytest.mark.parametrize(("reason", "kind"), [("swap", "change"), ("remove", "done")])
async def test_a_frame_that_moves_to_another_process_is_still_loading(
    act: Act, reason: str, kind: str
) -> None:
    await load_frame(act)
    await act.tab.emit("Page.frameDetached", frameId="A", reason=reason)
    assert act.waits_for == kind


async def test_the_stop_of_another_frame_ends_nothing(act: Act) -> None:
    await act.begin_navigation()
    await act.commit()
    await act.tab.emit("Page.frameStoppedLoading", frameId="A")
    assert act.waits_for == "events"
    await act.tab.emit("Page.frameStoppedLoading", frameId=MAIN)
    assert act.waits_for == "done"


async def test_an_interruption_ends_the_following(act: Act, tracker: WorkDispatcher) -> None:
    await act.begin_navigation()
    tracker.interrupt_waits()
    assert act.waits_for == "done"


# ---- the status of the main document


async def test_the_status_is_that_of_the_main_document(act: Act, tracker: WorkDispatcher) -> None:
    await act.begin_navigation("L2")
    await act.tab.emit("Network.responseReceived", requestId="9", response={"status": 500})
    await act.tab.emit("Network.responseReceived", requestId="L2", response={"status": 404})
    assert tracker.http_status is None
    await act.commit("L2")
    assert tracker.http_status == 404


async def test_a_new_navigation_has_no_status_yet(act: Act, tracker: WorkDispatcher) -> None:
    await act.begin_navigation("L2")
    await act.tab.emit("Network.responseReceived", requestId="L2", response={"status": 404})
    await act.begin_navigation("L3")
    assert tracker.http_status is None


async def test_a_navigation_without_a_new_document_keeps_the_status(
    act: Act, tracker: WorkDispatcher
) -> None:
    """A download or a 204 leaves the old document where it is, and with it its status."""
    await act.begin_navigation("L2")
    await act.tab.emit("Network.responseReceived", requestId="L2", response={"status": 404})
    await act.commit("L2")
    await act.begin_navigation("L3")
    await act.tab.emit("Network.responseReceived", requestId="L3", response={"status": 204})
    await act.tab.emit("Network.loadingFailed", requestId="L3", canceled=True)
    assert tracker.http_status == 404
