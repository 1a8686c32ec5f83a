"""Similarity of two commands, and the random parts in which they differ: tokens, ports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from cdp_protocol.recording.secret_patterns import MASK

ALIKE: Final = 0.6
"""Minimum likeness of two commands that are treated as the same."""

_WORDS = re.compile(r"([A-Za-z0-9]+)")
_LONG = 4096  # characters; longer texts are scripts, in which random parts are not searched
_BY_CHANCE = 0.9  # likeness of texts that differ only in random parts
_PATH = re.compile(r"(?:[A-Za-z]:[\\/]|/)[^\x00-\x1f<>{}]*")


class Learned:
    """Random texts of the recording, each with the text that the client uses instead."""

    def __init__(self) -> None:
        self._now: dict[str, str] = {}
        self._then: dict[str, str] = {}

    def learn(self, recorded: Any, said: Any) -> None:
        """Store the random texts in which two values differ.

        Args:
            recorded: The recorded parameters.
            said: The parameters that the client sent.
        """
        for old, new in differences(recorded, said):
            if old not in self._now and new not in self._then:
                self._now[old], self._then[new] = new, old

    def now(self, value: Any) -> Any:
        """Return a recorded value in which the client's texts replace the recorded ones."""
        return _replaced(value, self._now) if self._now else value

    def then(self, value: Any) -> Any:
        """Return a value from the client in which recorded texts replace the client's ones."""
        return _replaced(value, self._then) if self._then else value


def likeness(recorded: Any, said: Any) -> float:
    """Return the similarity of two JSON values, from 0 (different) to 1 (equal)."""
    if recorded == said:
        return 1.0
    if isinstance(recorded, str) and isinstance(said, str):
        return _likeness_of_texts(recorded, said)
    if isinstance(recorded, Mapping) and isinstance(said, Mapping):
        keys = recorded.keys() | said.keys()
        pairs = [(recorded.get(key), said.get(key)) for key in keys]
        return sum(likeness(*pair) for pair in pairs) / len(pairs)
    if isinstance(recorded, list) and isinstance(said, list):
        length = max(len(recorded), len(said))
        alike = (likeness(*pair) for pair in zip(recorded, said, strict=False))
        return sum(alike) / length
    if isinstance(recorded, bool) or isinstance(said, bool):
        return 0.0
    if isinstance(recorded, int | float) and isinstance(said, int | float):
        return 0.5
    return 0.0


def differences(recorded: Any, said: Any) -> Iterator[tuple[str, str]]:
    """Yield the random texts in which two JSON values differ, as pairs (recorded, said).

    Args:
        recorded: The recorded value.
        said: The value that the client sent.
    """
    if isinstance(recorded, str) and isinstance(said, str):
        if recorded != said:
            yield from _chances(recorded, said) or ()
    elif isinstance(recorded, Mapping) and isinstance(said, Mapping):
        for key in recorded.keys() & said.keys():
            yield from differences(recorded[key], said[key])
    elif isinstance(recorded, list) and isinstance(said, list):
        for pair in zip(recorded, said, strict=False):
            yield from differences(*pair)


def _likeness_of_texts(recorded: str, said: str) -> float:
    if MASK in recorded:
        return 1.0 if _fits_around_masks(recorded, said) else 0.0
    if _chances(recorded, said):
        return _BY_CHANCE
    longest = max(len(recorded), len(said))
    same = _common(recorded, said)
    same += _common(recorded[same:][::-1], said[same:][::-1])
    # Different short texts have different meanings, but a script with a small change usually does
    # the same.
    return same / longest * (1.0 if longest > _LONG else 0.5)


def _fits_around_masks(recorded: str, said: str) -> bool:
    """Return whether a text matches a masked text, in which each mask stands for any text.

    A text of many asterisks contains many masks, for which a regular expression would be slow.
    """
    first, *between, last = recorded.split(MASK)
    at, end = len(first), len(said) - len(last)
    if at > end or not (said.startswith(first) and said.endswith(last)):
        return False
    for piece in between:
        if (found := said.find(piece, at, end)) < 0:
            return False
        at = found + len(piece)
    return True


def _chances(recorded: str, said: str) -> list[tuple[str, str]] | None:
    """Return the pairs of pieces that differ, or None if any of them does not look random."""
    if max(len(recorded), len(said)) > _LONG:
        return None
    if _PATH.fullmatch(recorded) and _PATH.fullmatch(said):
        return [(recorded, said)]
    old, new = _WORDS.split(recorded), _WORDS.split(said)
    if len(old) != len(new):
        return None
    pairs = [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]
    return pairs if all(_is_by_chance(a) and _is_by_chance(b) for a, b in pairs) else None


def _is_by_chance(word: str) -> bool:
    """Return whether a word looks like a token, an id, a port or a time."""
    return len(word) >= 4 and any(map(str.isdigit, word))


def _common(one: str, other: str) -> int:
    """Return the length of the common prefix of two texts."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _replaced(value: Any, by: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return _in_text(value, by)
    if isinstance(value, list):
        return [_replaced(each, by) for each in value]
    if isinstance(value, dict):
        return {key: _replaced(each, by) for key, each in value.items()}
    return value


def _in_text(text: str, by: Mapping[str, str]) -> str:
    for old, new in by.items():
        if old in text:
            # Parts of longer words are not replaced. The text may be the beginning of a path.
            whole = rf"(?<![A-Za-z0-9]){re.escape(old)}(?![A-Za-z0-9])"
            text = re.sub(whole, new.replace("\\", r"\\"), text)
    return text
