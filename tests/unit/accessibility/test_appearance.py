"""What a person sees of an element without a name."""

from __future__ import annotations

import pytest

from viewpoint_mcp.accessibility.appearance import describe_appearance
from viewpoint_mcp.accessibility.tree import Node


@pytest.mark.parametrize(
    ("node", "appearance"),
    [
        (Node("listitem", children=["Assam"]), '"Assam"'),
        (Node("generic", children=[Node("button", "Mail"), "2"]), '"Mail 2"'),
        (Node("generic", children=["Tea " * 20]), '"Tea Tea Tea Tea Tea Tea Tea Tea Tea Tea …"'),
        (Node("generic", properties={"hint": "port"}), '[hint="port"]'),
        (Node("textbox", properties={"hint": "note"}, children=["private"]), '[hint="note"]'),
        (Node("generic", children=[Node("textbox", children=["private"])]), ""),
        (Node("button", "Save", children=["Save"]), ""),
        (Node("generic"), ""),
    ],
)
def test_an_element_without_a_name_is_described(node: Node, appearance: str) -> None:
    assert describe_appearance(node) == appearance
