"""The keys of a US keyboard, and the parser of key combinations: `Enter`, `Control+a`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntFlag
from types import MappingProxyType

from viewpoint_mcp.errors import CallError

_LEFT, _RIGHT, _NUMPAD = 1, 2, 3


class Modifier(IntFlag):
    """Held modifier keys, as the bits of CDP's `modifiers`."""

    NONE = 0
    ALT = 1
    CONTROL = 2
    META = 4
    SHIFT = 8


@dataclass(frozen=True, slots=True)
class Key:
    """One key, with the fields that `Input.dispatchKeyEvent` needs.

    Args:
        key: DOM `key`, without Shift.
        code: DOM `code`, the position on the keyboard; empty for a character without a key.
        key_code: Windows virtual key code, which is the DOM `keyCode`.
        text: Text that the key types; empty for none.
        shifted_text: Text that it types with Shift, which is then also its `key`.
        location: DOM `location`: 1 left, 2 right, 3 number pad.
        modifier: Modifier that is active while the key is down.
    """

    key: str
    code: str = ""
    key_code: int = 0
    text: str = ""
    shifted_text: str = ""
    location: int = 0
    modifier: Modifier = Modifier.NONE


@dataclass(frozen=True, slots=True)
class Combo:
    """A key, and the modifiers that are held during its press.

    Args:
        key: The key that is pressed.
        modifiers: Modifier keys to hold, in the order of their presses.
    """

    key: Key
    modifiers: tuple[Key, ...] = ()


def _letter_keys() -> Iterator[Key]:
    for letter in "abcdefghijklmnopqrstuvwxyz":
        upper = letter.upper()
        yield Key(letter, f"Key{upper}", ord(upper), letter, upper)


def _digit_keys() -> Iterator[Key]:
    for digit, shifted in zip("0123456789", ")!@#$%^&*(", strict=True):
        yield Key(digit, f"Digit{digit}", ord(digit), digit, shifted)


_PUNCTUATION_KEYS = (
    Key(";", "Semicolon", 186, ";", ":"),
    Key("=", "Equal", 187, "=", "+"),
    Key(",", "Comma", 188, ",", "<"),
    Key("-", "Minus", 189, "-", "_"),
    Key(".", "Period", 190, ".", ">"),
    Key("/", "Slash", 191, "/", "?"),
    Key("`", "Backquote", 192, "`", "~"),
    Key("[", "BracketLeft", 219, "[", "{"),
    Key("\\", "Backslash", 220, "\\", "|"),
    Key("]", "BracketRight", 221, "]", "}"),
    Key("'", "Quote", 222, "'", '"'),
    Key(" ", "Space", 32, " ", " "),
)

# Enter types "\r", which submits a form or inserts a line break.
_NAMED_KEYS = (
    Key("Enter", "Enter", 13, "\r", "\r"),
    Key("Tab", "Tab", 9),
    Key("Backspace", "Backspace", 8),
    Key("Escape", "Escape", 27),
    Key("Delete", "Delete", 46),
    Key("Insert", "Insert", 45),
    Key("Home", "Home", 36),
    Key("End", "End", 35),
    Key("PageUp", "PageUp", 33),
    Key("PageDown", "PageDown", 34),
    Key("ArrowLeft", "ArrowLeft", 37),
    Key("ArrowUp", "ArrowUp", 38),
    Key("ArrowRight", "ArrowRight", 39),
    Key("ArrowDown", "ArrowDown", 40),
    Key("CapsLock", "CapsLock", 20),
    Key("NumLock", "NumLock", 144),
    Key("ScrollLock", "ScrollLock", 145),
    Key("PrintScreen", "PrintScreen", 44),
    Key("Pause", "Pause", 19),
    Key("ContextMenu", "ContextMenu", 93),
    Key("AltGraph", "AltGraph", 225),
    *(Key(f"F{number}", f"F{number}", 111 + number) for number in range(1, 25)),
)

