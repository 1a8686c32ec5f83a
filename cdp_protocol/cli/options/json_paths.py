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
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    ">": lambda found, wanted: found > wanted,
    ">=": lambda found, wanted: found >= wanted,
    "<": lambda found, wanted: found < wanted,
    "<=": lambda found, wanted: found <= wanted,
}


def values_at(value: Any, path: str) -> Iterator[Any]:
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
    for each in _select_members_by_name(value, name):
        yield from values_at(each, rest)


def _select_members_by_name(value: Any, name: str) -> list[Any]:
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
    expected: str = ""
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
                    f'"{text}" is not a condition. Use path=value, path~regex, path>=number, a path'
                    " alone if it must exist, or ~regex for any text; != and !~ negate."
                )
            return cls(text.strip())
        path, operator, expected = match.group("path", "operator", "wanted")
        if operator in _COMPARISONS and _parse_number(expected) is None:
            raise ValueError(f'"{expected}" in "{text}" is not a number, which {operator} needs.')
        try:
            pattern = re.compile(expected) if "~" in operator else None
        except re.error as error:
            raise ValueError(f'"{expected}" is not a regular expression: {error}.') from None
        return cls(path, operator, expected, pattern)

    def holds(self, params: Any) -> bool:
        """Return whether the condition holds for the parameters of an event."""
        values = list(values_at(params, self.path))
        if self.operator.startswith("!"):
            return not any(map(self._matches, values))
        return any(map(self._matches, values))

    def _matches(self, value: Any) -> bool:
        if self.pattern is not None:
            return self.pattern.search(to_text(value)) is not None
        if self.operator in _COMPARISONS:
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            expected = _parse_number(self.expected)
            return (
                is_number and expected is not None and _COMPARISONS[self.operator](value, expected)
            )
        return not self.operator or to_text(value) == self.expected


def to_text(value: Any) -> str:
    """Return a value as text: a string unchanged, any other value as JSON."""
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _parse_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
