"""Takes out of a text what no reader sees: controls, direction overrides, smuggled tags."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_JOINERS: Final = "\u200c\u200d"  # Persian and emoji need them
_SMUGGLERS: Final = "\U000e0000"  # tags and supplementary variation selectors begin here
_NONCHARACTERS: Final = 0xFFFE


# What JSON escapes, but for line feeds, tabs, quotes and backslashes.
_ESCAPED: Final = re.compile(r'\\[^nt"\\]')
_DELETE: Final = "\x7f"


def is_clean_json(text: str) -> bool:
    """Whether no string in a JSON text needs scrubbing: far cheaper to ask than each string.

    A text that only looks so (an escaped backslash before a letter) is called unclean as well.
    """
    if "\\" in text and _ESCAPED.search(text):
        return False
    if text.isascii():
        return _DELETE not in text
    return text.isprintable() and max(text) < _SMUGGLERS


def scrub(text: str) -> str:
    """Return the text as well-formed Unicode, no invisible characters, every space a plain one.

    Line breaks and tabs stay; a lone surrogate becomes U+FFFD.
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
    # Unassigned is only unknown to this Python: a newer emoji, say.
    is_unknown = (
        category == "Cn" and ord(char) & _NONCHARACTERS != _NONCHARACTERS and char < _SMUGGLERS
    )
    return char if is_unknown and not "\ufdd0" <= char <= "\ufdef" else ""
