"""Values that the agent may use by their names and is never shown: what is masked, and how.

A help against accidents, no wall: a page or a script that spells a value backwards is not seen
through, nor are the pixels of a picture.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Final

from msgspec import Struct, field

_SHORTEST = 4
"""Characters. To mask what is shorter would leave nothing readable: `1` is in half of all refs."""
_LEAST_CUT = 6  # characters of a value beside the "…" of a cut text that give it away
_CUT = "…"
# Stays as it is: an element could not be named whose number is a PIN.
_REF = r"\[ref=[cpfe\d]+\]"
_LINE = re.compile(
    r"""^[ \t]*(?:export[ \t]+)?(?P<name>[\w.-]+)[ \t]*=[ \t]*(?:
        "(?P<double>(?:\\"|[^"])*)" | '(?P<single>[^']*)' | `(?P<tick>[^`]*)`
        | (?P<bare>[^\r\n]*?)
    )[ \t]*(?:(?<!\S)\#[^\r\n]*)?$""",
    re.MULTILINE | re.VERBOSE,
)
_BLANKS = r"(?:\s|\\++[nrt]|\+|%20|%0[9AaDd]|&nbsp;|&#\d\d?;)+"
_SLASHES = r"(?:(?<!\\)\\++)?+"  # as strings in scripts and JSON have them, JSON in JSON more
_DOUBLED = "'\""  # by YAML, SQL and CSV
_RUN = re.compile(r"\\+|'+|\"+|.", re.DOTALL)


class Secrets(Struct, frozen=True, dict=True):
    """Names and the values they stand for.

    Args:
        values: By name; none is told by `repr`.
    """

    values: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return "Secrets(...)"

    @classmethod
    def parse(cls, text: str) -> Secrets:
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
        return cls(found)

    def value(self, text: str) -> str:
        """Return what a name stands for; any other text as it is."""
        return self.values.get(text, text)

    def mask(self, text: str) -> str:
        """Return the text with `<secret>NAME</secret>` for each value, however it is written."""
        if self._pattern is None:
            return text
        text = self._pattern.sub(self._named, text)
        return self._mask_cut(text) if _CUT in text else text

    def _named(self, found: re.Match[str]) -> str:
        if found.lastindex is None:
            return found[0]  # a ref
        return _tag(self._by_length[found.lastindex - 1][0])

    def _mask_cut(self, text: str) -> str:
        """Mask what is left of a value where a text was cut."""
        *before, last = text.split(_CUT)
        first, *after = [*map(self._mask_end, before), last]
        return _CUT.join([first, *map(self._mask_start, after)])

    def _mask_end(self, text: str) -> str:
        length, name = max((_ending(text, value), name) for name, value in self._by_length)
        return f"{text[:-length]}{_tag(name)}" if length >= _LEAST_CUT else text

    def _mask_start(self, text: str) -> str:
        length, name = max((_beginning(text, value), name) for name, value in self._by_length)
        return f"{_tag(name)}{text[length:]}" if length >= _LEAST_CUT else text

    @cached_property
    def _by_length(self) -> list[tuple[str, str]]:
        """Names and values, longest first: where one begins with another, the longer is meant."""
        masked = ((name, value) for name, value in self.values.items() if _is_masked(value))
        return sorted(masked, key=lambda secret: -len(secret[1]))

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        groups = "|".join(f"({_spelled(value)})" for _, value in self._by_length)
        return re.compile(f"{_REF}|{groups}") if groups else None

    @property
    def unmasked(self) -> list[str]:
        """The names whose values are too short to be masked."""
        return [name for name, value in self.values.items() if value and not _is_masked(value)]


def _is_masked(value: str) -> bool:
    return len("".join(value.split())) >= _SHORTEST


NO_SECRETS: Final = Secrets()


def _value(line: re.Match[str]) -> str:
    if line["double"] is not None:
        return line["double"].replace(r"\n", "\n").replace(r"\r", "\r")
    for kind in ("single", "tick"):
        if line[kind] is not None:
            return str(line[kind])
    return re.split(r"(?:^|\s)#", str(line["bare"]), maxsplit=1)[0].strip()


def _spelled(value: str) -> str:
    """A pattern for the value as pages, addresses, JSON, YAML and HTML write it, in any mixture.

    It takes runs of backslashes and quotes at once and never gives one back, for a page may have
    many thousands of them.
    """
    words = (_RUN.finditer(word) for word in value.split())
    return _BLANKS.join("".join(_letters(run[0]) for run in word) for word in words)


def _letters(run: str) -> str:
    """A pattern for a letter, or for the same backslash or quote several times."""
    letter = run[0]
    if letter.isalnum() and letter.isascii():
        return letter
    code = ord(letter)
    octets = "".join(f"%{byte:02x}" for byte in letter.encode("utf-8", "surrogatepass"))
    coded = f"(?i:{_units(letter)}|&#(?:0*{code}|x0*{code:x});|{octets})"
    if letter == "\\":
        return rf"(?:{_SLASHES}{coded}|(?<!\\)\\++){{1,{4 * len(run)}}}+"
    entity = _entity(code)
    named = f"&{entity};|" if entity else ""
    ways = f"{_SLASHES}(?:{named}{coded}|{re.escape(letter)})"
    return f"(?:{ways}){{{len(run)},{2 * len(run)}}}+" if letter in _DOUBLED else ways


def _entity(code: int) -> str | None:
    """The name that HTML has for a letter."""
    from html.entities import codepoint2name

    return "apos" if code == ord("'") else codepoint2name.get(code)


def _units(letter: str) -> str:
    """A pattern for a letter as JSON escapes it, without the backslash before it."""
    octets = letter.encode("utf-16-be", "surrogatepass").hex()
    return _SLASHES.join(f"u{octets[at : at + 4]}" for at in range(0, len(octets), 4))


def _ending(text: str, value: str) -> int:
    """How many characters of the value's beginning, or from its middle, the text ends with."""
    if text in value:
        return len(text)
    tail, start = text[-len(value) :], value[:_LEAST_CUT]
    at = tail.find(start)
    while at >= 0 and not value.startswith(tail[at:]):
        at = tail.find(start, at + 1)
    return len(tail) - at if at >= 0 else 0


def _beginning(text: str, value: str) -> int:
    """How many characters of the value's end the text begins with."""
    return _ending(text[: len(value)][::-1], value[::-1])


def _tag(name: str) -> str:
    return f"<secret>{name}</secret>"
