"""Sanitizing of text from pages, so that no line of it looks like a section heading of a reply.

Secrets are masked later: in the complete reply (`Reply.mask_texts`), and in files when they are
written.
"""

from __future__ import annotations

import re

from viewpoint_mcp.accessibility.printing.invisible_characters import remove_invisible

_HEADING = re.compile("^###", re.MULTILINE)
_CONTINUATION = "\n    "


def to_one_line(text: str) -> str:
    """Return a text as well-formed Unicode on one line."""
    return " ".join(remove_invisible(text).split())


def indent_continuation_lines(text: str) -> str:
    """Return a text as well-formed Unicode, with all lines but the first indented."""
    if text.isascii() and text.isprintable():
        return text
    lines = remove_invisible(text.replace("\t", "  ")).split("\n")
    return _CONTINUATION.join(lines)


def escape_headings(text: str) -> str:
    """Return a text with a space before each line that looks like a section heading."""
    return _HEADING.sub(" ###", text)
