"""How far an act's requests are followed, by a clock of plain numbers."""

from __future__ import annotations

import pytest

from viewpoint_mcp.page.settle.pending import DONE, Consequences, Limits, Want

LIMITS = Limits(requests=5.0, late_requests=2.5, following=10.0, still=0.5, patience=0.5)


@pytest.fixture
def act() -> Consequences:
    """An act that began at the time 0."""
    return Consequences(0.0, LIMITS)


def test_a_request_is_waited_for_while_the_document_is_watched(act: Consequences) -> None:
    act.request_started("1", 0.1)
    assert act.next(0.1) == Want("change", 5.1)


def test_an_answer_is_given_time_to_show(act: Consequences) -> None:
    act.request_started("1", 0.1)
    act.request_answered("1", 2.0)
    assert act.next(2.0) == Want("change", 2.5)
    assert act.next(2.5) == DONE


def test_an_answer_to_a_request_from_before_the_act_means_nothing(act: Consequences) -> None:
    act.request_answered("earlier", 0.1)
    assert act.next(0.1) == DONE


def test_an_answer_in_an_impatient_act_is_not_given_more_time() -> None:
    act = Consequences(0.0, LIMITS, patient=False)
    act.request_started("1", 0.1)
    assert act.next(0.1).kind == "change"
    act.request_answered("1", 0.2)
    assert act.next(0.2) == DONE


def test_a_second_answer_to_one_request_changes_nothing(act: Consequences) -> None:
    act.request_started("1", 0.1)
    act.request_answered("1", 0.2)
    act.request_answered("1", 0.6)
    assert act.next(0.7) == DONE


def test_an_overdue_request_is_not_waited_for(act: Consequences) -> None:
    act.request_started("1", 0.1)
    assert act.next(5.09).kind == "change"
    assert act.next(5.1) == DONE
    assert not act.overdue


def test_one_overdue_request_does_not_end_the_wait_for_another(act: Consequences) -> None:
    act.request_started("1", 0.1)
    act.request_started("2", 3.0)
    assert act.next(5.5) == Want("change", 8.0)


def test_what_is_asked_for_again_and_again_during_an_act_is_a_poll(act: Consequences) -> None:
    for number in range(4):
        act.request_started(str(number), 0.1, address=("GET", "http://a/poll"))
    for number in range(3):
        act.request_answered(str(number), 0.2)
    assert act.next(0.7) == DONE


def test_what_ran_before_the_act_and_is_asked_for_again_is_a_poll(act: Consequences) -> None:
    act.know_as_polls([("GET", "http://a/poll")])
    act.request_started("1", 0.1, address=("GET", "http://a/poll"))
    assert act.next(0.1) == DONE


def test_a_new_document_that_shows_something_is_not_given_all_the_time_for_requests(
    act: Consequences,
) -> None:
    act.navigation_committed(0.1)
    act.navigation_ended()
    act.request_started("1", 0.2, "http://a/poll")
    assert act.next(0.2) == Want("change", 2.7)
    act.looked(0.3, blank=True)
    assert act.next(0.3) == Want("change", 5.2)


def test_what_was_waited_for_in_vain_is_told(act: Consequences) -> None:
    act.request_started("1", 0.1, "http://a/slow")
    act.request_started("2", 0.1, "http://a/quick")
    act.request_answered("2", 0.2)
    assert act.unanswered == ["http://a/slow"]


def test_requests_are_followed_no_longer_than_the_cap(act: Consequences) -> None:
    for second in range(12):
        act.request_started(str(second), float(second))
    assert act.next(9.9) == Want("change", 10.0)
    assert act.next(10.0) == DONE


def test_what_an_answer_may_show_is_capped_too(act: Consequences) -> None:
    act.request_started("1", 5.0)
    act.request_answered("1", 9.8)
    assert act.next(9.8) == Want("change", 10.0)


def test_a_change_with_a_request_open_is_waited_to_rest_first(act: Consequences) -> None:
    act.request_started("1", 0.1)
    act.changed(0.2)
    assert act.next(0.2) == Want("still", 0.7)
    act.came_to_rest(0.3)
    assert act.next(0.3) == Want("change", 5.1)


def test_what_was_shown_before_the_end_of_a_request_is_told_is_not_waited_for(
    act: Consequences,
) -> None:
    act.request_started("1", 0.1)
    act.changed(0.5)
    act.came_to_rest(0.55)
    act.request_answered("1", 0.56, to_its_end=True)
    assert act.next(0.56) == DONE


def test_a_spinner_does_not_hide_the_answer_of_the_request(act: Consequences) -> None:
    """The document never rests, and still the answer is given its time to show."""
    act.changed(0.1)
    act.request_started("1", 0.1)
    act.request_answered("1", 1.0)
    assert act.next(1.0) == Want("change", 1.5)


def test_a_change_after_its_cap_is_not_waited_to_rest_again_for_ever(act: Consequences) -> None:
    act.changed(0.1)
    assert act.next(0.6) == DONE
    act.changed(0.7)
    assert act.next(0.7) == DONE
