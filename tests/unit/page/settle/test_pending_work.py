"""Pending work that settling waits for, without a browser and with a fake clock."""

from __future__ import annotations

import pytest

from viewpoint_mcp.page.settle.page_network_state import PageNetworkState
from viewpoint_mcp.page.settle.pending_document_changes import DocumentChanges, ExpectedConsequence
from viewpoint_mcp.page.settle.pending_kind_base import DONE, Wait
from viewpoint_mcp.page.settle.pending_navigations import Navigation, RequestedNavigation
from viewpoint_mcp.page.settle.pending_popups import Popups
from viewpoint_mcp.page.settle.pending_requests import Requests
from viewpoint_mcp.page.settle.pending_work import PendingWork
from viewpoint_mcp.page.settle.settle_limits import SettleLimits

LIMITS = SettleLimits(
    navigation=60.0,
    late_load=5.0,
    requested_navigation=1.0,
    requests=5.0,
    all_requests=10.0,
    pause_in_changes=0.5,
    patience=0.5,
    popup=1.0,
)


@pytest.fixture
def work() -> PendingWork:
    """The work of an action that began at the time 0."""
    return PendingWork(0.0, LIMITS, PageNetworkState(lambda: "M"))


def test_an_action_without_consequences_is_done_at_once(work: PendingWork) -> None:
    assert work.next_wait(0.0) == DONE
    assert not work.is_navigation_overdue


# ---- script and the document


def test_after_script_a_change_is_waited_for_with_patience(work: PendingWork) -> None:
    work[ExpectedConsequence].note_script_run(0.1)
    assert work.next_wait(0.1) == Wait("change", 0.6)
    assert work.next_wait(0.59).signal == "change"
    assert work.next_wait(0.6) == DONE


def test_script_of_an_impatient_act_is_not_waited_for() -> None:
    work = PendingWork(0.0, LIMITS, PageNetworkState(lambda: "M"), is_patient=False)
    work[ExpectedConsequence].note_script_run(0.1)
    assert work.next_wait(0.1) == DONE


def test_after_a_script_changed_the_document_only_stillness_is_waited_for(
    work: PendingWork,
) -> None:
    work[DocumentChanges].note_change(0.1)
    work[ExpectedConsequence].note_script_run(0.1)
    assert work.next_wait(0.1) == Wait("still", 0.6)
    work[DocumentChanges].note_pause(0.2)
    assert work.next_wait(0.2) == DONE


def test_a_change_ends_the_wait_for_one_and_starts_the_wait_for_stillness(
    work: PendingWork,
) -> None:
    work[ExpectedConsequence].note_script_run(0.1)
    work[DocumentChanges].note_change(0.4)
    assert work.next_wait(0.4) == Wait("still", 0.9)


def test_a_change_by_a_timer_may_be_one_of_several_steps(work: PendingWork) -> None:
    work[ExpectedConsequence].note_script_run(0.1)
    work[DocumentChanges].note_change(0.2)
    work[DocumentChanges].note_pause(0.25)
    assert work.next_wait(0.25) == Wait("change", 0.4)
    work[DocumentChanges].note_change(0.35)
    work[DocumentChanges].note_pause(0.65)
    assert work.next_wait(0.65) == Wait("change", 0.7)
    assert work.next_wait(0.7) == DONE


def test_a_page_that_is_marked_busy_is_waited_for(work: PendingWork) -> None:
    work[DocumentChanges].note_change(0.1)
    work[DocumentChanges].note_pause(0.2, has_loading_sign=True)
    assert work.next_wait(0.2) == Wait("change", 0.7)
    work[DocumentChanges].note_change(0.3)
    work[DocumentChanges].note_pause(0.4)
    assert work.next_wait(0.55) == DONE


def test_the_wait_for_a_document_that_always_changes_ends(work: PendingWork) -> None:
    work[DocumentChanges].note_change(0.1)
    work[DocumentChanges].note_change(0.5)
    assert work.next_wait(0.59).signal == "still"
    assert work.next_wait(0.6) == DONE


def test_a_document_may_change_again_after_being_still(work: PendingWork) -> None:
    work[DocumentChanges].note_change(0.1)
    work[DocumentChanges].note_pause(0.2)
    work[DocumentChanges].note_change(0.3)
    assert work.next_wait(0.3) == Wait("still", 0.8)


def test_a_move_within_the_document_is_a_consequence(work: PendingWork) -> None:
    work[ExpectedConsequence].note_script_run(0.1)
    work.note_consequence()
    assert work.next_wait(0.1) == DONE


# ---- navigations


def test_a_wish_to_navigate_waits_for_the_beginning(work: PendingWork) -> None:
    work[RequestedNavigation].note_request(0.1)
    assert work.next_wait(0.1) == Wait("events", 1.1)


