"""Trees for the tests of diffs: written by hand, made at random, and mutated."""

from __future__ import annotations

import random
from typing import Any

from viewpoint_mcp.accessibility.diff.equality import Content
from viewpoint_mcp.accessibility.tree import Node

ROLES = ("button", "link", "heading", "paragraph", "list", "listitem", "region", "iframe", "row")
WORDS = ("", "", "Save", "Open", "Item 1", "Item 2", "a: b", "x # y")
TEXTS = ("one", "two", "three: 3", "- <added> four", "", " | ")
STATES: tuple[dict[str, Any], ...] = (
    {},
    {},
    {"disabled": True},
    {"expanded": False},
    {"active": True},
    {"value": "typed"},
    {"value": "typed again", "placeholder": "hint"},
    {"url": "/x"},
)


def element(role: str, name: str = "", *content: Content, ref: int = 0, **properties: Any) -> Node:
    """Return an element with the content as printed; `ref` is its number, 0 for none."""
    if ref:
        properties["ref"] = ref
    return Node(role, name, properties, list(content), f"e{ref}" if ref else "")


def copy_tree(content: list[Content]) -> list[Content]:
    """Return a deep copy."""
    return [
        item
        if isinstance(item, str)
        else Node(item.role, item.name, {**item.properties}, copy_tree(item.children), item.ref)
        for item in content
    ]


class Forest:
    """Makes random trees in which no ref occurs twice."""

    def __init__(self, seed: int) -> None:
        self.source = random.Random(seed)
        self._next = 0

    def tree(self, levels: int = 3, width: int = 4) -> list[Content]:
        """Return the content of a page."""
        count = self.source.randrange(width + 1)
        return [self._item(levels, width) for _ in range(count)]

    def mutated(self, tree: list[Content], times: int) -> list[Content]:
        """Return a copy with some changes of the kinds that pages make."""
        tree = copy_tree(tree)
        changes = (
            *(self._insert, self._remove, self._move, self._swap, self._wrap, self._unwrap),
            *(self._rename, self._retype, self._renew, self._shuffle),
        )
        for _ in range(times):
            self.source.choice(changes)(tree)
        return tree

    def _item(self, levels: int, width: int) -> Content:
        if levels == 0 or self.source.random() < 0.2:
            return self.source.choice(TEXTS)
        node = Node(self.source.choice(ROLES), self.source.choice(WORDS))
        node.properties = dict(self.source.choice(STATES))
        if self.source.random() < 0.5:
            self._give_ref(node)
        node.children = self.tree(levels - 1, width)
        return node

    def _give_ref(self, node: Node) -> None:
        self._next += 1
        node.properties["ref"], node.ref = self._next, f"e{self._next}"

    def _contents(self, tree: list[Content]) -> list[list[Content]]:
        found, pending = [], [tree]
        while pending:
            content = pending.pop()
            found.append(content)
            pending.extend(item.children for item in content if isinstance(item, Node))
        return found

    def _somewhere(self, tree: list[Content]) -> list[Content]:
        return self.source.choice(self._contents(tree))

    def _position(self, content: list[Content]) -> int:
        return self.source.randrange(len(content) + 1)

    def _pick(self, tree: list[Content]) -> tuple[list[Content], int] | None:
        filled = [content for content in self._contents(tree) if content]
        if not filled:
            return None
        content = self.source.choice(filled)
        return content, self.source.randrange(len(content))

    def _insert(self, tree: list[Content]) -> None:
        content = self._somewhere(tree)
        content.insert(self._position(content), self._item(2, 3))

    def _remove(self, tree: list[Content]) -> None:
        if picked := self._pick(tree):
            del picked[0][picked[1]]

    def _move(self, tree: list[Content]) -> None:
        if picked := self._pick(tree):
            item = picked[0].pop(picked[1])
            content = self._somewhere(tree)
            content.insert(self._position(content), item)

    def _swap(self, tree: list[Content]) -> None:
        one, other = self._pick(tree), self._pick(tree)
        if one and other and one[0] is other[0]:
            content, first, second = one[0], one[1], other[1]
            content[first], content[second] = content[second], content[first]

    def _wrap(self, tree: list[Content]) -> None:
        if picked := self._pick(tree):
            content, position = picked
            content[position] = element(self.source.choice(ROLES), "", content[position])

    def _unwrap(self, tree: list[Content]) -> None:
        if (picked := self._pick(tree)) and isinstance(node := picked[0][picked[1]], Node):
            picked[0][picked[1] : picked[1] + 1] = node.children

    def _rename(self, tree: list[Content]) -> None:
        if not (picked := self._pick(tree)):
            return
        item = picked[0][picked[1]]
        if isinstance(item, Node):
            item.name = self.source.choice(WORDS)
        else:
            picked[0][picked[1]] = self.source.choice(TEXTS)

    def _retype(self, tree: list[Content]) -> None:
        if (picked := self._pick(tree)) and isinstance(node := picked[0][picked[1]], Node):
            number = {"ref": node.properties["ref"]} if node.ref else {}
            node.properties = {**self.source.choice(STATES), **number}
            node.role = self.source.choice((node.role, self.source.choice(ROLES)))

    def _renew(self, tree: list[Content]) -> None:
        """Replace an element by an equal one with another ref."""
        if (picked := self._pick(tree)) and isinstance(node := picked[0][picked[1]], Node):
            self._give_ref(node)

    def _shuffle(self, tree: list[Content]) -> None:
        self.source.shuffle(self._somewhere(tree))
