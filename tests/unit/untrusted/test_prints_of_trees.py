"""No print of a tree of hostile texts has an element, a mark or a line that the page has forged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import strategies as st

from tests.hostile_texts import CANARY, check_examples, hostile_texts
from tests.reply_reader import (
    check_characters,
    check_sentence,
    count_marks,
    read_elements,
)
from viewpoint_mcp.accessibility.diff.diff_yaml import render_changes
from viewpoint_mcp.accessibility.diff.tree_comparison import compare_trees
from viewpoint_mcp.accessibility.printing.overview import make_overview
from viewpoint_mcp.accessibility.printing.plain_text import render_plain_text
from viewpoint_mcp.accessibility.printing.snapshot_budget import fit_to_budget
from viewpoint_mcp.accessibility.printing.snapshot_yaml import NameStyle, render_tree
from viewpoint_mcp.accessibility.search.candidate_list import list_candidates
from viewpoint_mcp.accessibility.search.found_elements import find_elements_with_ref
from viewpoint_mcp.accessibility.search.searchable_lines import iterate_searchable_lines
from viewpoint_mcp.accessibility.search.snapshot_search import find_lines_with_text, render_matches
from viewpoint_mcp.accessibility.tree import Node, decode_tree

REFS = frozenset(f"e{number}" for number in range(1, 9))


@st.composite
def pages(draw: st.DrawFn) -> list[Node]:
    """Return a page with a hostile text in each place of its tree, as the page script sends it."""

    def text() -> str:
        return draw(hostile_texts)

    def states(number: int, **others: object) -> dict[str, object]:
        return {"ref": number, **others}

    return decode_tree(
        [
            ["heading", text(), {"level": 1}, []],
            ["button", text(), states(1, hint=text()), []],
            ["button", "", states(2), [text()]],
            ["link", text(), states(3, url=text()), []],
            ["textbox", text(), states(4, placeholder=text(), value=text()), []],
            [
                *("combobox", text(), states(5)),
                [["option", text(), {"selected": True}, []], ["option", text(), None, []]],
            ],
            ["paragraph", "", None, [text(), ["strong", "", None, [text()]], text()]],
            [
                *("table", text(), None),
                [
                    ["row", "", None, [["columnheader", text(), None, []]]],
                    ["row", "", None, [["cell", text(), None, []], ["button", "x", states(6), []]]],
                ],
            ],
            ["list", "", None, [["listitem", "", None, [text(), ["button", "x", states(7), []]]]]],
            ["generic", "", {"hidden": True}, [text()]],
            ["iframe", text(), states(8), [["status", text(), None, [text()]]]],
            text(),
        ]
    )


def check_snapshot(page: list[Node], names: NameStyle) -> None:
    snapshot = render_tree(page, names)
    check_characters(snapshot)
    printed = [each for each in read_elements(snapshot, REFS) if "[ref=" in each.attributes]
    assert {each.attributes.rpartition("[ref=")[2][:2] for each in printed} >= REFS


def check_part(page: list[Node], budget: int) -> None:
    snapshot = render_tree(page)
    for text in (
        make_overview(snapshot, budget, budget).text,
        fit_to_budget(snapshot, budget).text,
    ):
        check_characters(text)
        read_elements(text, REFS)


def check_changes(old: list[Node], new: list[Node]) -> None:
    changes = render_changes(compare_trees(old, new), new)
    check_characters(changes)
    read_elements(changes, REFS)


def check_marks_of_changes(page: list[Node], name: str) -> None:
    old, new = [Node("main", "", {}, [*page])], [Node("main", "", {}, [*page])]
    (changed,) = decode_tree([["checkbox", name, {"ref": 8, "checked": True}, []]])
    old[0].children.append(Node(changed.role, changed.name, {"ref": 8}, [], changed.ref))
    new[0].children.append(changed)
    assert count_marks(render_changes(compare_trees(old, new), new)) == 1


def check_matches_and_candidates(page: list[Node]) -> None:
    matches = render_matches(find_lines_with_text(iterate_searchable_lines(page), CANARY)).text
    check_characters(matches)
    read_elements(matches, REFS)
    found = find_elements_with_ref(page)
    for line in list_candidates(found, found):
        check_sentence(line)


def check_marks_of_plain_text(page: list[Node]) -> None:
    text = render_plain_text(page)
    check_characters(text)
    assert text.replace(r"\[hidden]", "").count("[hidden]") == 1


PROPERTIES: Mapping[str, tuple[Callable[..., None], *tuple[st.SearchStrategy[Any], ...]]] = {
    "a snapshot": (check_snapshot, pages(), st.sampled_from(["cut", "short", "whole"])),
    "a part of a snapshot": (check_part, pages(), st.integers(300, 1500)),
    "changes": (check_changes, pages(), pages()),
    "marks of changes": (check_marks_of_changes, pages(), hostile_texts),
    "matches and candidates": (check_matches_and_candidates, pages()),
    "marks of plain text": (check_marks_of_plain_text, pages()),
}


@pytest.mark.parametrize("name", PROPERTIES)
def test_a_page_forges_no_part_of(name: str) -> None:
    check_examples(30, *PROPERTIES[name])
