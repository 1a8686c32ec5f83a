"""Shortening of long names in print. The rest of a name is printed as text below the element.

See docs/decisions/0039.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from viewpoint_mcp.accessibility.tree import Node

MAX_NAME_LENGTH: Final = 100
"""Maximum number of characters of a printed name."""

_ROLES_WITH_WHOLE_NAME: Final = frozenset(
    (
        *("textbox", "searchbox", "combobox", "listbox", "slider", "spinbutton"),
        *("scrollbar", "progressbar", "meter", "iframe"),
    )
)
"""Roles whose names are never cut. Text below them is their value or from another document."""

_REPEATED_SHARE: Final = (
    0.8  # minimum fraction of the rest's words with which the content repeats the rest
)
_MAX_LAST_WORD_LENGTH: Final = 20
_WORD: Final = re.compile(r"\w+")


def has_cut_name(node: Node) -> bool:
    """Return whether the name of a node is cut in print."""
    return (
        len(node.name) > MAX_NAME_LENGTH
        and node.role.rpartition(" ")[2]
        not in _ROLES_WITH_WHOLE_NAME  # A diff puts its mark before the role.
        and "type" not in node.properties
        and "value" not in node.properties
    )


def cut_name(name: str) -> str:
    """Return a name as it is printed: cut after a word, with "…", if it is too long."""
    return name if len(name) <= MAX_NAME_LENGTH else f"{_beginning_of_name(name)}…"


def rest_of_name(node: Node) -> str:
    """Return the rest of a cut name, or "" if the content of the node repeats it."""
    rest = node.name[len(_beginning_of_name(node.name)) :]
    return "" if _is_repeated_in_content(rest.removesuffix("…"), node) else f"…{rest}"


def _beginning_of_name(name: str) -> str:
    """Return the printed beginning of a long name. It ends after a word, if words are short."""
    end = name.rfind(" ", MAX_NAME_LENGTH - _MAX_LAST_WORD_LENGTH, MAX_NAME_LENGTH)
    return name[: end if end > 0 else MAX_NAME_LENGTH - 1].rstrip()


def is_contained_in_content(text: str, node: Node) -> bool:
    """Return whether the texts and names in a node, one after the other, contain a text."""
    content = "".join(_iterate_texts(node, 4 * len(text)))
    return _remove_spaces(text) in _remove_spaces(content)


def _is_repeated_in_content(rest: str, node: Node) -> bool:
    """Return whether the content of a node has the text, or most of its words.

    Name and content usually share most words, but not all. A name can include invisible text, and
    the content can include parts that names omit.
    """
    if not node.children:
        return False
    content = " ".join(_iterate_texts(node, 4 * len(node.name)))
    if _remove_spaces(rest) in _remove_spaces(content):
        return True
    words = _WORD.findall(rest.lower())
    content_words = set(_WORD.findall(content.lower()))
    return bool(words) and sum(word in content_words for word in words) >= _REPEATED_SHARE * len(
        words
    )


def _iterate_texts(node: Node, max_characters: int) -> Iterator[str]:
    """Yield the texts and names in a node in reading order, up to about the maximum."""
    pending: list[Node | str] = list(reversed(node.children))
    while pending and max_characters > 0:
        item = pending.pop()
        text = item if isinstance(item, str) else item.name
        max_characters -= len(text)
        yield text
        if isinstance(item, Node):
            pending.extend(reversed(item.children))


def _remove_spaces(text: str) -> str:
    return "".join(text.split())
