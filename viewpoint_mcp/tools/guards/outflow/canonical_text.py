"""The canonical form in which texts are compared: letters and digits only, in one case.

So another case, other separators and other white space make no difference.
"""

from __future__ import annotations

import re
import string
import unicodedata
from typing import Final

_NOT_ALPHANUMERIC: Final = re.compile(r"[\W_]+")
_DELETED: Final = bytes(each for each in range(128) if not chr(each).isalnum())
_EDGES: Final = string.whitespace + string.punctuation
# What snapshots add to the text of a page: `- heading "Inbox" [level=1] [ref=e2]:`
_ATTRIBUTES: Final = re.compile(
    r"\[(?:ref|level|cursor|box|active|checked|selected|expanded|disabled|required|hidden|pressed)"
    r"[^\]\n]{0,200}\]"
)
_ROLES: Final = re.compile(r"\n *- (?:<[a-z]+> )?[a-z]+(?= \"|:)")
_HEADINGS: Final = re.compile(r"\n### .*")


def canonicalize(text: str) -> str:
    """Return the letters and digits of a text, in lower case."""
    if text.isascii():
        return text.lower().encode().translate(None, _DELETED).decode()
    return _NOT_ALPHANUMERIC.sub("", unicodedata.normalize("NFKC", text).casefold())


def remove_snapshot_marks(text: str) -> str:
    """Return the text of a reply without what snapshots add to the words of a page."""
    text = _ATTRIBUTES.sub(" ", text)
    return _ROLES.sub("\n", _HEADINGS.sub("\n", text))


def find_original(text: str, canonical: str, start: int, length: int) -> str:
    """Return the part of a text whose canonical form is `canonical[start:start + length]`.

    Args:
        text: The original text.
        canonical: Its canonical form.
        start: The first character of the part in the canonical form.
        length: The number of characters of the part in the canonical form.
    """
    first = _find_position(text, start)
    last = _find_position(text, start + length)
    return text[first:last].strip(_EDGES) or canonical[start : start + length]


def _find_position(text: str, count: int) -> int:
    """Return the length of the longest start of a text with this many canonical characters."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if len(canonicalize(text[:middle])) <= count:
            low = middle
        else:
            high = middle - 1
    return low
