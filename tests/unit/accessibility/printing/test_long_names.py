"""A long name is cut in print, and nothing of it is lost."""

from __future__ import annotations

import pytest

from viewpoint_mcp.accessibility.printing.long_names import MAX_NAME_LENGTH
from viewpoint_mcp.accessibility.printing.snapshot_yaml import NameStyle, render_tree
from viewpoint_mcp.accessibility.refs import describe_element
from viewpoint_mcp.accessibility.search.searchable_lines import iterate_searchable_lines
from viewpoint_mcp.accessibility.search.snapshot_search import find_lines_with_text
from viewpoint_mcp.accessibility.tree import Node

WORDS = [f"word{number}" for number in range(60)]
NAME = " ".join(WORDS)
KEPT = " ".join(WORDS[:15])
REST = " ".join(WORDS[15:])


def test_a_name_is_cut_after_a_word_and_the_rest_is_text_below() -> None:
    assert len(KEPT) < MAX_NAME_LENGTH <= len(f"{KEPT} word15")
    assert render_tree([Node("heading", NAME, {"level": 2})]) == (
        f'- heading "{KEPT}…" [level=2]: … {REST}'
    )
    assert render_tree([Node("link", NAME, {"ref": 1, "url": "/x"}, ref="e1")]).split("\n") == [
        f'- link "{KEPT}…" [ref=e1] -> /x: … {REST}',
    ]


@pytest.mark.parametrize(
    "content",
    [
        [NAME],
        [
            Node("heading", " ".join(WORDS[:30])),
            Node("paragraph", "", None, [" ".join(WORDS[30:])]),
        ],
        ["".join(WORDS)],
        [" ".join(WORDS[:-2]), Node("button", "Close")],
    ],
)
def test_a_rest_that_repeats_the_content_is_not_printed(content: list[Node | str]) -> None:
    assert "- text: … word15" not in render_tree([Node("link", NAME, None, content)])


def test_the_rest_of_a_label_is_printed_before_other_content() -> None:
    assert render_tree([Node("article", NAME, None, ["Something else"])]).split("\n") == [
        f'- article "{KEPT}…":',
        f"  - text: … {REST}",
        "  - text: Something else",
    ]


@pytest.mark.parametrize("role", ["textbox", "combobox", "progressbar", "iframe", "<added> slider"])
def test_a_name_stays_whole_where_text_would_look_like_a_value(role: str) -> None:
    assert render_tree([Node(role, NAME)]) == f'- {role} "{NAME}"'


@pytest.mark.parametrize(
    ("names", "with_ref", "without"),
    [
        ("short", f'- button "{KEPT}…" [ref=e1]', f'- heading "{KEPT}…": … {REST}'),
        ("whole", f'- button "{NAME}" [ref=e1]', f'- heading "{NAME}"'),
    ],
)
def test_names_are_printed_whole_on_request(names: NameStyle, with_ref: str, without: str) -> None:
    nodes = [Node("button", NAME, {"ref": 1}, ref="e1"), Node("heading", NAME)]
    assert render_tree(nodes, names).split("\n") == [with_ref, without]


@pytest.mark.parametrize("text", ["word3", "word40", "word14 word15"])
def test_a_word_of_a_cut_name_is_found_once(text: str) -> None:
    nodes = [Node("link", NAME, {"ref": 1, "url": "/x"}, ref="e1"), Node("button", "Other")]
    (hit,) = find_lines_with_text(iterate_searchable_lines(nodes), text)
    assert hit.line.item is nodes[0]


def test_a_sentence_about_an_element_quotes_a_long_name_cut() -> None:
    assert describe_element("link", NAME) == f'link "{KEPT}…"'
