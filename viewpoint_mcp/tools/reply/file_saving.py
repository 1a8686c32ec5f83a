"""Files that tools save for a page, and links to them as resources of the server."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.accessibility.printing.sentence_quotes import to_one_line
from viewpoint_mcp.errors import DirectoryNotWritableError
from viewpoint_mcp.tools.core.result import Link
from viewpoint_mcp.tools.reply.heading_escaping import escape_page_text

if TYPE_CHECKING:
    from pathlib import Path

    from viewpoint_mcp.files.records import FileKind
    from viewpoint_mcp.files.saved_file_lookup import SavedFile
    from viewpoint_mcp.page.page import Page

FormattedPath = str
"""A path as replies print it; see `FileAccess.format_path_for_reply`."""

NOT_SAVED: Final = "not saved"
"""The beginning of what a reply contains in place of a path."""


async def save_page_file(
    page: Page,
    data: str | bytes,
    kind: FileKind,
    description: str,
    filename: str | None = None,
    suffix: str = "txt",
) -> FormattedPath:
    """Save content of a page to a file, and return its path as replies name it.

    Args:
        data: Text or bytes. Secrets are masked in text only.
        description: A short description of the content.
        filename: The name that the client requests; None for a generated name.
        suffix: The suffix of a generated name.

    Raises:
        CallError: The file cannot be written.
    """
    from viewpoint_mcp.files.records import FileDescription

    about = FileDescription(kind=kind, url=page.url, context=page.context_name, what=description)
    if filename is None:
        path = await asyncio.to_thread(page.files.save, data, suffix, about)
    else:
        path = await asyncio.to_thread(page.files.save_as, data, filename, about)
    return page.files.format_path_for_reply(path)


async def save_omitted_text(
    page: Page, text: str | bytes, kind: FileKind, description: str, suffix: str = "txt"
) -> str:
    """Save a text of which a reply shows only a part; see `save_page_file`.

    Returns:
        The path of the file, as replies name it. If it cannot be saved, "not saved" and the reason,
        because the reply is of use without the file.
    """
    try:
        return await save_page_file(page, text, kind, description, suffix=suffix)
    except DirectoryNotWritableError as error:
        return describe_failed_saving(error)


def describe_failed_saving(error: DirectoryNotWritableError) -> str:
    """Return what a reply contains in place of the path of a file that could not be saved."""
    return f"{NOT_SAVED} ({error})"


async def fit_page_text(page: Page, text: str, description: str, budget: int) -> str:
    """Return a text, escaped. If it exceeds the budget, save it and return its beginning.

    The file has the text as it is.

    Args:
        description: A short description of the text.
        budget: The maximum number of characters.
    """
    shown = escape_page_text(text)
    if len(shown) <= budget:
        return shown
    path = await save_omitted_text(page, text, "result", description)
    notice = (
        f"Cut to {budget:,} of {len(shown):,} characters; the whole: {path}\n"
        f"To read more, {advise_opening(path)}return less.\n\n"
    )
    # The cut may remove the end of a code block.
    room = budget - len(notice) - 1
    return f"{notice}{escape_page_text(shown[:room])[:room]}…"


def advise_opening(path: str) -> str:
    """Return the beginning of an advice: to open a file, or "" if it was not saved.

    Args:
        path: The result of `save_omitted_text`.
    """
    return "" if path.startswith(NOT_SAVED) else "open that file, or "


async def link_saved_file(page: Page, path: Path | str) -> tuple[Link, ...]:
    """Return the link to a file that a tool has saved; an empty tuple if it is no resource.

    Args:
        path: The path of the file, absolute or relative to the working directory.
    """
    from viewpoint_mcp.files.saved_file_lookup import SavedFiles

    entry = await asyncio.to_thread(SavedFiles(page.files).find_by_path, path)
    return () if entry is None else (make_link(entry),)


def make_link(entry: SavedFile) -> Link:
    """Return the link to a saved file."""
    return Link(entry.uri, entry.name, to_one_line(entry.title), entry.mime_type, entry.size)
