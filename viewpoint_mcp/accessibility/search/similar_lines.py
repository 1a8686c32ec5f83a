"""The lines of a snapshot whose text is most similar to a text that is not on the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from viewpoint_mcp.accessibility.search.searchable_lines import iterate_searchable_lines
from viewpoint_mcp.accessibility.search.snapshot_search import Hit
from viewpoint_mcp.accessibility.tree import Node

_MAX_LINES: Final = 3
_MAX_COMPARED_LENGTH: Final = 300  # characters of a text
_MIN_SIMILARITY: Final = 0.5
_WORD: Final = re.compile(r"\w+")


def find_similar_lines(nodes: Sequence[Node | str], wanted: str) -> list[Hit]:
    """Return the lines with the most similar texts, in the order of the page.

    A text is similar if it has half of the wanted words, or about the same characters.
    """
    scored: list[tuple[float, int, Hit]] = []
    for index, line in enumerate(iterate_searchable_lines(nodes)):
        texts = [" ".join(text.split())[:_MAX_COMPARED_LENGTH] for text in line.list_texts()]
        best = max(texts, key=lambda text: _similarity(wanted, text), default="")
        score = _similarity(wanted, best)
        if score >= _MIN_SIMILARITY:
            scored.append((score, index, Hit(line, best, 0, len(best), False)))
    scored.sort(key=lambda each: -each[0])
    return [hit for _, _, hit in sorted(scored[:_MAX_LINES], key=lambda each: each[1])]


def _similarity(wanted: str, text: str) -> float:
    """Return the similarity of two texts, from 0 to 1."""
    wanted, text = wanted.casefold(), text.casefold()
    words = set(_WORD.findall(wanted))
    share = len(words & set(_WORD.findall(text))) / len(words) if words else 0.0
    matcher = SequenceMatcher(None, wanted, text)
    if matcher.quick_ratio() < _MIN_SIMILARITY:
        return share * 0.9
    return max(share * 0.9, matcher.ratio())
