"""Search for elements that are similar to the element of a stale ref."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from viewpoint_mcp.accessibility.recycled_rows import GROUPS, texts_of
from viewpoint_mcp.accessibility.tree import Node

MOST: Final = 3
"""Maximum number of returned elements."""

_SIMILAR: Final = 0.5  # minimum fraction of the words of two names that both names have
_WORD: Final = re.compile(r"\w+")
_DULL: Final = frozenset({"the", "a", "an", "of", "in", "on", "to"})


def near_matches(
    nodes: Iterable[Node | str], role: str, name: str, beside: Sequence[str] = ()
) -> list[Node]:
    """Return the elements with a ref that are most similar to a role and name, the best first.

    The best matches have the same role and name. Next are those with the same role and a similar
    name, then those with another role and the same name. Hidden elements are omitted.

    Args:
        nodes: The tree to search.
        role: The role; "" if unknown. Then the words of `name` are compared with role and name.
        name: The name, or words that describe the element.
        beside: Texts that distinguished the element's row, list item or card. Only elements in a
            group with at least half of these texts match, so that equal elements in other rows are
            not returned. If empty, all elements can match.
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
    """Yield each visible element with a ref and the group around it, in page order."""
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
    """Return the share of common words, plus 1 if one set contains the other; 0 if too small."""
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
