"""Finds the elements of a page that may be meant where a ref names none any more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from viewpoint_mcp.accessibility.recycled_rows import GROUPS, texts_of
from viewpoint_mcp.accessibility.tree import Node

MOST: Final = 3
"""How many are offered."""

_SIMILAR: Final = 0.5  # of all the words of two names, at least so many are in both
_WORD: Final = re.compile(r"\w+")
_DULL: Final = frozenset({"the", "a", "an", "of", "in", "on", "to"})


def near_matches(
    nodes: Iterable[Node | str], role: str, name: str, beside: Sequence[str] = ()
) -> list[Node]:
    """Return the elements with a ref that are most like the one sought, the best first.

    The same role and name are best, then the same role and a similar name, then another role and
    the same name. What is hidden is left out.

    Args:
        role: "" where only words are known: they may be of the role or of the name.
        beside: Texts that distinguished the element's row, list item or card. Only elements in a
            group with half of them are offered: twins in other groups are not meant.
    """
    wanted = _words(name)
    if not wanted:
        return []
    scored = [
        (score, node)
        for node, group in _offered(nodes)
        if (score := _score(node, role, name, wanted)) > 0 and _has_half(group, beside)
    ]
    scored.sort(key=lambda each: -each[0])
    return [node for _, node in scored[:MOST]]


def _offered(nodes: Iterable[Node | str]) -> Iterator[tuple[Node, Node | None]]:
    """Every element with a ref and the group it is in, in the order of the page."""
    pending: list[tuple[Node | str, Node | None]] = [(node, None) for node in list(nodes)[::-1]]
    while pending:
        node, group = pending.pop()
        if isinstance(node, str):
            continue
        if node.role in GROUPS:
            group = node
        if node.ref and not node.properties.get("hidden"):
            yield node, group
        pending.extend((child, group) for child in node.children[::-1])


def _has_half(group: Node | None, beside: Sequence[str]) -> bool:
    if not beside:
        return True
    return group is not None and 2 * len(texts_of(group).intersection(beside)) >= len(beside)


def _score(node: Node, role: str, name: str, wanted: frozenset[str]) -> float:
    if not role:
        return _similarity(wanted, _words(f"{node.role} {node.name}"))
    if node.name == name:
        return 3 if node.role == role else 0.1
    return _similarity(wanted, _words(node.name)) if node.role == role else 0


def _similarity(wanted: frozenset[str], words: frozenset[str]) -> float:
    """From 0 to 2: the share of common words; more where one has all of the other's."""
    common = len(wanted & words)
    if not common:
        return 0
    share = common / len(wanted | words)
    if wanted <= words or words <= wanted:
        return 1 + share
    return share if share >= _SIMILAR else 0


def _words(text: str) -> frozenset[str]:
    words = frozenset(_WORD.findall(text.casefold()))
    return words - _DULL or words
