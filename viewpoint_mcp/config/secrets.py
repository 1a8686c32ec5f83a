"""Values that the agent may use by their names and is never shown: what is masked, and how.

A help against accidents, no wall: a page or a script that spells a value backwards is not seen
through, nor are the pixels of a picture.

Imports `cdp_protocol.sanitize.secrets` only where secrets are configured: a server without secrets
introduces itself before it needs that package.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from viewpoint_mcp.errors import CallError

_LEAST_CUT = 6  # characters of a value beside the "…" of a cut text that give it away
_CUT = "…"
# Stays as it is: an element could not be named whose number is a PIN.
_REF = r"\[ref=[cpfe\d]+\]"


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
        from cdp_protocol.sanitize.secrets import parse

        return cls(parse(text))

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
        if not self.values:
            return []
        from cdp_protocol.sanitize.secrets import is_masked

        masked = ((name, value) for name, value in self.values.items() if is_masked(value))
        return sorted(masked, key=lambda secret: -len(secret[1]))

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        if not self._by_length:
            return None
        from cdp_protocol.sanitize.secrets import any_of

        return re.compile(f"{_REF}|{any_of(value for _, value in self._by_length)}")

    @property
    def unmasked(self) -> list[str]:
        """The names whose values are too short to be masked."""
        masked = {name for name, _ in self._by_length}
        return [name for name, value in self.values.items() if value and name not in masked]


NO_SECRETS: Final = Secrets()


def read_secrets(given: str | Mapping[str, object]) -> Secrets:
    """Read the dotenv file of this name, or take the names and values of a configuration file.

    Raises:
        CallError: The file cannot be read.
        TypeError: The configuration file has something else.
    """
    if isinstance(given, Mapping):
        if any(isinstance(value, (dict, list)) for value in given.values()):
            raise TypeError
        return Secrets({name: str(value) for name, value in given.items() if value is not None})
    try:
        return Secrets.parse(Path(given).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CallError(f"{given} cannot be used: {reason}.") from None


def _tag(name: str) -> str:
    from cdp_protocol.sanitize.secrets import tag

    return tag(name)


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
