"""Removal of invisible characters: controls, direction overrides, tag characters."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_JOINERS: Final = "\u200c\u200d"  # Persian text and emoji need these characters.
_FIRST_TAG_CHARACTER: Final = (
    "\U000e0000"  # start of the tags and supplementary variation selectors
)
_NONCHARACTER_BITS: Final = 0xFFFE


# JSON escapes, except those of line feeds, tabs, quotes and backslashes.
_JSON_ESCAPE: Final = re.compile(r'\\[^nt"\\]')
_DELETE: Final = "\x7f"


def has_no_invisible_characters(json_text: str) -> bool:
    """Return whether no string in a JSON text needs `remove_invisible`.

    One check of the whole text is much faster than a check of each string. The result may be False
    for a clean text, for example if it has an escaped backslash before a letter.
    """
    if "\\" in json_text and _JSON_ESCAPE.search(json_text):
        return False
    if json_text.isascii():
        return _DELETE not in json_text
    return json_text.isprintable() and max(json_text) < _FIRST_TAG_CHARACTER


def remove_invisible(text: str) -> str:
    """Return a text as well-formed Unicode without invisible characters.

    Each space character becomes an ASCII space. Line feeds, tabs and joiners stay. A lone
    surrogate becomes U+FFFD.
    """
    if text.isprintable() and (text.isascii() or max(text) < _FIRST_TAG_CHARACTER):
        return text
    return "".join(map(_replace_if_invisible, text))


def _replace_if_invisible(char: str) -> str:
    if char in "\n\t" or char in _JOINERS:
        return char
    if char.isprintable():
        return char if char < _FIRST_TAG_CHARACTER else ""
    category = unicodedata.category(char)
    if category == "Zs":
        return " "
    if category in {"Zl", "Zp"} or char == "\x85":
        return "\n"
    if category == "Cs":
        return "\ufffd"
    # An unassigned character may be newer than the Unicode data of this Python, such as an emoji.
    is_unknown = (
        category == "Cn"
        and ord(char) & _NONCHARACTER_BITS != _NONCHARACTER_BITS
        and char < _FIRST_TAG_CHARACTER
    )
    return char if is_unknown and not "\ufdd0" <= char <= "\ufdef" else ""
