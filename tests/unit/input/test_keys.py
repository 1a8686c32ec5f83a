"""Names of keys as callers write them, and their parsed form."""

from __future__ import annotations

import pytest

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.input.keys import (
    KEYS,
    Modifier,
    copies_text,
    find_key,
    modifier_mask,
    parse_combo,
    selects_all,
)


def read(combo: str) -> tuple[list[str], str]:
    parsed = parse_combo(combo)
    return [key.key for key in parsed.modifiers], parsed.key.code or parsed.key.text


@pytest.mark.parametrize(
    ("combo", "modifiers", "code"),
    [
        ("Enter", [], "Enter"),
        ("a", [], "KeyA"),
        ("A", ["Shift"], "KeyA"),
        ("?", ["Shift"], "Slash"),
        ("+", ["Shift"], "Equal"),
        (" ", [], "Space"),
        ("\n", [], "Enter"),
        ("\t", [], "Tab"),
        ("Control+a", ["Control"], "KeyA"),
        ("Control+A", ["Control"], "KeyA"),
        ("Control+?", ["Control", "Shift"], "Slash"),
        ("Control++", ["Control", "Shift"], "Equal"),
        ("Shift++", ["Shift"], "Equal"),
        ("Shift+Tab", ["Shift"], "Tab"),
        ("control + shift + p", ["Control", "Shift"], "KeyP"),
        ("Alt+Meta+F12", ["Alt", "Meta"], "F12"),
        ("Shift+Shift+x", ["Shift"], "KeyX"),
        ("é", [], "é"),
        ("日", [], "日"),
        ("😀", [], "😀"),
    ],
)
def test_a_combination_is_read_as_modifiers_and_a_key(
    combo: str, modifiers: list[str], code: str
) -> None:
    assert read(combo) == (modifiers, code)


@pytest.mark.parametrize(
    ("alias", "key"),
    [
        ("Esc", "Escape"),
        ("RETURN", "Enter"),
        ("del", "Delete"),
        ("Space", " "),
        ("Up", "ArrowUp"),
        ("Ctrl", "Control"),
        ("Cmd", "Meta"),
        ("option", "Alt"),
        ("pageup", "PageUp"),
        ("ShiftRight", "Shift"),
    ],
)
def test_a_key_has_more_names_than_one_in_any_case(alias: str, key: str) -> None:
    assert find_key(alias).key == key


@pytest.mark.parametrize(
    ("combo", "does"),
    [
        ("Control+a", True),
        ("ctrl+A", True),
        ("ControlOrMeta+a", True),
        ("Meta+a", True),
        ("a", False),
        ("Control+Shift+a", False),
        ("Control+b", False),
    ],
)
def test_only_control_or_meta_with_a_selects_all(combo: str, does: bool) -> None:
    assert selects_all(combo) is does


@pytest.mark.parametrize(
    ("combo", "does"),
    [("Control+c", True), ("ControlOrMeta+X", True), ("c", False), ("Alt+c", False)],
)
def test_only_control_or_meta_with_c_or_x_copies(combo: str, does: bool) -> None:
    assert copies_text(combo) is does


def test_an_unknown_key_is_refused_with_the_near_ones() -> None:
    with pytest.raises(CallError, match=r"Key “Entr” does not exist.*Enter"):
        find_key("Entr")


def test_an_unknown_key_with_nothing_near_is_refused_with_examples() -> None:
    with pytest.raises(CallError, match="Escape, ArrowDown"):
        find_key("qqqqqq")


def test_a_key_that_is_no_modifier_cannot_be_combined_with_another() -> None:
    with pytest.raises(CallError, match="“Enter” is not a modifier"):
        parse_combo("Enter+a")


@pytest.mark.parametrize("combo", ["", "Control+", "+a", "Control++a"])
def test_a_combination_with_a_name_missing_is_refused(combo: str) -> None:
    with pytest.raises(CallError, match="a name is missing"):
        parse_combo(combo)


def test_modifiers_add_up_to_the_bits_of_the_protocol() -> None:
    assert modifier_mask(["Shift", "ctrl"]) == Modifier.SHIFT | Modifier.CONTROL == 10


def test_every_printable_ascii_character_has_a_key() -> None:
    assert all(find_key(chr(code)).code for code in range(32, 127))


def test_every_code_names_one_key() -> None:
    codes = [key.code for key in KEYS]
    assert len(codes) == len(set(codes))
