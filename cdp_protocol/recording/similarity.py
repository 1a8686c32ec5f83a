"""How alike two commands are, and what differs between them by chance: tokens, ports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from cdp_protocol.recording.secret_patterns import MASK

ALIKE: Final = 0.6
"""What two commands need to be taken for the same."""

_WORDS = re.compile(r"([A-Za-z0-9]+)")
_LONG = 4096  # characters; what is longer is a script, in which nothing is learned
_BY_CHANCE = 0.9
_PATH = re.compile(r"(?:[A-Za-z]:[\\/]|/)[^\x00-\x1f<>{}]*")


class Learned:
    """Which texts of the recording are which texts of this client."""

    def __init__(self) -> None:
        self._now: dict[str, str] = {}
        self._then: dict[str, str] = {}

    def learn(self, recorded: Any, said: Any) -> None:
        """Take note of what differs by chance between two parameters."""
        for old, new in differences(recorded, said):
            if old not in self._now and new not in self._then:
                self._now[old], self._then[new] = new, old

    def now(self, value: Any) -> Any:
        """Return a recorded value with what this client says instead."""
        return _replaced(value, self._now) if self._now else value

    def then(self, value: Any) -> Any:
        """Return what this client said with what was said in the recording instead."""
        return _replaced(value, self._then) if self._then else value


def likeness(recorded: Any, said: Any) -> float:
    """How alike two values are, from 0 to 1."""
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
    """Yield the texts that differ by chance: as recorded, and as said now."""
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
    # Words that differ mean something else; a script that is a little different does the same.
    return same / longest * (1.0 if longest > _LONG else 0.5)


def _fits_around_masks(recorded: str, said: str) -> bool:
    """Whether a text has what was not left out of another; what was may have been anything.

    No regular expression, for a banner of stars is many masks.
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
    """The pieces that differ, if all of them look as if chance had made them."""
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
    """Whether a word is a token, an id, a port, a time."""
    return len(word) >= 4 and any(map(str.isdigit, word))


def _common(one: str, other: str) -> int:
    """The length of the beginning that two texts share."""
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
            # No part of a longer word; a path may go on.
            whole = rf"(?<![A-Za-z0-9]){re.escape(old)}(?![A-Za-z0-9])"
            text = re.sub(whole, new.replace("\\", r"\\"), text)
    return text
