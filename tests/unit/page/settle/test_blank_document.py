"""How long a new document that shows nothing is waited for, with a clock of plain numbers."""

from __future__ import annotations

import pytest

from viewpoint_mcp.page.settle.pending import DONE, Consequences, Limits, Want

LIMITS = Limits(still=0.5, patience=0.5)


@pytest.fixture
def loaded() -> Consequences:
    """An act that began at the time 0 and led to another document, loaded at the time 1."""
    act = Consequences(0.0, LIMITS)
    act.navigation_committed(0.5)
    act.content_loaded(0.9)
    act.navigation_ended()
    assert act.take_new_document(1.0)
    return act


def test_a_new_document_that_is_blank_is_given_time(loaded: Consequences) -> None:
    loaded.looked(1.0, blank=True)
    assert loaded.next(1.0) == Want("change", 1.5)
    assert loaded.next(1.5) == DONE


def test_a_new_document_that_shows_something_is_not_waited_for(loaded: Consequences) -> None:
    loaded.looked(1.0, blank=False)
    assert loaded.next(1.0) == DONE


def test_what_a_blank_document_shows_at_last_is_only_waited_to_rest(loaded: Consequences) -> None:
    loaded.looked(1.0, blank=True)
    loaded.changed(1.2)
    assert loaded.next(1.2) == Want("still", 1.7)
    loaded.looked(1.3, blank=False)
    loaded.came_to_rest(1.3)
    assert loaded.next(1.3) == DONE


def test_a_document_that_changed_and_is_still_blank_has_what_is_left_of_the_time(
    loaded: Consequences,
) -> None:
    loaded.looked(1.0, blank=True)
    loaded.changed(1.1)
    loaded.looked(1.2, blank=True)
    loaded.came_to_rest(1.2)
    assert loaded.next(1.2) == Want("change", 1.5)


def test_a_blank_document_that_asks_for_data_is_followed_to_its_answer(
    loaded: Consequences,
) -> None:
    loaded.looked(1.0, blank=True)
    loaded.request_started("1", 1.4)
    assert loaded.next(2.0).kind == "change"
    loaded.request_answered("1", 3.0)
    assert loaded.next(3.0) == Want("change", 3.5)


def test_a_blank_document_that_navigates_on_is_of_no_interest(loaded: Consequences) -> None:
    loaded.looked(1.0, blank=True)
    loaded.navigation_committed(1.1)
    loaded.navigation_ended()
    assert not loaded.is_blank


def test_an_impatient_act_does_not_wait_for_a_blank_document() -> None:
    act = Consequences(0.0, LIMITS, patient=False)
    act.looked(1.0, blank=True)
    assert act.next(1.0) == DONE


def test_the_time_for_requests_counts_from_the_load_of_the_document() -> None:
    act = Consequences(0.0, LIMITS)
    act.navigation_committed(8.0)
    act.navigation_ended()
    assert act.take_new_document(9.0)
    act.looked(9.0, blank=True)
    act.request_started("1", 9.0)
    assert act.next(9.0) == Want("change", 14.0)
