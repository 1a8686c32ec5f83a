"""The keys of a person, on keyboards of all layouts."""

from __future__ import annotations

import pytest

from tests.unit.input.recorder import Recorder
from viewpoint_mcp.input import Keyboard
from viewpoint_mcp.live_view.person_events import InsertText, PressKey, ReleaseKey
from viewpoint_mcp.live_view.person_input import use_keyboard

SHIFT = PressKey("Shift", "ShiftLeft")
CONTROL = PressKey("Control", "ControlRight")


@pytest.mark.parametrize(
    ("events", "sent"),
    [
        ([PressKey("a", "KeyA", types=True), ReleaseKey("a", "KeyA")], ["a", None]),
        ([SHIFT, PressKey("A", "KeyA", types=True)], ["", "A"]),
        ([PressKey("A", "KeyA", types=True)], ["A"]),  # Caps Lock
        ([SHIFT, PressKey("a", "KeyA", types=True)], ["", "a"]),  # Caps Lock and Shift
        ([SHIFT, PressKey("/", "Digit7", types=True)], ["", "/"]),  # German
        ([PressKey("ü", "BracketLeft", types=True)], ["ü"]),
        (
            [CONTROL, PressKey("AltGraph", "AltRight"), PressKey("@", "KeyQ", types=True)],
            ["", "", "@"],
        ),  # German on Windows
        ([PressKey("5", "Numpad5", types=True)], ["5"]),
        ([PressKey("Enter", "NumpadEnter")], ["\r"]),
        ([CONTROL, PressKey("a", "KeyA")], ["", ""]),  # a command types nothing
        ([InsertText("日本")], ["日本"]),
        ([PressKey("AudioVolumeUp")], []),
    ],
)
async def test_each_key_types_what_the_keyboard_of_the_person_types(
    events: list[PressKey | ReleaseKey | InsertText], sent: list[str | None]
) -> None:
    session = Recorder()
    keyboard = Keyboard(session, is_mac=False)
    for event in events:
        await use_keyboard(event, keyboard)
    assert session.values("text") == sent


@pytest.mark.parametrize(
    ("key", "code", "sent"),
    [
        ("Control", "ControlRight", "ControlRight"),
        ("ArrowLeft", "Numpad4", "ArrowLeft"),  # without Num Lock
        ("с", "KeyC", "KeyC"),  # Cyrillic, in a command
    ],
)
async def test_the_place_of_a_key_is_kept_where_it_matters(key: str, code: str, sent: str) -> None:
    session = Recorder()
    await use_keyboard(PressKey(key, code), Keyboard(session, is_mac=False))
    assert session.values("code") == [sent]
