"""Similarity of commands, and the random parts in which they differ: tokens, ports."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from cdp_protocol.recording.secret_patterns import MASK
from cdp_protocol.wire.json_codec import encode

if TYPE_CHECKING:
    from cdp_protocol.recording.recorded_steps import RecordedCommand

MIN_SIMILARITY: Final = 0.6
"""Minimum similarity of two commands that are treated as the same."""

SIMILARITY_MARGIN: Final = 0.02
"""Smaller differences of similarity are ignored."""

MAX_COMPARED: Final = 200
"""Maximum number of commands that are compared for similarity."""

_WORDS = re.compile(r"([A-Za-z0-9]+)")
# In characters. Longer texts are scripts, in which random parts are not searched.
_MAX_SEARCHED_LENGTH = 4096
_RANDOM_SIMILARITY = 0.9  # similarity of texts that differ only in random parts
_FILE_PATH = re.compile(r"(?:[A-Za-z]:[\\/]|/)[^\x00-\x1f<>{}]*")


class LearnedReplacements:
    """Random texts of the recording, each with the text that the client uses instead."""

    def __init__(self) -> None:
        self._client_by_recorded: dict[str, str] = {}
        self._recorded_by_client: dict[str, str] = {}

    def learn(self, recorded: Any, sent: Any) -> None:
        """Store the random texts in which two values differ.

        Args:
            recorded: The recorded parameters.
            sent: The parameters that the client sent.
        """
        for old, new in random_differences(recorded, sent):
            if old not in self._client_by_recorded and new not in self._recorded_by_client:
                self._client_by_recorded[old], self._recorded_by_client[new] = new, old

    def recorded_to_client(self, value: Any) -> Any:
        """Return a recorded value in which the client's texts replace the recorded ones."""
        return (
            _replace_in_value(value, self._client_by_recorded)
            if self._client_by_recorded
            else value
        )

    def client_to_recorded(self, value: Any) -> Any:
        """Return a value from the client in which recorded texts replace the client's ones."""
        return (
            _replace_in_value(value, self._recorded_by_client)
            if self._recorded_by_client
            else value
        )


def similarity(recorded: Any, sent: Any) -> float:
    """Return the similarity of two JSON values, from 0 (different) to 1 (equal)."""
    if recorded == sent:
        return 1.0
    if isinstance(recorded, str) and isinstance(sent, str):
        return _text_similarity(recorded, sent)
    if isinstance(recorded, Mapping) and isinstance(sent, Mapping):
        keys = recorded.keys() | sent.keys()
        pairs = [(recorded.get(key), sent.get(key)) for key in keys]
        return sum(similarity(*pair) for pair in pairs) / len(pairs)
    if isinstance(recorded, list) and isinstance(sent, list):
        length = max(len(recorded), len(sent))
        alike = (similarity(*pair) for pair in zip(recorded, sent, strict=False))
        return sum(alike) / length
    if isinstance(recorded, bool) or isinstance(sent, bool):
        return 0.0
    if isinstance(recorded, int | float) and isinstance(sent, int | float):
        return 0.5
    return 0.0


def find_most_similar(
    commands: Iterable[RecordedCommand], params: Any
) -> tuple[float, RecordedCommand | None]:
    """Return the best similarity, and the first of the commands with it.

    The command is None if none is similar enough.
    """
    best_score, best_command = 0.0, None
    for command in commands:
        score = similarity(command.params, params)
        if score >= MIN_SIMILARITY and score > best_score + SIMILARITY_MARGIN:
            best_score, best_command = score, command
    return best_score, best_command


