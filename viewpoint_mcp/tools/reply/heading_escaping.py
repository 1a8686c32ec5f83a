"""Sanitizing of text from pages, so that no line of it looks like a section heading of a reply.

Secrets are masked later: in the complete reply (`Reply.clean_texts`), and in files when they are
written.
"""

from __future__ import annotations

import re

from viewpoint_mcp.accessibility.printing.invisible_characters import (
    escape_invisible,
    remove_invisible,
)

_HEADING = re.compile("^###", re.MULTILINE)
_CONTINUATION = "\n    "


def indent_continuation_lines(text: str) -> str:
    """Return a text as well-formed Unicode, with all lines but the first indented."""
    if text.isascii() and text.isprintable():
        return text
    lines = remove_invisible(text.replace("\t", "  ")).split("\n")
    return _CONTINUATION.join(lines)


def escape_page_text(text: str) -> str:
    """Return a text that a reply shows as it is, such as the value of a script.

    Invisible characters become escapes, and a space precedes each line that looks like a section
    heading.
    """
    return _HEADING.sub(" ###", escape_invisible(text))


def escape_list_entry(text: str) -> str:
    """Return such a text for a list, with all lines but the first indented."""
    return escape_page_text(text).replace("\n", _CONTINUATION)
