"""Refs: their grammar, the elements that they named, and stale refs."""

from __future__ import annotations

import pytest

from viewpoint_mcp.accessibility.refs import (
    PrintedElement,
    Ref,
    RefMap,
    check_same_element,
    describe_element,
    have_different_words,
    make_ref_prefix,
    make_removed_error,
)
from viewpoint_mcp.accessibility.tree import Node, decode_tree
from viewpoint_mcp.errors import StaleRefError


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        ("e12", Ref(0, 0, 0, 12)),
        ("f2e5", Ref(0, 0, 2, 5)),
        ("p3e5", Ref(0, 3, 0, 5)),
        ("p3f1e5", Ref(0, 3, 1, 5)),
        ("c1e5", Ref(1, 0, 0, 5)),
        ("c9p8f7e6", Ref(9, 8, 7, 6)),
    ],
)
def test_a_ref_is_printed_in_its_short_form_and_read_again(text: str, ref: Ref) -> None:
    assert str(ref) == text
    assert Ref.parse(text) == ref


@pytest.mark.parametrize("text", ["c0p0f0e12", "p0f0e12", "f0e12", "c0e12", "p0e12", "e12", "e012"])
def test_every_notation_of_a_ref_is_equal(text: str) -> None:
    assert Ref.parse(text) == Ref(0, 0, 0, 12)


@pytest.mark.parametrize("text", ["p3f0e5", "c1p0f0e5", "c1p0f2e5", "c1p2f0e5"])
def test_components_that_are_zero_may_be_written_in_the_middle(text: str) -> None:
    ref = Ref.parse(text)
    assert ref is not None
    assert Ref.parse(str(ref)) == ref


@pytest.mark.parametrize(
    "text",
    [
        "",
        "e",
        "12",
        "E12",
        " e12",
        "e12 ",
        "e12\n",
        "e-1",
        "e1.5",
        "f1",
        "f1p1e1",
        "e1e2",
        "#e12",
        "e1234567890",
        "xe12",
    ],
)
def test_an_invalid_ref_is_not_parsed(text: str) -> None:
    assert Ref.parse(text) is None


def test_digits_of_other_scripts_are_no_ref() -> None:
    assert Ref.parse("e١٢") is None


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((0, 0, 0), ""),
        ((0, 0, 2), "f2"),
        ((0, 1, 0), "p1"),
        ((1, 0, 0), "c1"),
        ((1, 2, 3), "c1p2f3"),
    ],
)
def test_the_prefix_omits_only_leading_zeros(numbers: tuple[int, int, int], text: str) -> None:
    assert make_ref_prefix(*numbers) == text


@pytest.mark.parametrize(
    "text",
    [
        *("e12", " e12\n", "E12", "@e12", "ref=e12", "[ref=e12]", '"e12"', "`e12`", "'@E12'"),
        *(
            "e012",
            "c0p0f0e12",
            "ref=f0e12",
            'button "Save" [ref=e12]',
            "- 'link \"a: b\" [ref=e12]':",
        ),
    ],
)
def test_a_ref_is_read_however_an_agent_wraps_it(text: str) -> None:
    assert Ref.parse_any_form(text) == Ref(0, 0, 0, 12)


@pytest.mark.parametrize(
    "text",
    [
        "e",
        "a",
        "",
        "#e12",
        ".e12",
        "e12 button",
        "e12, e13",
        "[ref=e1] [ref=e2]",
        "12",
        "e1f2",
        "@12",
    ],
)
def test_an_ambiguous_text_is_no_ref(text: str) -> None:
    assert Ref.parse_any_form(text) is None


# ---- the map


def test_a_ref_is_looked_up_with_its_last_role_and_name() -> None:
    refs = RefMap()
    refs.remember_element(Ref(0, 0, 0, 1), "button", "Save", "L1")
    assert refs.find_printed_element(Ref(0, 0, 0, 1)) == PrintedElement("button", "Save", "L1")


def test_a_ref_that_was_never_printed_is_unknown() -> None:
    assert RefMap().find_printed_element(Ref(0, 0, 1, 7)) is None


def test_a_ref_printed_again_has_its_new_name_and_the_same_node() -> None:
    refs, ref = RefMap(), Ref(0, 0, 0, 1)
    refs.remember_element(ref, "button", "Save", "L1")
    refs.remember_backend_node_id(ref, 77)
    refs.remember_element(ref, "button", "Saved", "L1")
    assert refs.find_printed_element(ref) == PrintedElement("button", "Saved", "L1", 77)


def test_all_numbered_nodes_of_a_tree_are_remembered() -> None:
    inner: list[object] = ["text", ["link", "B", {"ref": 2}, []]]
    numbered: list[Node] = []
    decode_tree([["main", "", None, [["button", "A", {"ref": 1}, inner]]]], nodes_with_ref=numbered)
    refs = RefMap()
    refs.remember_nodes_with_ref(numbered, 2, "L1")
    assert refs.find_printed_element(Ref(0, 3, 2, 1)) == PrintedElement("button", "A", "L1")
    assert refs.find_printed_element(Ref(0, 3, 2, 2)) == PrintedElement("link", "B", "L1")


