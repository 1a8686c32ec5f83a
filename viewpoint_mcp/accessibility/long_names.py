"""Shortening of long names in print. The rest of a name is printed as text below the element.

See docs/decisions/0039.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from viewpoint_mcp.accessibility.tree import Node

LONGEST_NAME: Final = 100
"""Maximum number of characters of a printed name."""

_WHOLE: Final = frozenset(
    (
        *("textbox", "searchbox", "combobox", "listbox", "slider", "spinbutton"),
        *("scrollbar", "progressbar", "meter", "iframe"),
    )
)
"""Roles whose names are never cut. Text below them is their value or from another document."""

_ALREADY_THERE: Final = (
    0.8  # minimum fraction of the rest's words with which the content repeats the rest
)
_LAST_WORD: Final = 20
_WORD: Final = re.compile(r"\w+")


def is_cut(node: Node) -> bool:
    """Return whether the name of a node is cut in print."""
    return (
        len(node.name) > LONGEST_NAME
        and node.role.rpartition(" ")[2] not in _WHOLE  # A diff puts its mark before the role.
        and "type" not in node.properties
        and "value" not in node.properties
    )


def cut_name(name: str) -> str:
    """Return a name as it is printed: cut after a word, with "…", if it is too long."""
    return name if len(name) <= LONGEST_NAME else f"{_beginning(name)}…"


def rest_of(node: Node) -> str:
    """Return the rest of a cut name, or "" if the content of the node repeats it."""
    rest = node.name[len(_beginning(node.name)) :]
    return "" if _is_in_content(rest.removesuffix("…"), node) else f"…{rest}"


def _beginning(name: str) -> str:
    """Return the printed beginning of a long name. It ends after a word, if words are short."""
    end = name.rfind(" ", LONGEST_NAME - _LAST_WORD, LONGEST_NAME)
    return name[: end if end > 0 else LONGEST_NAME - 1].rstrip()


def _is_in_content(rest: str, node: Node) -> bool:
    """Return whether the content of a node has the text, or most of its words.

    Name and content usually share most words, but not all. A name can include invisible text, and
    the content can include parts that names omit.
    """
    if not node.children:
        return False
    content = " ".join(_texts(node, 4 * len(node.name)))
    if _without_blanks(rest) in _without_blanks(content):
        return True
    words = _WORD.findall(rest.lower())
    known = set(_WORD.findall(content.lower()))
    return bool(words) and sum(word in known for word in words) >= _ALREADY_THERE * len(words)


def _texts(node: Node, room: int) -> Iterator[str]:
    """Yield the texts and names in a node in reading order, up to about `room` characters."""
    pending: list[Node | str] = list(reversed(node.children))
    while pending and room > 0:
        item = pending.pop()
        text = item if isinstance(item, str) else item.name
        room -= len(text)
        yield text
        if isinstance(item, Node):
            pending.extend(reversed(item.children))


def _without_blanks(text: str) -> str:
    return "".join(text.split())
