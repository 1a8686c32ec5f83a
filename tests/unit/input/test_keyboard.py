"""Commands that the keyboard sends to the browser."""

from __future__ import annotations

import asyncio

import pytest

from tests.unit.input.recorder import Recorder
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.input import Keyboard, Modifier


async def test_a_press_is_down_and_up() -> None:
    session = Recorder()
    await Keyboard(session).press("a")
    assert session.types() == ["keyDown", "keyUp"]
    assert session.values("text") == ["a", None]


async def test_enter_types_a_carriage_return() -> None:
    session = Recorder()
    await Keyboard(session).press("Enter")
    assert session.values("text") == ["\r", None]


async def test_a_key_that_types_nothing_is_a_raw_press() -> None:
    session = Recorder()
    await Keyboard(session).press("ArrowDown")
    assert session.types() == ["rawKeyDown", "keyUp"]


async def test_modifiers_are_pressed_around_the_key() -> None:
    session = Recorder()
    await Keyboard(session).press("Control+Shift+p")
    keys = ["Control", "Shift", "P", "P", "Shift", "Control"]
    assert session.values("key") == keys
    assert session.values("modifiers") == [2, 10, 10, 10, 2, 0]
    assert not any(session.values("text"))


async def test_a_pressed_modifier_counts_for_later_keys_and_is_not_pressed_twice() -> None:
    session = Recorder()
    keyboard = Keyboard(session)
    await keyboard.down("Shift")
    await keyboard.press("Shift+a")
    assert keyboard.modifiers == Modifier.SHIFT
    assert session.values("key") == ["Shift", "A", "A"]


async def test_a_key_that_is_pressed_twice_repeats() -> None:
    session = Recorder()
    keyboard = Keyboard(session)
    await keyboard.down("x")
    await keyboard.down("x")
    assert session.values("autoRepeat") == [False, True]


async def test_release_all_releases_every_pressed_key() -> None:
    session = Recorder()
    keyboard = Keyboard(session)
    await keyboard.down("Control")
    await keyboard.down("Shift")
    await keyboard.release_all()
    assert session.values("modifiers") == [2, 10, 2, 0]


async def test_text_is_typed_with_shift_where_it_takes_shift() -> None:
    session = Recorder()
    await Keyboard(session).type_text("aB")
    assert session.values("key") == ["a", "a", "Shift", "B", "B", "Shift"]


async def test_a_line_end_is_one_press_of_enter_and_a_tab_one_of_tab() -> None:
    session = Recorder()
    await Keyboard(session).type_text("\r\n\n\t")
    assert session.values("key") == ["Enter", "Enter", "Enter", "Enter", "Tab", "Tab"]


@pytest.mark.parametrize("character", ["é", "ß", "😀"])
async def test_a_character_without_a_key_is_inserted(character: str) -> None:
    session = Recorder()
    await Keyboard(session).press(character)
    await Keyboard(session).type_text(character)
    assert session.sent == [("Input.insertText", {"text": character})] * 2


async def test_text_of_an_input_method_is_composed_and_committed() -> None:
    session = Recorder()
    await Keyboard(session).type_text("日𠮷")
    composed = [params for method, params in session.sent if method == "Input.imeSetComposition"]
    assert [each["text"] for each in composed] == ["日", "日𠮷"]
    assert [each["selectionEnd"] for each in composed] == [1, 3]
    assert session.types().count("rawKeyDown") == session.types().count("keyUp") == 2
    assert session.sent[-1] == ("Input.insertText", {"text": "日𠮷"})


async def test_a_key_of_the_number_pad_has_its_location() -> None:
    session = Recorder()
    await Keyboard(session).press("Numpad5")
    assert session.values("isKeypad") == [True, True]
    assert session.values("windowsVirtualKeyCode") == [101, 101]


async def test_an_editing_command_travels_along_on_a_mac() -> None:
    session = Recorder()
    await Keyboard(session, is_mac=True).press("Meta+a")
    assert session.values("commands") == [None, ["selectAll"], None, None]


@pytest.mark.parametrize(
    ("combo", "commands"),
    [
        ("Alt+ArrowLeft", ["moveWordLeft"]),
        ("Alt+Shift+ArrowRight", ["moveWordRightAndModifySelection"]),
        ("Meta+Shift+ArrowUp", ["moveToBeginningOfDocumentAndModifySelection"]),
        ("Alt+ArrowDown", ["moveForward", "moveToEndOfParagraph"]),
        ("Alt+Backspace", ["deleteWordBackward"]),
        ("Meta+Backspace", ["deleteToBeginningOfLine"]),
        ("Control+k", ["deleteToEndOfParagraph"]),
        ("Meta+Shift+z", ["redo"]),
        ("Backspace", ["deleteBackward"]),
    ],
)
async def test_the_key_bindings_of_a_mac_are_known(combo: str, commands: list[str]) -> None:
    session = Recorder()
    await Keyboard(session, is_mac=True).press(combo)
    assert [each for each in session.values("commands") if each] == [commands]


async def test_other_platforms_send_no_editing_commands() -> None:
    session = Recorder()
    await Keyboard(session, is_mac=False).press("Meta+a")
    assert not any(session.values("commands"))


async def test_an_unknown_key_sends_nothing() -> None:
    session = Recorder()
    with pytest.raises(CallError):
        await Keyboard(session).press("Control+Bogus")
    assert session.sent == []


async def test_a_cancelled_press_still_releases_its_keys() -> None:
    session = Recorder(answers=False)
    keyboard = Keyboard(session)
    press = asyncio.create_task(keyboard.press("Shift+a"))
    await asyncio.sleep(0)
    press.cancel()
    await asyncio.wait([press])
    await asyncio.sleep(0)
    assert session.types()[-2:] == ["keyUp", "keyUp"]
    await keyboard.cancel_unanswered_calls()
