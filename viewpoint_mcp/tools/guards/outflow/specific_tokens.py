"""Words that identify their source: mail addresses, numbers, codes and keys.

Names, prices, dates, versions and product names are not specific enough. Pages write the texts, so
each expression takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from viewpoint_mcp.tools.guards.outflow.canonical_text import canonicalize

MIN_LENGTH: Final = 6
"""Letters and digits of the shortest token."""

URL: Final = re.compile(r"\b(?:https?|wss?)://[^\s\"'<>)\]]+|\bwww\.[^\s\"'<>)\]]+")
"""A URL in a text."""

_MIN_MIXED = 10  # letters and digits of a code; product names such as WH-1000XM5 are shorter
_MIN_CODE_DIGITS = 2
_MIN_DISTINCT = 3  # distinct digits of a number
_MIN_LONG_NUMBER = 12  # digits of a number that may have fewer distinct ones
_DATE = re.compile(
    r"\b(?=\d)(?:(?:(?:19|20)\d\d[-./](?:0?[1-9]|1[0-2])[-./][0-3]?\d"
    r"|[0-3]?\d[-./][0-3]?\d[-./](?:19|20)\d\d)(?:[T ]+\d\d[:.]\d\d(?:[:.]\d\d)?)?"
    r"|(?:19|20)\d\d[-–/](?:19|20)?\d\d\b|\d\d:\d\d:\d\d\b)"
)
_VERSION = re.compile(r"\bv?(?=\d)(?:\d{1,4}(?:\.\d{1,5}){3,9}|\d{1,3}\.\d\.\d{1,4})\b")
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+")
_DIGITS = re.compile(r"(?<![\w.,])[+(]{0,2}\d[\d \-–./:()T]{4,60}\d(?!\w)")
_NUMBER = re.compile(r"(?<![\w.,])\+?\(?\d(?:[ \-./()]{0,2}\d){5,30}(?!\w)")
_WORD = re.compile(r"[^\s\"'<>()\[\]{},;:=|?]{7,}")
# IBANs and licence keys are written in groups: GB29 NWBK 6016 1331 9268 19.
_GROUPED = re.compile(r"\b[A-Z0-9]{4,8}(?:[ -][A-Z0-9]{2,8}){2,9}\b")


def find_specific_tokens(text: str) -> Iterator[str]:
    """Yield the specific tokens of a text without URLs, as they are written there."""
    for digits in _DIGITS.findall(text):
        for number in _NUMBER.findall(_VERSION.sub(" ", _DATE.sub(" ", digits))):
            if _is_specific_number(number):
                yield number
    for word in _WORD.findall(text):
        if "@" in word:
            yield from _EMAIL.findall(word)
        elif _is_specific_word(word) and not (_DATE.search(word) or _VERSION.search(word)):
            yield word
    yield from _find_grouped_codes(text)


def _is_specific_number(number: str) -> bool:
    digits = [*filter(str.isdigit, number)]
    distinct = len({*digits})
    return distinct >= _MIN_DISTINCT or (distinct > 1 and len(digits) >= _MIN_LONG_NUMBER)


def _is_specific_word(word: str) -> bool:
    """Return whether a word is a code: it has many letters and digits, and several digits."""
    canonical = canonicalize(word)
    digits = sum(map(str.isdigit, canonical))
    return len(canonical) >= _MIN_MIXED and _MIN_CODE_DIGITS <= digits < len(canonical)


def _find_grouped_codes(text: str) -> Iterator[str]:
    for code in _GROUPED.findall(text):
        digits = sum(map(str.isdigit, code))
        if (
            digits >= MIN_LENGTH
            and not _DATE.search(code)
            and len(canonicalize(code)) >= _MIN_MIXED
        ):
            yield code