def describe_nearest_command(
    commands_by_method: Mapping[str, Sequence[RecordedCommand]],
    session: str,
    method: str,
    params: Any,
) -> str:
    """Return a sentence about the recorded command that is nearest to an unknown one.

    It begins with a space. Return "" if no method is similar.
    """
    if method not in commands_by_method:
        similar_methods = difflib.get_close_matches(method, commands_by_method, n=1)
        return f" The nearest is {similar_methods[0]}." if similar_methods else ""
    nearest = max(
        commands_by_method[method], key=lambda command: similarity(command.params, params)
    )
    session_note = "" if nearest.session == session else " in another session"
    note = ", which was already sent" if nearest.has_arrived and not session_note else ""
    text = encode(nearest.params).decode()
    text = f"{text[:150]}…" if len(text) > 150 else text
    return f" The nearest, at {nearest.time:.3f} s{session_note}: {text}{note}"


def random_differences(recorded: Any, sent: Any) -> Iterator[tuple[str, str]]:
    """Yield the random texts in which two JSON values differ, as pairs (recorded, sent).

    Args:
        recorded: The recorded value.
        sent: The value that the client sent.
    """
    if isinstance(recorded, str) and isinstance(sent, str):
        if recorded != sent:
            yield from _differing_random_parts(recorded, sent) or ()
    elif isinstance(recorded, Mapping) and isinstance(sent, Mapping):
        for key in recorded.keys() & sent.keys():
            yield from random_differences(recorded[key], sent[key])
    elif isinstance(recorded, list) and isinstance(sent, list):
        for pair in zip(recorded, sent, strict=False):
            yield from random_differences(*pair)


def _text_similarity(recorded: str, sent: str) -> float:
    if MASK in recorded:
        return 1.0 if _matches_masked_text(recorded, sent) else 0.0
    if _differing_random_parts(recorded, sent):
        return _RANDOM_SIMILARITY
    longest = max(len(recorded), len(sent))
    common_length = _common_prefix_length(recorded, sent)
    common_length += _common_prefix_length(
        recorded[common_length:][::-1], sent[common_length:][::-1]
    )
    # Different short texts have different meanings, but a script with a small change usually does
    # the same.
    return common_length / longest * (1.0 if longest > _MAX_SEARCHED_LENGTH else 0.5)


def _matches_masked_text(recorded: str, sent: str) -> bool:
    """Return whether a text matches a masked text, in which each mask stands for any text.

    A text of many asterisks contains many masks, for which a regular expression would be slow.
    """
    first, *between, last = recorded.split(MASK)
    position, end = len(first), len(sent) - len(last)
    if position > end or not (sent.startswith(first) and sent.endswith(last)):
        return False
    for piece in between:
        if (found := sent.find(piece, position, end)) < 0:
            return False
        position = found + len(piece)
    return True


def _differing_random_parts(recorded: str, sent: str) -> list[tuple[str, str]] | None:
    """Return the pairs of pieces that differ, or None if any of them does not look random."""
    if max(len(recorded), len(sent)) > _MAX_SEARCHED_LENGTH:
        return None
    if _FILE_PATH.fullmatch(recorded) and _FILE_PATH.fullmatch(sent):
        return [(recorded, sent)]
    old, new = _WORDS.split(recorded), _WORDS.split(sent)
    if len(old) != len(new):
        return None
    pairs = [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]
    return pairs if all(_looks_random(a) and _looks_random(b) for a, b in pairs) else None


def _looks_random(word: str) -> bool:
    """Return whether a word looks like a token, an id, a port or a time."""
    return len(word) >= 4 and any(map(str.isdigit, word))


def _common_prefix_length(first: str, second: str) -> int:
    """Return the length of the common prefix of two texts."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[:middle] == second[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _replace_in_value(value: Any, replacements: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return _replace_in_text(value, replacements)
    if isinstance(value, list):
        return [_replace_in_value(each, replacements) for each in value]
    if isinstance(value, dict):
        return {key: _replace_in_value(each, replacements) for key, each in value.items()}
    return value


def _replace_in_text(text: str, replacements: Mapping[str, str]) -> str:
    for old, new in replacements.items():
        if old in text:
            # Parts of longer words are not replaced. The text may be the beginning of a path.
            whole = rf"(?<![A-Za-z0-9]){re.escape(old)}(?![A-Za-z0-9])"
            text = re.sub(whole, new.replace("\\", r"\\"), text)
    return text
