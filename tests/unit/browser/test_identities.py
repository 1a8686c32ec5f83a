"""Numbers of contexts in refs: each is unique and never used again."""

from __future__ import annotations

from itertools import count

from viewpoint_mcp.browser.context import Identities


def test_the_same_name_has_another_number_for_each_client() -> None:
    numbers = count()
    one, two = Identities(numbers), Identities(numbers)
    assert [one.named("work").number, two.named("work").number, one.named("b").number] == [0, 1, 2]
    assert one.named("work").number == 0


def test_a_number_of_another_client_is_nobodys() -> None:
    numbers = count()
    one, two = Identities(numbers), Identities(numbers)
    theirs = one.named("hush")
    assert one.numbered(theirs.number) is theirs
    assert two.numbered(theirs.number) is None


def test_page_numbers_continue_in_a_new_context_of_the_same_name() -> None:
    identities = Identities(count())
    assert [identities.named("a").next_page() for _ in range(3)] == [0, 1, 2]
    assert identities.named("a").pages == 3


def test_records_that_others_may_read_have_no_names() -> None:
    assert Identities(count()).named("work").label == "work"
    assert Identities(count(), are_recorded=False).named("work").label == ""
