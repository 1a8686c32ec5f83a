"""Paths into JSON values, and the conditions of `--where` on the values at a path."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

_CONDITION = re.compile(
    r"(?P<path>[^\s=~<>!]*)\s*(?P<operator>!=|!~|>=|<=|=|~|>|<)\s*(?P<wanted>.*)", re.DOTALL
)
_COMPARED: dict[str, Callable[[float, float], bool]] = {
    ">": lambda found, wanted: found > wanted,
    ">=": lambda found, wanted: found >= wanted,
    "<": lambda found, wanted: found < wanted,
    "<=": lambda found, wanted: found <= wanted,
}


def found_at(value: Any, path: str) -> Iterator[Any]:
    """Yield the values at a path, in the order of the JSON.

    Args:
        value: The JSON value to search.
        path: Names and indexes separated by dots: "request.url", "args.0.value". An asterisk stands
            for all members: "args.*.value". "" is the value itself.
    """
    if not path:
        yield value
        return
    name, _, rest = path.partition(".")
    for each in _members(value, name):
        yield from found_at(each, rest)


def _members(value: Any, name: str) -> list[Any]:
    if isinstance(value, dict):
        if name in value:
            return [value[name]]
        return list(value.values()) if name == "*" else []
    if isinstance(value, list):
        if name == "*":
            return value
        if name.isdecimal() and int(name) < len(value):
            return [value[int(name)]]
    return []


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition: `path=value`, `path~regex`, `path>=number`, or a path that must exist.

    A path may have several values. The condition holds if at least one of them matches. `!=` and
    `!~` hold if none of them equals the value or matches the regular expression.
    """

    path: str
    operator: str = ""
    wanted: str = ""
    pattern: re.Pattern[str] | None = None

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Parse a condition.

        Raises:
            ValueError: The text is not a condition. The message contains the reason.
        """
        match = _CONDITION.fullmatch(text)
        if match is None:
            if not text.strip() or " " in text.strip():
                raise ValueError(
                    f'"{text}" is no condition. Write path=value, path~regex, path>=number, a path'
                    " alone for what has it, or ~regex for any text; != and !~ say the opposite."
                )
            return cls(text.strip())
        path, operator, wanted = match.group("path", "operator", "wanted")
        if operator in _COMPARED and _number(wanted) is None:
            raise ValueError(
                f'"{wanted}" in "{text}" is no number, which {operator} compares with.'
            )
        try:
            pattern = re.compile(wanted) if "~" in operator else None
        except re.error as error:
            raise ValueError(f'"{wanted}" is no regular expression: {error}.') from None
        return cls(path, operator, wanted, pattern)

    def holds(self, params: Any) -> bool:
        """Return whether the condition holds for the parameters of an event."""
        values = list(found_at(params, self.path))
        if self.operator.startswith("!"):
            return not any(map(self._matches, values))
        return any(map(self._matches, values))

    def _matches(self, value: Any) -> bool:
        if self.pattern is not None:
            return self.pattern.search(text_of(value)) is not None
        if self.operator in _COMPARED:
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            wanted = _number(self.wanted)
            return is_number and wanted is not None and _COMPARED[self.operator](value, wanted)
        return not self.operator or text_of(value) == self.wanted


def text_of(value: Any) -> str:
    """Return a value as text: a string unchanged, any other value as JSON."""
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
