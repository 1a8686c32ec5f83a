"""Texts of pages in sentences, as `Clicked button "Save"`.

A text cannot end its quotes, so nothing in it looks like the rest of the sentence, such as a ref.
"""

from __future__ import annotations

import re
from typing import Final

from viewpoint_mcp.accessibility.printing.invisible_characters import remove_invisible

_ENDS_QUOTES: Final = re.compile(r'\\*"|\\+\Z')
_ENDS_LINK_TEXT: Final = re.compile(r"\\*\](?=\()|\\+\Z")


def quote_in_sentence(text: str, max_length: int | None = None) -> str:
    r"""Return a text in quotes on one line. Quotes in it become `\"`.

    Backslashes are doubled before a quote and at the end only, so paths stay readable.

    Args:
        text: The text.
        max_length: Characters after which the text is cut, with "…"; None for no limit.
    """
    line = to_one_line(text)
    if max_length is not None and len(line) > max_length:
        line = f"{line[:max_length]}…"
    return f'"{escape_quotes(line)}"'


def escape_quotes(text: str) -> str:
    r"""Return a text for quotes, with `\"` for each quote and no backslash that escapes another."""
    if '"' not in text and not text.endswith("\\"):
        return text
    return _ENDS_QUOTES.sub(lambda found: _escape(found[0], '"'), text)


def escape_link_text(text: str) -> str:
    r"""Return a text for the brackets of a Markdown link, with `\](` for `](`.

    Backslashes before it and at the end are doubled, so that none escapes a bracket.
    """
    return _ENDS_LINK_TEXT.sub(lambda found: _escape(found[0], "]"), text)


def to_one_line(text: str) -> str:
    """Return a text as well-formed Unicode on one line."""
    return " ".join(remove_invisible(text).split())


def _escape(ending: str, character: str) -> str:
    backslashes = ending.removesuffix(character)
    return backslashes * 2 + (f"\\{character}" if ending.endswith(character) else "")