_MODIFIER_KEYS = (
    Key("Alt", "AltLeft", 18, location=_LEFT, modifier=Modifier.ALT),
    Key("Alt", "AltRight", 18, location=_RIGHT, modifier=Modifier.ALT),
    Key("Control", "ControlLeft", 17, location=_LEFT, modifier=Modifier.CONTROL),
    Key("Control", "ControlRight", 17, location=_RIGHT, modifier=Modifier.CONTROL),
    Key("Meta", "MetaLeft", 91, location=_LEFT, modifier=Modifier.META),
    Key("Meta", "MetaRight", 92, location=_RIGHT, modifier=Modifier.META),
    Key("Shift", "ShiftLeft", 16, location=_LEFT, modifier=Modifier.SHIFT),
    Key("Shift", "ShiftRight", 16, location=_RIGHT, modifier=Modifier.SHIFT),
)

_NUMBER_PAD_KEYS = (
    *(
        Key(digit, f"Numpad{digit}", 96 + int(digit), digit, digit, _NUMPAD)
        for digit in "0123456789"
    ),
    Key("*", "NumpadMultiply", 106, "*", "*", _NUMPAD),
    Key("+", "NumpadAdd", 107, "+", "+", _NUMPAD),
    Key("-", "NumpadSubtract", 109, "-", "-", _NUMPAD),
    Key(".", "NumpadDecimal", 110, ".", ".", _NUMPAD),
    Key("/", "NumpadDivide", 111, "/", "/", _NUMPAD),
    Key("Enter", "NumpadEnter", 13, "\r", "\r", _NUMPAD),
)

# If two keys share a name, the first one is used: the left Shift, the main Enter.
KEYS = (
    *_letter_keys(),
    *_digit_keys(),
    *_PUNCTUATION_KEYS,
    *_NAMED_KEYS,
    *_MODIFIER_KEYS,
    *_NUMBER_PAD_KEYS,
)

_ALIASES = MappingProxyType(
    {
        "esc": "Escape",
        "return": "Enter",
        "del": "Delete",
        "ins": "Insert",
        "space": " ",
        "spacebar": " ",
        "left": "ArrowLeft",
        "up": "ArrowUp",
        "right": "ArrowRight",
        "down": "ArrowDown",
        "pgup": "PageUp",
        "pgdn": "PageDown",
        "ctrl": "Control",
        "cmd": "Meta",
        "command": "Meta",
        "win": "Meta",
        "windows": "Meta",
        "super": "Meta",
        "option": "Alt",
        "plus": "+",
        "minus": "-",
        "menu": "ContextMenu",
        "controlormeta": "Meta" if sys.platform == "darwin" else "Control",
    }
)


def _index_by_character() -> Mapping[str, Key]:
    """Return the key of each character that one key types, with or without Shift.

    A line feed is the Enter key, a tab is the Tab key.
    """
    characters: dict[str, Key] = {}
    for key in KEYS:
        for character in filter(None, (key.text, key.shifted_text)):
            characters.setdefault(character, key)
    tab = next(key for key in KEYS if key.key == "Tab")
    return MappingProxyType(characters | {"\n": characters["\r"], "\t": tab})


def _index_by_name() -> Mapping[str, Key]:
    """Return the key of each name in lower case: DOM `key` and `code`, and the aliases."""
    names: dict[str, Key] = {}
    for key in KEYS:
        for name in (key.key, key.code):
            names.setdefault(name.lower(), key)
    for alias, name in _ALIASES.items():
        names[alias] = names[name.lower()]
    return MappingProxyType(names)


_KEYS_BY_CHARACTER = _index_by_character()
_KEYS_BY_NAME = _index_by_name()


def key_for_character(character: str) -> Key | None:
    """Return the key that types a character, with or without Shift; None if no key does.

    Args:
        character: One character of any script.
    """
    return _KEYS_BY_CHARACTER.get(character)