def test_the_wait_for_a_navigation_that_never_begins_ends(work: PendingWork) -> None:
    work[RequestedNavigation].note_request(0.1)
    assert work.next_wait(1.1) == DONE
    assert not work.is_navigation_overdue


def test_a_refresh_is_awaited_past_the_end_of_the_load_that_scheduled_it(
    work: PendingWork,
) -> None:
    work[Navigation].note_start(0.1)
    work[Navigation].note_commit(0.2)
    work[Navigation].note_end()
    work[RequestedNavigation].note_scheduled_refresh(0.3)
    work[Navigation].note_loading_stopped()
    assert work.next_wait(0.3) == Wait("events", 1.3)
    assert not work.note_if_new_document_loaded(0.3)
    work[Navigation].note_start(0.4)
    work[Navigation].note_end()
    assert work.next_wait(0.5) == DONE


def test_a_navigation_is_followed_to_its_load(work: PendingWork) -> None:
    work[RequestedNavigation].note_request(0.1)
    work[Navigation].note_start(0.2)
    assert work.next_wait(0.2) == Wait("events", 60.2)
    work[Navigation].note_commit(1.0)
    assert work.next_wait(1.0) == Wait("events", 60.2)
    work[Navigation].note_end()
    assert work.next_wait(2.0) == DONE
    assert not work.is_navigation_overdue


def test_a_navigation_that_is_not_answered_is_overdue(work: PendingWork) -> None:
    work[Navigation].note_start(0.2)
    assert work.next_wait(60.2) == DONE
    assert work.is_navigation_overdue
    assert not work[Navigation].has_content


def test_a_load_delayed_by_a_picture_is_waited_for_briefly(work: PendingWork) -> None:
    work[Navigation].note_commit(0.2)
    work[Navigation].note_content_loaded(1.0)
    assert work.next_wait(1.0) == Wait("events", 6.0)
    assert work.next_wait(6.0) == DONE
    assert work.is_navigation_overdue
    assert work[Navigation].has_content


def test_the_late_load_never_extends_the_limit_of_the_navigation(work: PendingWork) -> None:
    work[Navigation].note_commit(0.2)
    work[Navigation].note_content_loaded(58.0)
    assert work.next_wait(58.0) == Wait("events", 60.2)


def test_content_that_loads_without_a_navigation_of_the_action_is_ignored(
    work: PendingWork,
) -> None:
    work[Navigation].note_content_loaded(0.1)
    assert not work[Navigation].has_content
    assert work.next_wait(0.1) == DONE


def test_a_redirect_by_script_keeps_the_first_beginning(work: PendingWork) -> None:
    work[Navigation].note_commit(0.2)
    work[Navigation].note_content_loaded(0.3)
    work[Navigation].note_start(20.0)
    assert not work[Navigation].has_content
    assert work.next_wait(20.0) == Wait("events", 60.2)


def test_a_navigation_without_a_new_document_ends_the_wait(work: PendingWork) -> None:
    work[RequestedNavigation].note_request(0.1)
    work[Navigation].note_start(0.1)
    work[Navigation].note_end()
    assert work.next_wait(0.2) == DONE
    assert not work.is_navigation_overdue


def test_the_old_document_that_stops_for_the_new_one_ends_nothing(work: PendingWork) -> None:
    work[Navigation].note_start(0.1)
    work[Navigation].note_loading_stopped()
    assert work.next_wait(0.2).signal == "events"


def test_a_new_document_that_stops_without_a_load_event_has_ended(work: PendingWork) -> None:
    work[Navigation].note_commit(0.1)
    work[Navigation].note_loading_stopped()
    assert work.next_wait(0.2) == DONE


def test_a_second_navigation_is_not_ended_by_the_first_documents_stop(work: PendingWork) -> None:
    work[Navigation].note_commit(0.1)
    work[Navigation].note_start(0.2)
    work[Navigation].note_loading_stopped()
    assert work.next_wait(0.3).signal == "events"


def test_a_commit_discards_the_pending_work_of_the_old_document(work: PendingWork) -> None:
    work[Requests].note_start("1", 0.1)
    work[DocumentChanges].note_change(0.1)
    work[Navigation].note_commit(0.2)
    work[Navigation].note_end()
    assert work.next_wait(0.3) == DONE


def test_script_of_a_navigating_act_does_not_ask_for_patience(work: PendingWork) -> None:
    work[RequestedNavigation].note_request(0.1)
    work[ExpectedConsequence].note_script_run(0.1)
    work[Navigation].note_start(0.1)
    work[Navigation].note_end()
    assert work.next_wait(0.2) == DONE


