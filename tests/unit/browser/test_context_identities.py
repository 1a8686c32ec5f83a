"""Numbers of contexts in refs: each is unique and never used again."""

from __future__ import annotations

from itertools import count

from viewpoint_mcp.browser.context import ContextIdentities


def test_the_same_name_has_another_number_for_each_client() -> None:
    numbers = count()
    one, two = ContextIdentities(numbers), ContextIdentities(numbers)
    assert [
        one.get_or_create("work").number,
        two.get_or_create("work").number,
        one.get_or_create("b").number,
    ] == [0, 1, 2]
    assert one.get_or_create("work").number == 0


def test_a_number_of_another_client_is_nobodys() -> None:
    numbers = count()
    one, two = ContextIdentities(numbers), ContextIdentities(numbers)
    theirs = one.get_or_create("hush")
    assert one.find_by_number(theirs.number) is theirs
    assert two.find_by_number(theirs.number) is None


def test_page_numbers_continue_in_a_new_context_of_the_same_name() -> None:
    identities = ContextIdentities(count())
    assert [identities.get_or_create("a").next_page_number() for _ in range(3)] == [0, 1, 2]
    assert identities.get_or_create("a").page_count == 3


def test_records_that_others_may_read_have_no_names() -> None:
    assert ContextIdentities(count()).get_or_create("work").label == "work"
    assert ContextIdentities(count(), has_recorded_names=False).get_or_create("work").label == ""
