"""Splits a text into the steps of typing it: keys, and characters without a key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from viewpoint_mcp.input.keys import Key, key_for_character

_MAX_COMPOSED = 8  # maximum characters that are composed before they are committed

# Scripts that people write with an input method: Hangul, Han, Kana, Bopomofo.
_COMPOSED_TEXT = re.compile(
    r"[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u302f\u3041-\u30fa\u30fc-\u318f\u31a0-\u31ff"
    r"\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]"
    rf"{{1,{_MAX_COMPOSED}}}"
)
# A character with the characters that join it: accents, variation selectors, skin tones, tags,
# joined emoji, the second half of a flag.
_JOINING = r"[\u0300-\u036f\u20d0-\u20ff\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
_CLUSTER = re.compile(rf"[\U0001f1e6-\U0001f1ff]{{2}}|.(?:{_JOINING}|\u200d.)*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TypingStep:
    """One step of typing.

    Attributes:
        text: The text that the step adds.
        key: The key that types it; None if no key does.
        is_composed: Whether an input method composes it.
    """

    text: str
    key: Key | None = None
    is_composed: bool = False


def split_into_typing_steps(text: str) -> Iterator[TypingStep]:
    """Yield the steps that type a text.

    Args:
        text: Any text. Each line end, of any kind, is one step.
    """
    lines = text.replace("\r\n", "\n")
    position = 0
    while position < len(lines):
        phrase = _COMPOSED_TEXT.match(lines, position)
        cluster = phrase or _CLUSTER.match(lines, position)
        assert cluster is not None  # any character is a cluster
        step_text = cluster[0]
        yield TypingStep(step_text, key_for_character(step_text), phrase is not None)
        position += len(step_text)
