"""Patterns that find known secret values in any encoding, and the placeholder that masks them.

Masking prevents accidents and is not a security boundary. It misses a value that a page or script
writes backwards, and a value in the pixels of an image.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

MIN_MASKED_LENGTH: Final = 4
"""Minimum characters of a masked value. Masking shorter ones, such as `1`, would ruin any text."""

_BLANK_PATTERN = r"(?:\s|\\++[nrt]|\+|%20|%0[9AaDd]|&nbsp;|&#(?:9|10|13|32|160);)"
_ENCODED_BLANK_STARTS = tuple("\\+%&")  # first characters of an encoded blank
_MAX_BLANKS = 16
_BACKSLASHES_PATTERN = r"(?:(?<!\\)\\++)?+"  # escapes of scripts and JSON; nested JSON has more
_DOUBLED_QUOTES = "'\""  # YAML, SQL and CSV write these quotes twice
_RUN = re.compile(r"\\+|'+|\"+|.", re.DOTALL)


def is_long_enough_to_mask(value: str) -> bool:
    """Return whether a value, without its whitespace, is long enough to be masked."""
    return len("".join(value.split())) >= MIN_MASKED_LENGTH


def pattern_for_any_value(values: Iterable[str]) -> str:
    """Return a pattern for any of the values, with one group per value in order; "" for none."""
    return "|".join(f"({pattern_for_value(value)})" for value in values)


def secret_placeholder(name: str) -> str:
    """Return the text that replaces a masked value."""
    return f"<secret>{name}</secret>"


def pattern_for_value(value: str) -> str:
    """Return a pattern for a value as pages, URLs, JSON, YAML and HTML write it, in any mixture.

    The pattern matches runs of blanks, backslashes and quotes without backtracking, because a page
    may contain many thousands of them.
    """
    first, *rest = value.split() or [""]
    pattern = _pattern_for_word(first)
    for word in rest:
        # The word may begin like an encoded blank. Then the run of blanks must backtrack.
        repetition = f"{{1,{_MAX_BLANKS}}}" if word.startswith(_ENCODED_BLANK_STARTS) else "++"
        pattern += f"{_BLANK_PATTERN}{repetition}{_pattern_for_word(word)}"
    return pattern


def longest_alphanumeric_part(value: str) -> str:
    """Return the longest part of a value that no encoding changes, in lower case; may be ""."""
    return max(re.findall(r"[a-z0-9]+", value.lower()), key=len, default="")


def _pattern_for_word(word: str) -> str:
    return "".join(_pattern_for_character_run(run[0]) for run in _RUN.finditer(word))


def _pattern_for_character_run(run: str) -> str:
    """Return a pattern for one character, or for a run of the same backslash or quote."""
    character = run[0]
    if character.isalnum() and character.isascii():
        return character
    code = ord(character)
    octets = "".join(f"%{byte:02x}" for byte in character.encode("utf-8", "surrogatepass"))
    encoded = f"(?i:{_pattern_for_json_escape(character)}|&#(?:0*{code}|x0*{code:x});|{octets})"
    # Atomic groups: Python before 3.11.5 mishandles a possessive quantifier on a group that
    # backtracks (gh-106052).
    if character == "\\":
        return rf"(?>(?:{_BACKSLASHES_PATTERN}{encoded}|(?<!\\)\\++){{1,{4 * len(run)}}})"
    entity = _html_entity_name(code)
    named = f"&{entity};|" if entity else ""
    pattern = f"{_BACKSLASHES_PATTERN}(?:{named}{encoded}|{re.escape(character)})"
    return (
        f"(?>(?:{pattern}){{{len(run)},{2 * len(run)}}})"
        if character in _DOUBLED_QUOTES
        else pattern
    )


def _html_entity_name(code: int) -> str | None:
    """Return the name of the HTML entity for a character; None if it has none."""
    from html.entities import codepoint2name

    return "apos" if code == ord("'") else codepoint2name.get(code)


def _pattern_for_json_escape(character: str) -> str:
    """Return a pattern for the JSON escape of a character, without its first backslash."""
    octets = character.encode("utf-16-be", "surrogatepass").hex()
    return _BACKSLASHES_PATTERN.join(
        f"u{octets[index : index + 4]}" for index in range(0, len(octets), 4)
    )
