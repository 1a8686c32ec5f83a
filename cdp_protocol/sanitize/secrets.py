"""Values that nobody is to be shown: read from dotenv files, and found however they are written.

A help against accidents, no wall: a page or a script that spells a value backwards is not seen
through, nor are the pixels of a picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

SHORTEST: Final = 4
"""Characters. To mask what is shorter would leave nothing readable: `1` is in half of all texts."""

_LINE = re.compile(
    r"""^[ \t]*(?:export[ \t]+)?(?P<name>[\w.-]+)[ \t]*=[ \t]*(?:
        "(?P<double>(?:\\"|[^"])*)" | '(?P<single>[^']*)' | `(?P<tick>[^`]*)`
        | (?P<bare>[^\r\n]*?)
    )[ \t]*(?:(?<!\S)\#[^\r\n]*)?$""",
    re.MULTILINE | re.VERBOSE,
)
_BLANK = r"(?:\s|\\++[nrt]|\+|%20|%0[9AaDd]|&nbsp;|&#(?:9|10|13|32|160);)"
_BLANKLIKE = tuple("\\+%&")  # with these a blank of an address or of a script may begin
_MOST_BLANKS = 16
_SLASHES = r"(?:(?<!\\)\\++)?+"  # as strings in scripts and JSON have them, JSON in JSON more
_DOUBLED = "'\""  # by YAML, SQL and CSV
_RUN = re.compile(r"\\+|'+|\"+|.", re.DOTALL)


def parse(text: str) -> dict[str, str]:
    r"""Read lines of NAME=VALUE as dotenv files have them: with quotes, comments, `export`.

    Within double quotes \n and \r are line ends, and nothing else is an escape, as in dotenv.

    Raises:
        ValueError: A line is none of these; its number is told, its content is not.
    """
    text = text.replace("\r\n", "\n")
    found = {each["name"]: _value(each) for each in _LINE.finditer(text)}
    rest = _LINE.sub(lambda each: "\n" * each[0].count("\n"), text)
    for number, line in enumerate(rest.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            raise ValueError(f"line {number} is not NAME=VALUE")
    return found


def is_masked(value: str) -> bool:
    """Whether a value is long enough to be masked."""
    return len("".join(value.split())) >= SHORTEST


def any_of(values: Iterable[str]) -> str:
    """A pattern for any of these values, each in a group, in their order; "" for none."""
    return "|".join(f"({spelled(value)})" for value in values)


def tag(name: str) -> str:
    """What is shown for a value."""
    return f"<secret>{name}</secret>"


def spelled(value: str) -> str:
    """A pattern for the value as pages, addresses, JSON, YAML and HTML write it, in any mixture.

    It takes runs of blanks, backslashes and quotes at once and never gives one back, for a page
    may have many thousands of them.
    """
    first, *rest = value.split() or [""]
    pattern = _word(first)
    for word in rest:
        # What a blank may be written as may also begin the word: then some are given back.
        few = f"{{1,{_MOST_BLANKS}}}" if word.startswith(_BLANKLIKE) else "++"
        pattern += f"{_BLANK}{few}{_word(word)}"
    return pattern


def core(value: str) -> str:
    """The longest piece of a value that no encoding changes, in lower case; may be empty."""
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
    """A pattern for a letter, or for the same backslash or quote several times."""
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
    """The name that HTML has for a letter."""
    from html.entities import codepoint2name

    return "apos" if code == ord("'") else codepoint2name.get(code)


def _units(letter: str) -> str:
    """A pattern for a letter as JSON escapes it, without the backslash before it."""
    octets = letter.encode("utf-16-be", "surrogatepass").hex()
    return _SLASHES.join(f"u{octets[at : at + 4]}" for at in range(0, len(octets), 4))
