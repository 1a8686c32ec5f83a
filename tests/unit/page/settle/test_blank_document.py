"""The wait for a new document that shows nothing, with a fake clock."""

from __future__ import annotations

import pytest

from viewpoint_mcp.page.settle.page_network_state import PageNetworkState
from viewpoint_mcp.page.settle.pending_document_changes import BlankDocument, DocumentChanges
from viewpoint_mcp.page.settle.pending_kind_base import DONE, Wait
from viewpoint_mcp.page.settle.pending_navigations import Navigation
from viewpoint_mcp.page.settle.pending_requests import Requests
from viewpoint_mcp.page.settle.pending_work import PendingWork
from viewpoint_mcp.page.settle.settle_limits import SettleLimits

LIMITS = SettleLimits(pause_in_changes=0.5, patience=0.5)


@pytest.fixture
def loaded() -> PendingWork:
    """The work of an action that led to another document, loaded at the time 1."""
    work = PendingWork(0.0, LIMITS, PageNetworkState(lambda: "M"))
    work[Navigation].note_commit(0.5)
    work[Navigation].note_content_loaded(0.9)
    work[Navigation].note_end()
    assert work.note_if_new_document_loaded(1.0)
    return work


def test_a_blank_new_document_is_waited_for(loaded: PendingWork) -> None:
    loaded[BlankDocument].note_blank_state(1.0, is_blank=True)
    assert loaded.next_wait(1.0) == Wait("change", 1.5)
    assert loaded.next_wait(1.5) == DONE


def test_a_new_document_that_shows_something_is_not_waited_for(loaded: PendingWork) -> None:
    loaded[BlankDocument].note_blank_state(1.0, is_blank=False)
    assert loaded.next_wait(1.0) == DONE


def test_after_a_blank_document_shows_something_only_stillness_is_waited_for(
    loaded: PendingWork,
) -> None:
    loaded[BlankDocument].note_blank_state(1.0, is_blank=True)
    loaded[DocumentChanges].note_change(1.2)
    assert loaded.next_wait(1.2) == Wait("still", 1.7)
    loaded[BlankDocument].note_blank_state(1.3, is_blank=False)
    loaded[DocumentChanges].note_pause(1.3)
    assert loaded.next_wait(1.3) == DONE


def test_a_document_that_changed_and_is_still_blank_gets_the_rest_of_the_time(
    loaded: PendingWork,
) -> None:
    loaded[BlankDocument].note_blank_state(1.0, is_blank=True)
    loaded[DocumentChanges].note_change(1.1)
    loaded[BlankDocument].note_blank_state(1.2, is_blank=True)
    loaded[DocumentChanges].note_pause(1.2)
    assert loaded.next_wait(1.2) == Wait("change", 1.5)


def test_a_blank_document_that_asks_for_data_is_followed_to_its_answer(
    loaded: PendingWork,
) -> None:
    loaded[BlankDocument].note_blank_state(1.0, is_blank=True)
    loaded[Requests].note_start("1", 1.4)
    assert loaded.next_wait(2.0).signal == "change"
    loaded[Requests].note_response("1", 3.0)
    assert loaded.next_wait(3.0) == Wait("change", 3.5)


def test_a_blank_document_that_navigates_on_is_of_no_interest(loaded: PendingWork) -> None:
    loaded[BlankDocument].note_blank_state(1.0, is_blank=True)
    loaded[Navigation].note_commit(1.1)
    loaded[Navigation].note_end()
    assert not loaded[BlankDocument].is_blank


def test_an_impatient_act_does_not_wait_for_a_blank_document() -> None:
    work = PendingWork(0.0, LIMITS, PageNetworkState(lambda: "M"), is_patient=False)
    work[BlankDocument].note_blank_state(1.0, is_blank=True)
    assert work.next_wait(1.0) == DONE


def test_the_time_for_requests_counts_from_the_load_of_the_document() -> None:
    work = PendingWork(0.0, LIMITS, PageNetworkState(lambda: "M"))
    work[Navigation].note_commit(8.0)
    work[Navigation].note_end()
    assert work.note_if_new_document_loaded(9.0)
    work[BlankDocument].note_blank_state(9.0, is_blank=True)
    work[Requests].note_start("1", 9.0)
    assert work.next_wait(9.0) == Wait("change", 14.0)
