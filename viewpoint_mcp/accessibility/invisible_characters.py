"""Removal of invisible characters: controls, direction overrides, tag characters."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_JOINERS: Final = "\u200c\u200d"  # Persian text and emoji need these characters.
_SMUGGLERS: Final = "\U000e0000"  # start of the tags and supplementary variation selectors
_NONCHARACTERS: Final = 0xFFFE


# JSON escapes, except those of line feeds, tabs, quotes and backslashes.
_ESCAPED: Final = re.compile(r'\\[^nt"\\]')
_DELETE: Final = "\x7f"


def is_clean_json(text: str) -> bool:
    """Return whether no string in a JSON text needs `scrub`.

    One check of the whole text is much faster than a check of each string. The result may be False
    for a clean text, for example if it has an escaped backslash before a letter.
    """
    if "\\" in text and _ESCAPED.search(text):
        return False
    if text.isascii():
        return _DELETE not in text
    return text.isprintable() and max(text) < _SMUGGLERS


def scrub(text: str) -> str:
    """Return a text as well-formed Unicode without invisible characters.

    Each space character becomes an ASCII space. Line feeds, tabs and joiners stay. A lone
    surrogate becomes U+FFFD.
    """
    if text.isprintable() and (text.isascii() or max(text) < _SMUGGLERS):
        return text
    return "".join(map(_harmless, text))


def _harmless(char: str) -> str:
    if char in "\n\t" or char in _JOINERS:
        return char
    if char.isprintable():
        return char if char < _SMUGGLERS else ""
    category = unicodedata.category(char)
    if category == "Zs":
        return " "
    if category in {"Zl", "Zp"} or char == "\x85":
        return "\n"
    if category == "Cs":
        return "\ufffd"
    # An unassigned character may be newer than the Unicode data of this Python, such as an emoji.
    is_unknown = (
        category == "Cn" and ord(char) & _NONCHARACTERS != _NONCHARACTERS and char < _SMUGGLERS
    )
    return char if is_unknown and not "\ufdd0" <= char <= "\ufdef" else ""
