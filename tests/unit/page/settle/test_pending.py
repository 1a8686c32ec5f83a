"""What an act is followed to, decided without a browser and with a clock of plain numbers."""

from __future__ import annotations

import pytest

from viewpoint_mcp.page.settle.pending import DONE, Consequences, Limits, Want

LIMITS = Limits(
    navigation=60.0,
    late_load=5.0,
    requested=1.0,
    requests=5.0,
    following=10.0,
    still=0.5,
    patience=0.5,
    popup=1.0,
)


@pytest.fixture
def act() -> Consequences:
    """An act that began at the time 0."""
    return Consequences(0.0, LIMITS)


def test_an_act_that_causes_nothing_is_done_at_once(act: Consequences) -> None:
    assert act.next(0.0) == DONE
    assert not act.overdue


# ---- script and the document


def test_after_script_a_change_is_waited_for_with_patience(act: Consequences) -> None:
    act.script_ran(0.1)
    assert act.next(0.1) == Want("change", 0.6)
    assert act.next(0.59).kind == "change"
    assert act.next(0.6) == DONE


def test_script_of_an_impatient_act_is_not_waited_for() -> None:
    act = Consequences(0.0, LIMITS, patient=False)
    act.script_ran(0.1)
    assert act.next(0.1) == DONE


def test_script_that_changed_the_document_is_only_waited_to_rest(act: Consequences) -> None:
    act.changed(0.1)
    act.script_ran(0.1)
    assert act.next(0.1) == Want("still", 0.6)
    act.came_to_rest(0.2)
    assert act.next(0.2) == DONE


def test_a_change_ends_the_patience_and_is_waited_to_rest(act: Consequences) -> None:
    act.script_ran(0.1)
    act.changed(0.4)
    assert act.next(0.4) == Want("still", 0.9)


def test_what_a_timer_changed_may_be_one_step_of_several(act: Consequences) -> None:
    act.script_ran(0.1)
    act.changed(0.2)
    act.came_to_rest(0.25)
    assert act.next(0.25) == Want("change", 0.4)
    act.changed(0.35)
    act.came_to_rest(0.65)
    assert act.next(0.65) == Want("change", 0.7)
    assert act.next(0.7) == DONE


def test_a_page_that_says_it_is_busy_is_given_time(act: Consequences) -> None:
    act.changed(0.1)
    act.came_to_rest(0.2, busy=True)
    assert act.next(0.2) == Want("change", 0.7)
    act.changed(0.3)
    act.came_to_rest(0.4)
    assert act.next(0.55) == DONE


def test_a_document_that_never_rests_is_given_up(act: Consequences) -> None:
    act.changed(0.1)
    act.changed(0.5)
    assert act.next(0.59).kind == "still"
    assert act.next(0.6) == DONE


def test_a_document_may_change_again_after_its_rest(act: Consequences) -> None:
    act.changed(0.1)
    act.came_to_rest(0.2)
    act.changed(0.3)
    assert act.next(0.3) == Want("still", 0.8)


def test_a_move_within_the_document_is_a_consequence(act: Consequences) -> None:
    act.script_ran(0.1)
    act.moved_within()
    assert act.next(0.1) == DONE


# ---- navigations


def test_a_wish_to_navigate_waits_for_the_beginning(act: Consequences) -> None:
    act.navigation_wished(0.1)
    assert act.next(0.1) == Want("events", 1.1)


def test_a_wish_that_never_begins_is_given_up(act: Consequences) -> None:
    act.navigation_wished(0.1)
    assert act.next(1.1) == DONE
    assert not act.overdue


def test_a_refresh_is_awaited_past_the_end_of_the_load_that_scheduled_it(
    act: Consequences,
) -> None:
    act.navigation_begun(0.1)
    act.navigation_committed(0.2)
    act.navigation_ended()
    act.refresh_scheduled(0.3)
    act.stopped_loading()
    assert act.next(0.3) == Want("events", 1.3)
    assert not act.take_new_document(0.3)
    act.navigation_begun(0.4)
    act.navigation_ended()
    assert act.next(0.5) == DONE


def test_a_navigation_is_followed_to_its_load(act: Consequences) -> None:
    act.navigation_wished(0.1)
    act.navigation_begun(0.2)
    assert act.next(0.2) == Want("events", 60.2)
    act.navigation_committed(1.0)
    assert act.next(1.0) == Want("events", 60.2)
    act.navigation_ended()
    assert act.next(2.0) == DONE
    assert not act.overdue


def test_a_navigation_that_is_not_answered_is_overdue(act: Consequences) -> None:
    act.navigation_begun(0.2)
    assert act.next(60.2) == DONE
    assert act.overdue
    assert not act.content_is_there


def test_a_load_held_up_by_a_picture_is_waited_for_a_little(act: Consequences) -> None:
    act.navigation_committed(0.2)
    act.content_loaded(1.0)
    assert act.next(1.0) == Want("events", 6.0)
    assert act.next(6.0) == DONE
    assert act.overdue
    assert act.content_is_there


def test_the_late_load_never_extends_the_limit_of_the_navigation(act: Consequences) -> None:
    act.navigation_committed(0.2)
    act.content_loaded(58.0)
    assert act.next(58.0) == Want("events", 60.2)


def test_content_that_loads_without_a_navigation_of_the_act_is_ignored(act: Consequences) -> None:
    act.content_loaded(0.1)
    assert not act.content_is_there
    assert act.next(0.1) == DONE


