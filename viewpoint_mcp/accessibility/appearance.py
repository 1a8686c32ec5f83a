"""What a person sees of an element without a name, for sentences about it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

from viewpoint_mcp.accessibility.printing.long_names import cut_name
from viewpoint_mcp.accessibility.printing.sentence_quotes import quote_in_sentence
from viewpoint_mcp.accessibility.tree import Node

_MAX_LENGTH: Final = 40  # characters of a text
_MAX_TEXTS: Final = 10
_FIELD_ROLES: Final = frozenset({"combobox", "searchbox", "slider", "spinbutton", "textbox"})


def describe_appearance(node: Node) -> str:
    """Return the text of an element without a name, or its hint; "" if it has neither.

    The text of a field is its value, which changes and may be private.

    Returns:
        The text in quotes, or the hint as in a snapshot.
    """
    if node.name:
        return ""
    if node.role not in _FIELD_ROLES:
        text = " ".join(itertools.islice(_iterate_texts(node), _MAX_TEXTS)).strip()
        if text:
            return quote_in_sentence(text, _MAX_LENGTH)
    hint = node.properties.get("hint")
    return f"[hint={quote_in_sentence(cut_name(hint))}]" if hint else ""


def _iterate_texts(node: Node) -> Iterator[str]:
    pending: list[Node | str] = list(reversed(node.children))
    while pending:
        each = pending.pop()
        if isinstance(each, str):
            yield each
        elif each.name:
            yield each.name
        elif each.role not in _FIELD_ROLES:
            pending.extend(reversed(each.children))
