"""Removal of invisible characters: controls, direction overrides, tag characters.

Texts of pages lose them where they are read (`remove_invisible`). In a reply, which may contain a
text that nothing has read this way, the remaining ones become escapes (`escape_invisible`).
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_JOINERS: Final = "\u200c\u200d"  # Persian text and emoji need these characters.
_FIRST_TAG_CHARACTER: Final = (
    "\U000e0000"  # start of the tags and supplementary variation selectors
)
_NONCHARACTER_BITS: Final = 0xFFFE

# Python calls these printable, but they are painted as nothing: fillers, and all but the first two
# of several joiners and variation selectors, because no script and no emoji has three in a row.
_PAINTED_AS_NOTHING: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\uffa0]"
    "|(?<=[\u200c\u200d\ufe00-\ufe0f]{2})[\u200c\u200d\ufe00-\ufe0f]+"
)
# A carriage return before a line feed, soft hyphens and characters for private use stay: they are
# frequent in ordinary text, and neither reorder nor hide other text.
_ESCAPED: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\ud800-\udfff\ufeff\ufff0-\ufffb\ufffe\uffff\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
    f"|\r(?!\n)|{_PAINTED_AS_NOTHING.pattern}"
)

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
    return _is_clean(json_text)


def remove_invisible(text: str) -> str:
    """Return a text as well-formed Unicode without invisible characters.

    Each space character becomes an ASCII space. Line feeds, tabs and joiners stay. A lone
    surrogate becomes U+FFFD.
    """
    if text.isprintable() and (text.isascii() or _is_clean(text)):
        return text
    return _PAINTED_AS_NOTHING.sub("", "".join(map(_replace_if_invisible, text)))


def escape_invisible(text: str) -> str:
    r"""Return a text with a JSON escape for each invisible character, such as `\u202e`.

    Line breaks (`\n` and `\r\n`), tabs and spaces of all kinds stay. In JSON, the escapes mean the
    same characters. A second call changes nothing.
    """
    if text.isascii() and text.replace("\n", " ").isprintable():  # 20 times as fast as the pattern
        return text
    return _ESCAPED.sub(_escape, text)


def _is_clean(text: str) -> bool:
    return (
        text.isprintable()
        and max(text, default="") < _FIRST_TAG_CHARACTER
        and _PAINTED_AS_NOTHING.search(text) is None
    )


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


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
