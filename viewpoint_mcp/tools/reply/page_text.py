"""Puts a page's words into a reply: they cannot pass for ours; what is long goes to a file."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from viewpoint_mcp.accessibility.invisible_characters import scrub

if TYPE_CHECKING:
    from viewpoint_mcp.files.records import Kind
    from viewpoint_mcp.page.page import Page

_HEADING = re.compile("^###", re.MULTILINE)
_CONTINUED = "\n    "


def one_line(text: str) -> str:
    """Return a text of the page's as well-formed Unicode on one line, so that it cannot pass for a
    section of ours.
    """
    return " ".join(scrub(text).split())


def indented(text: str) -> str:
    """Return a text of the page's as well-formed Unicode, its further lines indented, so that none
    can pass for a section of ours.
    """
    if text.isascii() and text.isprintable():
        return text
    lines = scrub(text.replace("\t", "  ")).split("\n")
    return _CONTINUED.join(lines)


def unlike_headings(text: str) -> str:
    """Return a text of the page's as it is, but that no line begins as a section of ours does."""
    return _HEADING.sub(" ###", text)


async def save(
    page: Page,
    data: str | bytes,
    kind: Kind,
    what: str,
    filename: str | None = None,
    suffix: str = "txt",
) -> str:
    """Write a file, without waiting for the disk here.

    Args:
        data: In a text secrets are masked.
        what: The file shows, in a word or two.
        filename: As the client named it; None for a name of our own.
        suffix: Of a name of our own.

    Returns:
        The path, as replies name it.

    Raises:
        CallError: The file cannot be written.
    """
    from viewpoint_mcp.files.records import About

    about = About(kind=kind, url=page.url, context=page.context_name, what=what)
    if filename is None:
        path = await asyncio.to_thread(page.files.save, data, suffix, about)
    else:
        path = await asyncio.to_thread(page.files.save_as, data, filename, about)
    return page.files.shown(path)