def test_a_redirect_by_script_keeps_the_first_beginning(act: Consequences) -> None:
    act.navigation_committed(0.2)
    act.content_loaded(0.3)
    act.navigation_begun(20.0)
    assert not act.content_is_there
    assert act.next(20.0) == Want("events", 60.2)


def test_a_navigation_that_comes_to_nothing_ends_the_wait(act: Consequences) -> None:
    act.navigation_wished(0.1)
    act.navigation_begun(0.1)
    act.navigation_ended()
    assert act.next(0.2) == DONE
    assert not act.overdue


def test_the_old_document_that_stops_for_the_new_one_ends_nothing(act: Consequences) -> None:
    act.navigation_begun(0.1)
    act.stopped_loading()
    assert act.next(0.2).kind == "events"


def test_a_new_document_that_stops_without_a_load_event_has_ended(act: Consequences) -> None:
    act.navigation_committed(0.1)
    act.stopped_loading()
    assert act.next(0.2) == DONE


def test_a_second_navigation_is_not_ended_by_the_first_documents_stop(act: Consequences) -> None:
    act.navigation_committed(0.1)
    act.navigation_begun(0.2)
    act.stopped_loading()
    assert act.next(0.3).kind == "events"


def test_a_commit_forgets_what_the_old_document_had_under_way(act: Consequences) -> None:
    act.request_started("1", 0.1)
    act.changed(0.1)
    act.navigation_committed(0.2)
    act.navigation_ended()
    assert act.next(0.3) == DONE


def test_script_of_a_navigating_act_does_not_ask_for_patience(act: Consequences) -> None:
    act.navigation_wished(0.1)
    act.script_ran(0.1)
    act.navigation_begun(0.1)
    act.navigation_ended()
    assert act.next(0.2) == DONE


def test_a_new_document_is_taken_once_and_only_when_it_is_loaded(act: Consequences) -> None:
    act.navigation_committed(0.1)
    assert not act.take_new_document(0.2)
    act.navigation_ended()
    assert act.take_new_document(0.3)
    assert not act.take_new_document(0.3)


def test_a_navigation_without_a_commit_gives_no_new_document(act: Consequences) -> None:
    act.navigation_begun(0.1)
    act.navigation_ended()
    assert not act.take_new_document(0.2)


def test_every_new_document_is_taken(act: Consequences) -> None:
    for now in (1.0, 2.0):
        act.navigation_committed(now)
        act.navigation_ended()
        assert act.take_new_document(now)


def test_the_new_documents_own_changes_are_waited_to_rest(act: Consequences) -> None:
    act.navigation_committed(0.1)
    act.navigation_ended()
    act.take_new_document(0.2)
    act.changed(0.3)
    assert act.next(0.3) == Want("still", 0.8)


# ---- popups


def test_a_window_that_was_asked_for_is_waited_for(act: Consequences) -> None:
    act.popup_requested(0.1)
    assert act.next(0.1) == Want("change", 1.1)
    act.popup_opened()
    assert act.next(0.2) == DONE


def test_a_window_that_never_opens_is_given_up(act: Consequences) -> None:
    act.popup_requested(0.1)
    assert act.next(1.1) == DONE


def test_a_window_told_of_before_it_was_asked_for_is_not_waited_for(act: Consequences) -> None:
    act.popup_opened()
    act.popup_requested(0.1)
    assert act.next(0.1) == DONE


def test_the_second_of_two_windows_is_waited_for(act: Consequences) -> None:
    act.popup_requested(0.1)
    act.popup_requested(0.2)
    act.popup_opened()
    assert act.next(0.3) == Want("change", 1.2)
    act.popup_opened()
    assert act.next(0.3) == DONE


def test_script_that_opened_a_window_needs_no_patience(act: Consequences) -> None:
    act.popup_requested(0.1)
    act.popup_opened()
    act.script_ran(0.2)
    assert act.next(0.2) == DONE


# ---- the end, and the order of things


def test_an_interruption_ends_all_waiting_at_once(act: Consequences) -> None:
    act.navigation_begun(0.1)
    act.request_started("1", 0.1)
    act.changed(0.1)
    act.interrupted()
    assert act.next(0.2) == DONE
    assert act.ended
    assert not act.overdue


def test_a_navigation_goes_before_all_else(act: Consequences) -> None:
    act.changed(0.1)
    act.request_started("1", 0.1)
    act.popup_requested(0.1)
    act.navigation_begun(0.1)
    assert act.next(0.1).kind == "events"


def test_what_is_left_is_waited_for_when_a_navigation_came_to_nothing(act: Consequences) -> None:
    act.changed(0.1)
    act.navigation_begun(0.1)
    act.navigation_ended()
    assert act.next(0.2) == Want("still", 0.6)


# ---- loading signs


def test_a_page_that_stays_busy_is_given_time_anew_after_each_answer(act: Consequences) -> None:
    act.changed(0.1)
    act.came_to_rest(0.2, busy=True)
    act.request_started("1", 0.4)
    assert act.next(0.8) == Want("change", 5.4)
    act.request_answered("1", 2.0)
    act.changed(2.1)
    act.came_to_rest(2.2, busy=True)
    assert act.next(2.2) == Want("change", 2.7)
    assert act.next(2.7) == DONE


def test_a_page_that_stays_busy_without_an_answer_is_given_time_once(act: Consequences) -> None:
    act.changed(0.1)
    act.came_to_rest(0.2, busy=True)
    act.changed(0.5)
    act.came_to_rest(0.6, busy=True)
    assert act.next(0.6) == Want("change", 0.7)
    assert act.next(0.7) == DONE
