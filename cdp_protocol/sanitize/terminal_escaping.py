"""Escapes text from pages, so that a terminal executes no control sequences in it."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_NON_ASCII: Final = re.compile(r"[^\x00-\x7e]")


def escape_control_characters(text: str) -> str:
    """Return a text on one line, with control characters escaped.

    Line feeds become `⏎`, tabs become spaces, and carriage returns are removed. All other control
    characters, and those that change the writing direction, become hexadecimal escapes.
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else _terminal_escape(each) for each in text)


def escape_json(text: str) -> str:
    """Return equivalent JSON with non-printable characters escaped.

    Args:
        text: Well-formed JSON, in which ASCII control characters are already escaped.
    """
    if text.isprintable():
        return text
    return _NON_ASCII.sub(lambda found: _json_escape(found[0]), text)


def _json_escape(character: str) -> str:
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    units = character.encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _terminal_escape(character: str) -> str:
    if unicodedata.category(character) == "Zs":
        return " "
    code = ord(character)
    escape = f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    return {"\n": "⏎", "\t": " ", "\r": ""}.get(character, escape)