def test_the_refs_of_a_replaced_document_are_remembered() -> None:
    refs = RefMap()
    refs.remember_element(Ref(0, 0, 1, 1), "button", "A", "L1")
    refs.forget_frame(1)
    refs.remember_element(Ref(0, 0, 1, 2), "button", "B", "L2")
    assert refs.find_printed_element(Ref(0, 0, 1, 1)) == PrintedElement("button", "A", "L1")
    assert refs.find_printed_element(Ref(0, 0, 1, 2)) == PrintedElement("button", "B", "L2")


def test_documents_before_the_last_are_forgotten() -> None:
    refs = RefMap()
    for number in (1, 2):
        refs.remember_element(Ref(0, 0, 1, number), "button", "A", f"L{number}")
        refs.forget_frame(1)
    assert refs.find_printed_element(Ref(0, 0, 1, 1)) is None
    assert refs.find_printed_element(Ref(0, 0, 1, 2))


def test_endless_new_frames_need_bounded_memory() -> None:
    refs = RefMap()
    for frame in range(100):
        refs.remember_element(Ref(0, 0, frame, 1), "button", "A", "L1")
        refs.forget_frame(frame)
    assert refs.find_printed_element(Ref(0, 0, 0, 1)) is None
    assert refs.find_printed_element(Ref(0, 0, 99, 1))


def test_the_refs_of_another_document_take_the_place_of_those_before() -> None:
    refs = RefMap()
    refs.remember_element(Ref(0, 0, 0, 1), "button", "A", "L1")
    refs.remember_element(Ref(0, 0, 0, 2), "button", "B", "L2")
    assert refs.find_printed_element(Ref(0, 0, 0, 2)) == PrintedElement("button", "B", "L2")
    assert refs.find_printed_element(Ref(0, 0, 0, 1)) is None


def test_the_valid_refs_are_listed() -> None:
    refs = RefMap()
    for frame, element in ((2, 1), (0, 9), (0, 4), (3, 5)):
        refs.remember_element(Ref(0, 0, frame, element), "button", "A", "L1")
    refs.forget_frame(3)
    assert refs.element_number_range_by_frame() == {0: (4, 9), 2: (1, 1)}


# ---- comparison with the last snapshot


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("Save", "Save"),
        ("Cart (1)", "Cart (2)"),
        ("Save", "Save changes"),
        ("Save changes", "Save"),
        ("SAVE", "save it"),
        ("", "Save"),
        ("Save", ""),
        ("保存", "保存する"),
        ("→", "→→"),
    ],
)
def test_a_name_that_changed_in_part_is_the_same_element(was: str, now: str) -> None:
    check_same_element(Ref(0, 0, 0, 1), PrintedElement("button", was, "L1"), "button", now)


@pytest.mark.parametrize(
    ("was", "now"), [("Alice", "Bob"), ("Delete", "Restore"), ("→", "←"), ("1", "12")]
)
def test_a_name_that_is_another_is_another_element(was: str, now: str) -> None:
    with pytest.raises(StaleRefError) as caught:
        check_same_element(Ref(0, 0, 0, 1), PrintedElement("row", was, "L1"), "row", now)
    assert caught.value.facts == [f'Was: row "{was}"', f'Now: row "{now}"']
    assert caught.value.printed_element == ("row", was)


def test_another_role_is_another_element() -> None:
    with pytest.raises(StaleRefError) as caught:
        check_same_element(Ref(0, 0, 0, 1), PrintedElement("button", "Save", "L1"), "link", "Save")
    assert str(caught.value) == (
        "Ref e1 represents something else now; nothing was done.\n"
        'Was: button "Save"\nNow: link "Save"\n'
        "Take a new snapshot."
    )


def test_a_box_that_got_a_role_is_the_same_element() -> None:
    check_same_element(Ref(0, 0, 0, 1), PrintedElement("generic", "Save", "L1"), "link", "Save")


def test_a_number_that_identifies_something_is_no_counter() -> None:
    with pytest.raises(StaleRefError):
        check_same_element(
            Ref(0, 0, 0, 1),
            PrintedElement("link", "Order TT-10254", "L1"),
            "link",
            "Order TT-10265",
        )


@pytest.mark.parametrize(
    ("was", "now", "is_noted"),
    [
        ("\uf115 File Versioning", "File Versioning", False),
        ("Save", "SAVE …", False),
        ("Follow", "Unfollow", True),
        ("Delete 3 items", "Delete 5 items", True),
    ],
)
def test_a_changed_name_is_noted_if_its_words_differ(was: str, now: str, is_noted: bool) -> None:
    assert have_different_words(was, now) is is_noted


def test_a_row_with_mostly_other_words_is_another_element() -> None:
    """All rows of a recycled list share a word such as "Delete". The other words distinguish
    them.
    """
    with pytest.raises(StaleRefError):
        check_same_element(
            Ref(0, 0, 0, 1), PrintedElement("button", "Delete Alice", "L1"), "button", "Delete Bob"
        )


def test_a_removed_element_is_named_with_advice() -> None:
    error = make_removed_error(Ref(0, 0, 0, 1), PrintedElement("button", "Save", "L1"))
    assert str(error) == (
        'Ref e1 is no longer on the page: its element was removed.\nWas: button "Save"\n'
        "Take a new snapshot."
    )


def test_an_element_is_described_as_in_the_snapshot() -> None:
    assert describe_element("button", "Save") == 'button "Save"'
    assert describe_element("button", "") == "button"
