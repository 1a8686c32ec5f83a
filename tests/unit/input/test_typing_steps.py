"""Keystrokes with which a person would type a text."""

from __future__ import annotations

import pytest

from viewpoint_mcp.input.typing_steps import split_into_typing_steps


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("aB?", ["a", "B", "?"]),
        ("a\r\nb\n\t", ["a", "\n", "b", "\n", "\t"]),
        ("é", ["é"]),
        ("e\u0301x", ["e\u0301", "x"]),
        ("👩‍👩‍👧🏳️‍🌈👍🏽", ["👩‍👩‍👧", "🏳️‍🌈", "👍🏽"]),
        ("🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]),
        ("שלום", ["ש", "ל", "ו", "ם"]),
        ("日本 한글", ["日本", " ", "한글"]),
        ("日本語日本語日本語", ["日本語日本語日本", "語"]),
        ("", []),
    ],
)
def test_a_text_is_typed_in_steps_that_keep_its_characters_whole(
    text: str, steps: list[str]
) -> None:
    assert [stroke.text for stroke in split_into_typing_steps(text)] == steps


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("a", "key"),
        ("\n", "key"),
        ("é", "insert"),
        ("👍", "insert"),
        ("、", "insert"),
        ("ß", "insert"),
        ("日", "compose"),
        ("か", "compose"),
        ("한", "compose"),
        ("𠮷", "compose"),
    ],
)
def test_a_step_is_a_key_a_composition_or_an_insertion(text: str, how: str) -> None:
    (stroke,) = split_into_typing_steps(text)
    assert how == ("key" if stroke.key else "compose" if stroke.is_composed else "insert")
