"""Applying the diff to the old tree gives the new tree, for any change."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from tests.unit.accessibility.trees import Forest, copy_tree, element
from viewpoint_mcp.accessibility.diff import equality
from viewpoint_mcp.accessibility.diff.diff_labels import data_without_content
from viewpoint_mcp.accessibility.diff.equality import Content, iterate_nodes_at_any_depth
from viewpoint_mcp.accessibility.diff.tree_comparison import (
    AddedItem,
    DiffItem,
    MatchedItem,
    RemovedItem,
    UnchangedItems,
    compare_trees,
)
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_tree
from viewpoint_mcp.accessibility.tree import Node, children_and_value_of

MANY = 10_000


def apply(old: Sequence[Content], items: Sequence[DiffItem]) -> list[Content]:
    """Return the new tree, made from the old one and the diff."""
    by_ref = {node.ref: node for node in iterate_nodes_at_any_depth(old) if node.ref}

    def applied(content: Sequence[Content], items: Sequence[DiffItem]) -> list[Content]:
        made: list[Content] = []
        for item in items:
            if isinstance(item, UnchangedItems):
                made.extend(content[item.old_start : item.old_start + item.count])
            elif isinstance(item, MatchedItem):
                made.append(kept(content, item))
            elif isinstance(item, AddedItem):
                is_whole = isinstance(item.new, str) or item.items is None
                made.append(item.new if is_whole else with_content(item.new, (), item.items))
        return made

    def kept(content: Sequence[Content], item: MatchedItem) -> Content:
        if isinstance(item.new, str):
            return item.new
        before = by_ref[item.new.ref] if item.old_index is None else content[item.old_index]
        assert isinstance(before, Node)
        if item.items is None:
            return before
        return with_content(item.new, children_and_value_of(before), item.items)

    def with_content(
        node: Content, before: Sequence[Content], items: Sequence[DiffItem] | None
    ) -> Content:
        assert isinstance(node, Node)
        role, name, ref, properties = data_without_content(node)
        made = Node(role, name, properties, None, ref)
        made.children = applied(before, items or ())
        return made

    return applied(old, items)


def check(old: list[Content], new: list[Content]) -> list[DiffItem]:
    items = compare_trees(old, new)
    assert render_tree(apply(old, items)) == render_tree(new)
    return items


def counts(items: Sequence[DiffItem]) -> dict[str, int]:
    """Return the number of changes of each kind."""
    found = {"added": 0, "changed": 0, "moved": 0, "removed": 0}
    pending = [*items]
    while pending:
        item = pending.pop()
        if isinstance(item, RemovedItem):
            found["removed"] += 1
        elif isinstance(item, MatchedItem | AddedItem):
            pending.extend(item.items or ())
            is_text = isinstance(item.new, str)
            if isinstance(item, AddedItem):
                found["added"] += 1
            elif item.is_moved:
                found["moved"] += 1
            elif is_text or data_without_content(item.old) != data_without_content(item.new):  # type: ignore[arg-type]
                found["changed"] += 1
    return {kind: count for kind, count in found.items() if count}


@pytest.mark.parametrize("start", range(0, 2000, 250))
def test_applied_to_the_old_tree_it_gives_the_new_one(start: int) -> None:
    for seed in range(start, start + 250):
        old, new = Forest(seed).tree(), Forest(seed + 1_000_000).tree()
        check(old, new)
        assert all(isinstance(item, UnchangedItems) for item in check(old, copy_tree(old)))


@pytest.mark.parametrize("start", range(0, 3000, 250))
def test_applied_to_a_tree_it_gives_the_tree_that_it_became(start: int) -> None:
    for seed in range(start, start + 250):
        forest = Forest(seed)
        old = forest.tree()
        check(old, forest.mutated(old, 1 + seed % 8))


def test_beyond_the_limit_of_comparisons_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equality, "_MAX_COMPARISONS", -1)
    for seed in range(250):
        forest = Forest(seed)
        old = forest.tree()
        check(old, forest.mutated(old, 1 + seed % 8))


@pytest.mark.parametrize("start", range(0, 1000, 250))
def test_no_element_with_a_ref_is_both_gone_and_there(start: int) -> None:
    for seed in range(start, start + 250):
        forest = Forest(seed)
        old = forest.tree()
        new = forest.mutated(old, 4)
        refs = {node.ref for node in iterate_nodes_at_any_depth(new) if node.ref}
        pending = [*compare_trees(old, new)]
        while pending:
            item = pending.pop()
            if isinstance(item, RemovedItem):
                assert isinstance(item.old, str) or item.old.ref not in refs
            elif isinstance(item, MatchedItem | AddedItem):
                pending.extend(item.items or ())


def page(*content: Content) -> list[Content]:
    return [element("main", "", *content)]


BUTTONS = tuple(element("button", f"B{number}", ref=number) for number in range(1, 9))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(["one"], ["two"], {"changed": 1}, id="text"),
        pytest.param([element("p", "", "a")], [element("p", "", "b")], {"changed": 1}, id="inline"),
        pytest.param(
            [element("textbox", "T", ref=1)],
            [element("textbox", "T", ref=1, value="x")],
            {"added": 1},
            id="value",
        ),
        pytest.param(
            [element("checkbox", "C", ref=1)],
            [element("checkbox", "C", ref=1, checked=True)],
            {"changed": 1},
            id="state",
        ),
        pytest.param(BUTTONS, BUTTONS[:3] + BUTTONS[4:], {"removed": 1}, id="one less"),
        pytest.param(BUTTONS[1:], BUTTONS, {"added": 1}, id="one more"),
        pytest.param(BUTTONS, (*BUTTONS[1:], BUTTONS[0]), {"moved": 1}, id="first to the end"),
        pytest.param(
            [element("heading", "Cart (1)"), element("paragraph", "", "a")],
            [element("heading", "Cart (2)"), element("paragraph", "", "a")],
            {"changed": 1},
            id="name of what has no ref",
        ),
        pytest.param(
            [element("button", "Save", ref=1)],
            [element("button", "Save", ref=2)],
            {"changed": 1},
            id="rendered again",
        ),
        pytest.param(
            [element("list", "", *BUTTONS[:2]), element("list", "", *BUTTONS[2:4])],
            [element("list", "", BUTTONS[0]), element("list", "", *BUTTONS[1:4])],
            {"moved": 1},
            id="to the other list",
        ),
        pytest.param(
            [*BUTTONS[:2]],
            [element("region", "New", *BUTTONS[:2])],
            {"added": 1, "moved": 2},
            id="wrapped",
        ),
        pytest.param(
            [element("group", "", BUTTONS[0], "a"), *BUTTONS[1:]],
            [BUTTONS[0], *BUTTONS[1:]],
            {"removed": 1, "moved": 1},
            id="unwrapped",
        ),
    ],
)
def test_each_change_is_shown_with_its_kind(
    old: Sequence[Content], new: Sequence[Content], expected: dict[str, int]
) -> None:
    assert counts(check(page(*old), page(*new))) == expected


def test_a_row_without_a_ref_is_matched_by_the_refs_in_it() -> None:
    rows = [element("row", "", element("link", f"L{n}", ref=n), "same") for n in range(1, 6)]
    assert counts(check(page(*rows), page(*rows[:2], *rows[3:]))) == {"removed": 1}
    assert counts(check(page(*rows), page(rows[4], *rows[:4]))) == {"moved": 1}


def test_two_elements_that_change_places_across_levels_are_both_moved() -> None:
    inner = element("button", "Inner", ref=2)
    old = page(element("link", "Outer", inner, ref=1))
    new = page(element("button", "Inner", element("link", "Outer", ref=1), ref=2))
    assert counts(check(old, new)) == {"moved": 2}


def test_very_deep_nesting_is_compared() -> None:
    def nested(text: str) -> list[Content]:
        content: list[Content] = [text]
        for level in range(5000):
            content = [element("region", f"R{level}", *content)]
        return content

    items = compare_trees(nested("a"), nested("b"))
    assert counts(items) == {"changed": 1}


def flat(source: random.Random | None = None) -> list[Content]:
    rows: list[Content] = [
        element(
            "button" if number % 2 else "paragraph",
            f"N{number}",
            ref=number if number % 2 else 0,
            url=f"/{number}",
        )
        for number in range(MANY)
    ]
    if source is not None:
        source.shuffle(rows)
    return page(*rows)


def renamed(prefix: str) -> list[Content]:
    return page(*(element("paragraph", f"{prefix}{number}") for number in range(MANY)))


def with_one_change() -> list[Content]:
    tree = flat()
    main = tree[0]
    assert isinstance(main, Node)
    main.children[MANY // 2] = element("paragraph", "Other")
    return tree


def deep(text: str) -> list[Content]:
    """Chains in which a difference is found at the very end only, shifted by one."""
    content: list[Content] = [text]
    for level in range(120):
        content = [element("list", "", *[element("p", "", f"{level}")] * 80, *content)]
    return content


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(flat, with_one_change, id="one change"),
        pytest.param(flat, lambda: flat(random.Random(1)), id="another order"),
        pytest.param(lambda: renamed("a"), lambda: renamed("b"), id="all other"),
        pytest.param(lambda: page(*["x"] * MANY), lambda: page(*["y"] * MANY), id="texts"),
        pytest.param(
            lambda: [element("main", "", *deep("a"))],
            lambda: [element("main", "", "new", *deep("b"))],
            id="deep",
        ),
    ],
)
def test_ten_thousand_elements_are_compared(
    old: Callable[[], list[Content]], new: Callable[[], list[Content]]
) -> None:
    # Were it quadratic, the run's own limit would end it.
    check(old(), new())
