"""Nodes made from the walker's result."""

from __future__ import annotations

from viewpoint_mcp.accessibility.tree import Node, decode_tree


def test_a_node_keeps_role_name_properties_and_children_in_order() -> None:
    (node,) = decode_tree([["list", "Menu", {"level": 1}, ["a", ["listitem", "b", None, []], "c"]]])
    assert (node.role, node.name, node.properties) == ("list", "Menu", {"level": 1})
    assert [each.name if isinstance(each, Node) else each for each in node.children] == [
        "a",
        "b",
        "c",
    ]


def test_a_ref_is_spelled_with_the_prefix_at_every_depth() -> None:
    (node,) = decode_tree([["list", "", None, [["link", "", {"ref": 7}, []]]]], "c1p2f0")
    child = node.children[0]
    assert isinstance(child, Node)
    assert (node.ref, child.ref) == ("", "c1p2f0e7")


def test_a_text_at_the_top_becomes_a_text_node() -> None:
    (node,) = decode_tree(["hello"])
    assert (node.role, node.children) == ("text", ["hello"])


def test_deep_nesting_is_decoded_without_recursion() -> None:
    raw: list[object] = ["group", "", None, []]
    for _ in range(10_000):
        raw = ["group", "", None, [raw]]
    assert decode_tree([raw])[0].children
