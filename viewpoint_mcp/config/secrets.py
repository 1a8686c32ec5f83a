"""Secrets, which the agent uses by their names, and the masking of their values in replies.

Masking prevents accidents, not attacks. It does not find a value that a page or a script spells
backwards, or one in the pixels of an image.

Functions import `cdp_protocol.sanitize` when they need it. A server without secrets can therefore
answer `initialize` before that package is imported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from viewpoint_mcp.errors import CallError

_MIN_MASKED_PART = 6  # characters of a value next to the "…" of a truncated text that are masked
_TRUNCATION_MARK = "…"
_PLACEHOLDER_START = "<secret>"
_ESCAPED_PLACEHOLDER_START = r"\u003csecret>"  # the same text in JSON
# Never masked. Otherwise a PIN that equals an element's number would destroy its ref.
_REF = r"\[ref=[cpfe\d]+\]"


class Secrets(Struct, frozen=True, dict=True):
    """The secrets of a server.

    Args:
        values: The values by name. `repr` shows none of them.
    """

    values: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return "Secrets(...)"

    @classmethod
    def parse(cls, text: str) -> Secrets:
        r"""Parse a dotenv file: lines of NAME=VALUE, with quotes, comments and `export`.

        Within double quotes, \n and \r are line ends. As in dotenv, these are the only escapes.

        Raises:
            ValueError: A line is malformed. The message has its number, but not its content.
        """
        from cdp_protocol.sanitize.dotenv import parse_dotenv

        return cls(parse_dotenv(text))

    def get_value_or_same_text(self, name_or_text: str) -> str:
        """Return the value of a secret, or the text itself if it is not the name of one."""
        return self.values.get(name_or_text, name_or_text)

    def mask_values(self) -> dict[str, str]:
        """Return the names, each with a placeholder instead of the value."""
        return dict.fromkeys(self.values, "<masked>")

    def mask(self, text: str) -> str:
        """Replace each value in a text by `<secret>NAME</secret>`.

        Values are also found in the encodings of URLs, JSON, YAML and HTML. Part of a value is
        replaced where the text was truncated with "…".
        """
        if self._pattern is None:
            return text
        text = self._pattern.sub(self._replace_match, text)
        return self._mask_truncated(text) if _TRUNCATION_MARK in text else text

    def escape_and_mask(self, text: str) -> str:
        """Mask a reply, after escaping what looks like a placeholder, because a page wrote it.

        Without secrets no reply has placeholders, so the text stays as it is.
        """
        if self._pattern is None:
            return text
        return self.mask(text.replace(_PLACEHOLDER_START, _ESCAPED_PLACEHOLDER_START))

    def _replace_match(self, match: re.Match[str]) -> str:
        if match.lastindex is None:
            return match[0]  # A ref is not masked.
        return _make_placeholder(self._maskable_longest_first[match.lastindex - 1][0])

    def _mask_truncated(self, text: str) -> str:
        """Mask partial values next to each "…" of a text."""
        *before, last = text.split(_TRUNCATION_MARK)
        first, *after = [*map(self._mask_partial_value_at_end, before), last]
        return _TRUNCATION_MARK.join([first, *map(self._mask_partial_value_at_start, after)])

    def _mask_partial_value_at_end(self, text: str) -> str:
        length, name = max(
            (_measure_partial_value_at_end(text, value), name)
            for name, value in self._maskable_longest_first
        )
        return f"{text[:-length]}{_make_placeholder(name)}" if length >= _MIN_MASKED_PART else text

    def _mask_partial_value_at_start(self, text: str) -> str:
        length, name = max(
            (_measure_partial_value_at_start(text, value), name)
            for name, value in self._maskable_longest_first
        )
        return f"{_make_placeholder(name)}{text[length:]}" if length >= _MIN_MASKED_PART else text

    @cached_property
    def _maskable_longest_first(self) -> list[tuple[str, str]]:
        """Names and values, longest first, so that a value has priority over a part of it."""
        if not self.values:
            return []
        from cdp_protocol.sanitize.secret_value_patterns import is_long_enough_to_mask

        masked = (
            (name, value) for name, value in self.values.items() if is_long_enough_to_mask(value)
        )
        return sorted(masked, key=lambda secret: -len(secret[1]))

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        if not self._maskable_longest_first:
            return None
        from cdp_protocol.sanitize.secret_value_patterns import pattern_for_any_value

        return re.compile(
            f"{_REF}|{pattern_for_any_value(value for _, value in self._maskable_longest_first)}"
        )

    @property
    def unmaskable_names(self) -> list[str]:
        """The names of secrets whose values are too short to be masked."""
        masked = {name for name, _ in self._maskable_longest_first}
        return [name for name, value in self.values.items() if value and name not in masked]


NO_SECRETS: Final = Secrets()


def read_secrets(path_or_values: str | Mapping[str, object]) -> Secrets:
    """Return the secrets of a dotenv file, or those in a configuration file.

    Args:
        path_or_values: The path of a dotenv file, or an object of names and values.

    Raises:
        CallError: The dotenv file cannot be read or is malformed.
        TypeError: A value in the configuration file is an object or an array.
    """
    if isinstance(path_or_values, Mapping):
        if any(isinstance(value, (dict, list)) for value in path_or_values.values()):
            raise TypeError
        return Secrets(
            {name: str(value) for name, value in path_or_values.items() if value is not None}
        )
    try:
        return Secrets.parse(Path(path_or_values).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CallError(f"Cannot read {path_or_values}: {reason}.") from None


def _make_placeholder(name: str) -> str:
    from cdp_protocol.sanitize.secret_value_patterns import secret_placeholder

    return secret_placeholder(name)


def _measure_partial_value_at_end(text: str, value: str) -> int:
    """Return how many characters at the end of a text are the beginning of a value.

    All of them count if the whole text is a part of the value.
    """
    if text in value:
        return len(text)
    tail, start = text[-len(value) :], value[:_MIN_MASKED_PART]
    at = tail.find(start)
    while at >= 0 and not value.startswith(tail[at:]):
        at = tail.find(start, at + 1)
    return len(tail) - at if at >= 0 else 0


def _measure_partial_value_at_start(text: str, value: str) -> int:
    """Return how many characters at the beginning of a text are the end of a value."""
    return _measure_partial_value_at_end(text[: len(value)][::-1], value[::-1])
