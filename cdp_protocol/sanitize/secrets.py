"""Secret values: parses dotenv files, and builds patterns that find the values in any encoding.

Masking prevents accidents and is not a security boundary. It misses a value that a page or script
writes backwards, and a value in the pixels of an image.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

SHORTEST: Final = 4
"""Minimum characters of a masked value. Masking shorter ones, such as `1`, would ruin any text."""

_LINE = re.compile(
    r"""^[ \t]*(?:export[ \t]+)?(?P<name>[\w.-]+)[ \t]*=[ \t]*(?:
        "(?P<double>(?:\\"|[^"])*)" | '(?P<single>[^']*)' | `(?P<tick>[^`]*)`
        | (?P<bare>[^\r\n]*?)
    )[ \t]*(?:(?<!\S)\#[^\r\n]*)?$""",
    re.MULTILINE | re.VERBOSE,
)
_BLANK = r"(?:\s|\\++[nrt]|\+|%20|%0[9AaDd]|&nbsp;|&#(?:9|10|13|32|160);)"
_BLANKLIKE = tuple("\\+%&")  # first characters of an encoded blank
_MOST_BLANKS = 16
_SLASHES = r"(?:(?<!\\)\\++)?+"  # escapes of scripts and JSON; nested JSON has more
_DOUBLED = "'\""  # YAML, SQL and CSV write these quotes twice
_RUN = re.compile(r"\\+|'+|\"+|.", re.DOTALL)


def parse(text: str) -> dict[str, str]:
    r"""Parse the NAME=VALUE lines of a dotenv file, with quotes, comments and `export`.

    As in dotenv, \n and \r in double quotes are line breaks, and no other escapes exist.

    Raises:
        ValueError: A line has another form. The message contains its number, not its content.
    """
    text = text.replace("\r\n", "\n")
    found = {each["name"]: _value(each) for each in _LINE.finditer(text)}
    rest = _LINE.sub(lambda each: "\n" * each[0].count("\n"), text)
    for number, line in enumerate(rest.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            raise ValueError(f"line {number} is not NAME=VALUE")
    return found


def is_masked(value: str) -> bool:
    """Return whether a value, without its whitespace, is long enough to be masked."""
    return len("".join(value.split())) >= SHORTEST


def any_of(values: Iterable[str]) -> str:
    """Return a pattern for any of the values, with one group per value in order; "" for none."""
    return "|".join(f"({spelled(value)})" for value in values)


def tag(name: str) -> str:
    """Return the text that replaces a masked value."""
    return f"<secret>{name}</secret>"


def spelled(value: str) -> str:
    """Return a pattern for a value as pages, URLs, JSON, YAML and HTML write it, in any mixture.

    The pattern matches runs of blanks, backslashes and quotes without backtracking, because a page
    may contain many thousands of them.
    """
    first, *rest = value.split() or [""]
    pattern = _word(first)
    for word in rest:
        # The word may begin like an encoded blank. Then the run of blanks must backtrack.
        few = f"{{1,{_MOST_BLANKS}}}" if word.startswith(_BLANKLIKE) else "++"
        pattern += f"{_BLANK}{few}{_word(word)}"
    return pattern


def core(value: str) -> str:
    """Return the longest part of a value that no encoding changes, in lower case; may be ""."""
    return max(re.findall(r"[a-z0-9]+", value.lower()), key=len, default="")


def _value(line: re.Match[str]) -> str:
    if line["double"] is not None:
        return line["double"].replace(r"\n", "\n").replace(r"\r", "\r")
    for kind in ("single", "tick"):
        if line[kind] is not None:
            return str(line[kind])
    return re.split(r"(?:^|\s)#", str(line["bare"]), maxsplit=1)[0].strip()


def _word(word: str) -> str:
    return "".join(_letters(run[0]) for run in _RUN.finditer(word))


def _letters(run: str) -> str:
    """Return a pattern for one character, or for a run of the same backslash or quote."""
    letter = run[0]
    if letter.isalnum() and letter.isascii():
        return letter
    code = ord(letter)
    octets = "".join(f"%{byte:02x}" for byte in letter.encode("utf-8", "surrogatepass"))
    coded = f"(?i:{_units(letter)}|&#(?:0*{code}|x0*{code:x});|{octets})"
    # Atomic groups: Python before 3.11.5 mishandles a possessive quantifier on a group that
    # backtracks (gh-106052).
    if letter == "\\":
        return rf"(?>(?:{_SLASHES}{coded}|(?<!\\)\\++){{1,{4 * len(run)}}})"
    entity = _entity(code)
    named = f"&{entity};|" if entity else ""
    ways = f"{_SLASHES}(?:{named}{coded}|{re.escape(letter)})"
    return f"(?>(?:{ways}){{{len(run)},{2 * len(run)}}})" if letter in _DOUBLED else ways


def _entity(code: int) -> str | None:
    """Return the name of the HTML entity for a character; None if it has none."""
    from html.entities import codepoint2name

    return "apos" if code == ord("'") else codepoint2name.get(code)


def _units(letter: str) -> str:
    """Return a pattern for the JSON escape of a character, without its first backslash."""
    octets = letter.encode("utf-16-be", "surrogatepass").hex()
    return _SLASHES.join(f"u{octets[at : at + 4]}" for at in range(0, len(octets), 4))
