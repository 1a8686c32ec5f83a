"""The elements of a tree that have a ref, each with its position in the tree."""

from __future__ import annotations

import json.encoder
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from viewpoint_mcp.accessibility.recycled_list_rows import GROUP_ROLES
from viewpoint_mcp.accessibility.tree import Node

_MAX_TEXT_LENGTH: Final = 60

quote = json.encoder.encode_basestring


@dataclass(frozen=True, slots=True, eq=False)
class FoundElement:
    """An element with a ref.

    Attributes:
        node: The node of the element.
        ancestors: The nodes around it, from the inside outwards.
        heading: The name of the last heading before it; "" for none.
        labels: The texts and named elements of the tree, in the order of the page.
        index: The number of these labels before the element.
    """

    node: Node
    ancestors: Sequence[Node] = ()
    heading: str = ""
    labels: Sequence[str] = field(default=(), repr=False)
    index: int = 0

    @property
    def is_hidden(self) -> bool:
        """Whether a person cannot see the element."""
        return any(each.properties.get("hidden") for each in (self.node, *self.ancestors))

    @property
    def group(self) -> Node | None:
        """The innermost row, list item or card that is or contains the element."""
        groups = (each for each in (self.node, *self.ancestors) if each.role in GROUP_ROLES)
        return next(groups, None)

    @property
    def label_before(self) -> str:
        """The text or named element before the element; "" for none."""
        return self.labels[self.index - 1] if self.index else ""

    @property
    def label_after(self) -> str:
        """The text or named element after the label of the element; "" for none."""
        index = self.index + bool(self.node.name)
        return self.labels[index] if index < len(self.labels) else ""


def find_elements_with_ref(nodes: Sequence[Node | str]) -> list[FoundElement]:
    """Return the elements with a ref, in the order of the page."""
    found: list[FoundElement] = []
    labels: list[str] = []
    heading = ""
    pending: list[tuple[Node | str, tuple[Node, ...]]] = [(node, ()) for node in reversed(nodes)]
    while pending:
        node, ancestors = pending.pop()
        if isinstance(node, str):
            if any(map(str.isalnum, node)):
                labels.append(quote(shorten(node)))
            continue
        if node.ref:
            found.append(FoundElement(node, ancestors, heading, labels, len(labels)))
        if node.name:
            labels.append(f"{node.role} {quote(shorten(node.name))}")
        if node.role == "heading":
            heading = node.name
        inner = (node, *ancestors)
        pending.extend((child, inner) for child in reversed(node.children))
    return found


def shorten(text: str) -> str:
    """Return the beginning of a text, on one line with single spaces."""
    return " ".join(text.split())[:_MAX_TEXT_LENGTH].strip()
