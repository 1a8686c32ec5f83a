"""Sanitizing of text from pages, so that no line of it looks like a section heading of a reply.

A code block that begins in such a text also ends in it, so it never contains the next section.

Secrets are masked later: in the complete reply (`Reply.clean_texts`), and in files when they are
written.
"""

from __future__ import annotations

import re

from viewpoint_mcp.accessibility.printing.invisible_characters import (
    escape_invisible,
    remove_invisible,
)

_HEADING = re.compile(r"^([^\S\n]*)(?=###)", re.MULTILINE)
_FENCE = re.compile(r"^([^\S\n]*)(?=```|~~~)", re.MULTILINE)
# The beginning of a code block, and any line that may end one (CommonMark 4.5).
_OPENING_FENCE = re.compile(r"`{3,}(?!.*`)|~{3,}")
_CLOSING_FENCE = re.compile(r"(`{3,}|~{3,})[ \t]*")
_CONTINUATION = "\n    "


def indent_continuation_lines(text: str) -> str:
    """Return a text as well-formed Unicode, with all lines but the first indented."""
    if text.isascii() and text.isprintable():
        return text
    lines = remove_invisible(text.replace("\t", "  ")).split("\n")
    return _CONTINUATION.join(lines)


def escape_page_text(text: str) -> str:
    """Return a text that a reply shows as it is, such as the value of a script.

    Invisible characters become escapes. A backslash precedes what looks like a section heading, and
    all fences of code blocks if one of these does not end.
    """
    text = _HEADING.sub(r"\1\\", escape_invisible(text))
    return _FENCE.sub(r"\1\\", text) if _has_open_code_block(text) else text


def escape_list_entry(text: str) -> str:
    """Return such a text for a list, with all lines but the first indented.

    The indentation would separate the fences of a code block, so they are always escaped.
    """
    return _FENCE.sub(r"\1\\", escape_page_text(text)).replace("\n", _CONTINUATION)


def _has_open_code_block(text: str) -> bool:
    """Return whether a reader of Markdown may find a code block without an end.

    Indented fences count as such, because a reply may indent the text further, and four spaces make
    a fence a text.
    """
    if "```" not in text and "~~~" not in text:
        return False
    if any(found[1] for found in _FENCE.finditer(text)):
        return True
    fence = ""
    for line in text.split("\n"):
        if not fence and (found := _OPENING_FENCE.match(line)):
            fence = found[0]
        elif fence and (found := _CLOSING_FENCE.fullmatch(line)) and found[1].startswith(fence):
            fence = ""
    return bool(fence)
