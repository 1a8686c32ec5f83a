"""Requests that settling waits for, with a fake clock."""

from __future__ import annotations

import pytest

from viewpoint_mcp.page.settle.page_network_state import PageNetworkState, RequestKey
from viewpoint_mcp.page.settle.pending_document_changes import BlankDocument, DocumentChanges
from viewpoint_mcp.page.settle.pending_kind_base import DONE, Wait
from viewpoint_mcp.page.settle.pending_navigations import Navigation
from viewpoint_mcp.page.settle.pending_requests import Requests
from viewpoint_mcp.page.settle.pending_work import PendingWork
from viewpoint_mcp.page.settle.settle_limits import SettleLimits

LIMITS = SettleLimits(
    requests=5.0, requests_after_load=2.5, all_requests=10.0, pause_in_changes=0.5, patience=0.5
)


@pytest.fixture
def work() -> PendingWork:
    """The work of an action that began at the time 0."""
    return PendingWork(0.0, LIMITS, PageNetworkState(lambda: "M"))


def test_a_request_is_waited_for_while_the_document_is_watched(work: PendingWork) -> None:
    work[Requests].note_start("1", 0.1)
    assert work.next_wait(0.1) == Wait("change", 5.1)


def test_after_an_answer_a_change_is_waited_for(work: PendingWork) -> None:
    work[Requests].note_start("1", 0.1)
    work[Requests].note_response("1", 2.0)
    assert work.next_wait(2.0) == Wait("change", 2.5)
    assert work.next_wait(2.5) == DONE


def test_an_answer_to_a_request_from_before_the_action_is_ignored(work: PendingWork) -> None:
    work[Requests].note_response("earlier", 0.1)
    assert work.next_wait(0.1) == DONE


def test_an_action_that_does_not_wait_for_answers_ends_at_the_answer() -> None:
    work = PendingWork(0.0, LIMITS, PageNetworkState(lambda: "M"), is_patient=False)
    work[Requests].note_start("1", 0.1)
    assert work.next_wait(0.1).signal == "change"
    work[Requests].note_response("1", 0.2)
    assert work.next_wait(0.2) == DONE


def test_a_second_answer_to_one_request_changes_nothing(work: PendingWork) -> None:
    work[Requests].note_start("1", 0.1)
    work[Requests].note_response("1", 0.2)
    work[Requests].note_response("1", 0.6)
    assert work.next_wait(0.7) == DONE


def test_an_overdue_request_is_not_waited_for(work: PendingWork) -> None:
    work[Requests].note_start("1", 0.1)
    assert work.next_wait(5.09).signal == "change"
    assert work.next_wait(5.1) == DONE
    assert not work.is_navigation_overdue


def test_one_overdue_request_does_not_end_the_wait_for_another(work: PendingWork) -> None:
    work[Requests].note_start("1", 0.1)
    work[Requests].note_start("2", 3.0)
    assert work.next_wait(5.5) == Wait("change", 8.0)


def test_a_request_that_is_repeated_during_an_action_is_a_poll(work: PendingWork) -> None:
    for number in range(4):
        work[Requests].note_start(str(number), 0.1, RequestKey("GET", "http://a/poll"))
    for number in range(3):
        work[Requests].note_response(str(number), 0.2)
    assert work.next_wait(0.7) == DONE


def test_a_request_from_before_the_action_that_is_repeated_is_a_poll() -> None:
    page = PageNetworkState(lambda: "M")
    page.note_request("0", RequestKey("GET", "http://a/poll"))
    work = PendingWork(0.0, LIMITS, page)
    work[Requests].note_start("1", 0.1, RequestKey("GET", "http://a/poll"))
    assert work.next_wait(0.1) == DONE


def test_requests_of_a_new_document_that_shows_something_get_less_time(
    work: PendingWork,
) -> None:
    work[Navigation].note_commit(0.1)
    work[Navigation].note_end()
    work[Requests].note_start("1", 0.2, RequestKey("GET", "http://a/poll"))
    assert work.next_wait(0.2) == Wait("change", 2.7)
    work[BlankDocument].note_blank_state(0.3, is_blank=True)
    assert work.next_wait(0.3) == Wait("change", 5.2)


def test_a_request_that_timed_out_is_reported(work: PendingWork) -> None:
    work[Requests].note_start("1", 0.1, RequestKey("GET", "http://a/slow"))
    work[Requests].note_start("2", 0.1, RequestKey("GET", "http://a/quick"))
    work[Requests].note_response("2", 0.2)
    assert work.unanswered_urls == ["http://a/slow"]


def test_requests_are_followed_no_longer_than_the_cap(work: PendingWork) -> None:
    for second in range(12):
        work[Requests].note_start(str(second), float(second))
    assert work.next_wait(9.9) == Wait("change", 10.0)
    assert work.next_wait(10.0) == DONE


def test_the_wait_for_a_change_after_an_answer_is_limited_too(work: PendingWork) -> None:
    work[Requests].note_start("1", 5.0)
    work[Requests].note_response("1", 9.8)
    assert work.next_wait(9.8) == Wait("change", 10.0)


def test_after_a_change_with_an_open_request_stillness_is_waited_for_first(
    work: PendingWork,
) -> None:
    work[Requests].note_start("1", 0.1)
    work[DocumentChanges].note_change(0.2)
    assert work.next_wait(0.2) == Wait("still", 0.7)
    work[DocumentChanges].note_pause(0.3)
    assert work.next_wait(0.3) == Wait("change", 5.1)


def test_a_change_before_the_end_of_a_request_is_reported_ends_the_wait(
    work: PendingWork,
) -> None:
    work[Requests].note_start("1", 0.1)
    work[DocumentChanges].note_change(0.5)
    work[DocumentChanges].note_pause(0.55)
    work[Requests].note_response("1", 0.56, is_complete=True)
    assert work.next_wait(0.56) == DONE


def test_a_spinner_does_not_end_the_wait_for_the_answer(work: PendingWork) -> None:
    """The document never becomes still, but the wait for a change after the answer still takes
    place.
    """
    work[DocumentChanges].note_change(0.1)
    work[Requests].note_start("1", 0.1)
    work[Requests].note_response("1", 1.0)
    assert work.next_wait(1.0) == Wait("change", 1.5)


def test_a_change_after_its_limit_starts_no_new_wait_for_stillness(work: PendingWork) -> None:
    work[DocumentChanges].note_change(0.1)
    assert work.next_wait(0.6) == DONE
    work[DocumentChanges].note_change(0.7)
    assert work.next_wait(0.7) == DONE
