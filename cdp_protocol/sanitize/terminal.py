"""Escapes text from pages, so that a terminal executes no control sequences in it."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_NO_ASCII: Final = re.compile(r"[^\x00-\x7e]")


def harmless(text: str) -> str:
    """Return a text on one line, with control characters escaped.

    Line feeds become `⏎`, tabs become spaces, and carriage returns are removed. All other control
    characters, and those that change the writing direction, become hexadecimal escapes.
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else _named(each) for each in text)


def harmless_json(text: str) -> str:
    """Return equivalent JSON with non-printable characters escaped.

    Args:
        text: Well-formed JSON, in which ASCII control characters are already escaped.
    """
    if text.isprintable():
        return text
    return _NO_ASCII.sub(lambda found: _escaped(found[0]), text)


def _escaped(character: str) -> str:
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    units = character.encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _named(character: str) -> str:
    if unicodedata.category(character) == "Zs":
        return " "
    code = ord(character)
    escape = f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    return {"\n": "⏎", "\t": " ", "\r": ""}.get(character, escape)
