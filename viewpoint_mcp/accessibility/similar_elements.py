"""Search for elements that are similar to the element of a stale ref."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from viewpoint_mcp.accessibility.recycled_list_rows import collect_texts
from viewpoint_mcp.accessibility.search.found_elements import FoundElement
from viewpoint_mcp.accessibility.tree import Node

MAX_RESULTS: Final = 3
"""Maximum number of returned elements."""

_MIN_SIMILARITY: Final = 0.5  # minimum fraction of the words of two names that both names have
_WORD: Final = re.compile(r"\w+")
_STOP_WORDS: Final = frozenset({"the", "a", "an", "of", "in", "on", "to"})


def find_similar_elements(
    elements: Iterable[FoundElement], role: str, name: str, group_texts: Sequence[str] = ()
) -> list[FoundElement]:
    """Return the elements that are most similar to a role and name, the best first.

    The best matches have the same role and name. Next are those with the same role and a similar
    name, then those with another role and the same name. Hidden elements are omitted.

    Args:
        elements: The elements to search.
        role: The role; "" if unknown. Then the words of `name` are compared with role and name.
        name: The name, or words that describe the element.
        group_texts: Texts that distinguished the element's row, list item or card. Only elements in
            a group with at least half of these texts match, so that equal elements in other rows
            are not returned. If empty, all elements can match.
    """
    name_words = _split_words(name)
    if not name_words:
        return []
    scored = [
        (score, each)
        for each in elements
        if not each.is_hidden
        and (score := _score_element(each.node, role, name, name_words)) > 0
        and _has_half_of_texts(each.group, group_texts)
    ]
    scored.sort(key=lambda each: -each[0])
    return [found for _, found in scored[:MAX_RESULTS]]


def _has_half_of_texts(group: Node | None, texts: Sequence[str]) -> bool:
    if not texts:
        return True
    return group is not None and 2 * len(collect_texts(group).intersection(texts)) >= len(texts)


def _score_element(node: Node, role: str, name: str, name_words: frozenset[str]) -> float:
    if not role:
        return _word_similarity(name_words, _split_words(f"{node.role} {node.name}"))
    if node.name == name:
        return 3 if node.role == role else 0.1
    return _word_similarity(name_words, _split_words(node.name)) if node.role == role else 0


def _word_similarity(name_words: frozenset[str], other_words: frozenset[str]) -> float:
    """Return the share of common words, plus 1 if one set contains the other; 0 if too small."""
    common = len(name_words & other_words)
    if not common:
        return 0
    share = common / len(name_words | other_words)
    if name_words <= other_words or other_words <= name_words:
        return 1 + share
    return share if share >= _MIN_SIMILARITY else 0


def _split_words(text: str) -> frozenset[str]:
    words = frozenset(_WORD.findall(text.casefold()))
    return words - _STOP_WORDS or words