def test_a_new_document_is_returned_once_and_only_after_its_load(work: PendingWork) -> None:
    work[Navigation].note_commit(0.1)
    assert not work.note_if_new_document_loaded(0.2)
    work[Navigation].note_end()
    assert work.note_if_new_document_loaded(0.3)
    assert not work.note_if_new_document_loaded(0.3)


def test_a_navigation_without_a_commit_gives_no_new_document(work: PendingWork) -> None:
    work[Navigation].note_start(0.1)
    work[Navigation].note_end()
    assert not work.note_if_new_document_loaded(0.2)


def test_every_new_document_is_returned(work: PendingWork) -> None:
    for now in (1.0, 2.0):
        work[Navigation].note_commit(now)
        work[Navigation].note_end()
        assert work.note_if_new_document_loaded(now)


def test_stillness_of_the_new_document_is_waited_for(work: PendingWork) -> None:
    work[Navigation].note_commit(0.1)
    work[Navigation].note_end()
    work.note_if_new_document_loaded(0.2)
    work[DocumentChanges].note_change(0.3)
    assert work.next_wait(0.3) == Wait("still", 0.8)


# ---- popups


def test_a_requested_window_is_waited_for(work: PendingWork) -> None:
    work[Popups].note_request(0.1)
    assert work.next_wait(0.1) == Wait("change", 1.1)
    work[Popups].note_window_opened()
    assert work.next_wait(0.2) == DONE


def test_the_wait_for_a_window_that_never_opens_ends(work: PendingWork) -> None:
    work[Popups].note_request(0.1)
    assert work.next_wait(1.1) == DONE


def test_a_window_that_is_reported_before_its_request_is_not_waited_for(work: PendingWork) -> None:
    work[Popups].note_window_opened()
    work[Popups].note_request(0.1)
    assert work.next_wait(0.1) == DONE


def test_the_second_of_two_windows_is_waited_for(work: PendingWork) -> None:
    work[Popups].note_request(0.1)
    work[Popups].note_request(0.2)
    work[Popups].note_window_opened()
    assert work.next_wait(0.3) == Wait("change", 1.2)
    work[Popups].note_window_opened()
    assert work.next_wait(0.3) == DONE


def test_script_that_opened_a_window_needs_no_patience(work: PendingWork) -> None:
    work[Popups].note_request(0.1)
    work[Popups].note_window_opened()
    work[ExpectedConsequence].note_script_run(0.2)
    assert work.next_wait(0.2) == DONE


# ---- the end, and the order


def test_an_interruption_ends_all_waiting_at_once(work: PendingWork) -> None:
    work[Navigation].note_start(0.1)
    work[Requests].note_start("1", 0.1)
    work[DocumentChanges].note_change(0.1)
    work.interrupt()
    assert work.next_wait(0.2) == DONE
    assert work.is_interrupted
    assert not work.is_navigation_overdue


def test_a_navigation_is_waited_for_before_all_else(work: PendingWork) -> None:
    work[DocumentChanges].note_change(0.1)
    work[Requests].note_start("1", 0.1)
    work[Popups].note_request(0.1)
    work[Navigation].note_start(0.1)
    assert work.next_wait(0.1).signal == "events"


def test_after_a_navigation_without_a_document_the_other_work_is_waited_for(
    work: PendingWork,
) -> None:
    work[DocumentChanges].note_change(0.1)
    work[Navigation].note_start(0.1)
    work[Navigation].note_end()
    assert work.next_wait(0.2) == Wait("still", 0.6)


# ---- loading signs


def test_a_busy_page_gets_new_time_after_each_answer(work: PendingWork) -> None:
    work[DocumentChanges].note_change(0.1)
    work[DocumentChanges].note_pause(0.2, has_loading_sign=True)
    work[Requests].note_start("1", 0.4)
    assert work.next_wait(0.8) == Wait("change", 5.4)
    work[Requests].note_response("1", 2.0)
    work[DocumentChanges].note_change(2.1)
    work[DocumentChanges].note_pause(2.2, has_loading_sign=True)
    assert work.next_wait(2.2) == Wait("change", 2.7)
    assert work.next_wait(2.7) == DONE


def test_a_page_that_stays_busy_without_an_answer_is_waited_for_once(work: PendingWork) -> None:
    work[DocumentChanges].note_change(0.1)
    work[DocumentChanges].note_pause(0.2, has_loading_sign=True)
    work[DocumentChanges].note_change(0.5)
    work[DocumentChanges].note_pause(0.6, has_loading_sign=True)
    assert work.next_wait(0.6) == Wait("change", 0.7)
    assert work.next_wait(0.7) == DONE