def find_key(name: str) -> Key:
    """Return the key with a name in any case, or for a single character of any script.

    Args:
        name: A DOM `key` or `code`, an alias such as `Esc` or `Ctrl`, or one character.

    Raises:
        CallError: No key has this name; the message suggests similar names.
    """
    key = _KEYS_BY_CHARACTER.get(name) or _KEYS_BY_NAME.get(name.lower())
    if key is not None:
        return key
    if len(name) == 1:
        return Key(name, text=name, shifted_text=name)
    raise _unknown_key_error(name)


def parse_combo(combo: str) -> Combo:
    """Parse a key with optional modifiers: `Enter`, `Control+a`, `Shift++`, `ControlOrMeta+P`.

    Args:
        combo: Names joined by `+`. The last one is the key, the names before it are modifiers.

    Raises:
        CallError: A name is not a key, or not a modifier.
    """
    *modifier_names, last = _split_combo(combo)
    modifiers = tuple(find_modifier_key(name) for name in modifier_names)
    key = find_key(last)
    # "A" and "Control+?" need Shift, but people write "Control+A" for Control+a.
    if needs_shift(key, last) and not (modifiers and last.isalpha()):
        modifiers = (*modifiers, find_modifier_key("Shift"))
    return Combo(key, tuple(dict.fromkeys(modifiers)))


def selects_all(combo: str) -> bool:
    """Return whether a combination, as for `parse_combo`, selects all text: `Control+a`."""
    return _is_shortcut(combo, "a")


def copies_text(combo: str) -> bool:
    """Return whether a combination, as for `parse_combo`, copies the selection: `Control+c`."""
    return _is_shortcut(combo, "c") or _is_shortcut(combo, "x")


def _is_shortcut(combo: str, letter: str) -> bool:
    *modifier_names, last = _split_combo(combo)
    modifiers = [find_modifier_key(name).key for name in modifier_names]
    return last.lower() == letter and modifiers in (["Control"], ["Meta"])


def needs_shift(key: Key, character: str) -> bool:
    """Return whether a key types a character with Shift only.

    Args:
        key: The key that types the character.
        character: The character.
    """
    return character == key.shifted_text != key.text


def find_modifier_key(name: str) -> Key:
    """Return the modifier key with a name.

    Args:
        name: Alt, Control, ControlOrMeta, Meta, Shift or an alias, in any case.

    Raises:
        CallError: The name is not a modifier.
    """
    key = _KEYS_BY_NAME.get(name.lower())
    if key is None or not key.modifier:
        raise CallError(
            f"“{name}” is not a modifier key.",
            "Modifiers are Alt, Control, ControlOrMeta, Meta and Shift; they come before the key, "
            "as in Control+a.",
        )
    return key


def modifier_mask(names: Iterable[str]) -> Modifier:
    """Return the bits of the modifiers with these names.

    Args:
        names: Names as for `find_modifier_key`.

    Raises:
        CallError: One of the names is not a modifier.
    """
    mask = Modifier.NONE
    for name in names:
        mask |= find_modifier_key(name).modifier
    return mask


def _split_combo(combo: str) -> list[str]:
    if len(combo) < 2 or "+" not in combo:
        names = [combo]
    elif combo.endswith("++"):
        names = [*combo[:-2].split("+"), "+"]
    else:
        names = combo.split("+")
    names = [name.strip() if len(name) > 1 else name for name in names]
    if not all(names):
        raise CallError(
            f"“{combo}” is not a valid key: a name is missing.",
            "Write one key (Enter), or modifiers and a key (Control+a). The plus key is +.",
        )
    return names


def _unknown_key_error(name: str) -> CallError:
    from difflib import get_close_matches

    proper = {text.lower(): text for key in KEYS for text in (key.code, key.key) if len(text) > 1}
    similar = get_close_matches(name.lower(), proper, n=3)
    hint = (
        f"Did you mean {' or '.join(proper[match] for match in similar)}?"
        if similar
        else "Use a name such as Enter, Escape, ArrowDown or F5, or a single character."
    )
    return CallError(f"Key “{name}” does not exist.", hint)
