"""Links to what was saved: the same files as the resources of the server."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from viewpoint_mcp.tools.core.result import Link
from viewpoint_mcp.tools.reply.page_text import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from viewpoint_mcp.files.shelf import Entry
    from viewpoint_mcp.page.page import Page


async def link_to(page: Page, path: Path | str) -> tuple[Link, ...]:
    """Return the link to a file that was just saved of a page; none if it is no resource, because
    it lies elsewhere.

    Args:
        path: If relative, to the working directory.
    """
    from viewpoint_mcp.files.shelf import Shelf

    entry = await asyncio.to_thread(Shelf(page.files).at, path)
    return () if entry is None else (link(entry),)


def link(entry: Entry) -> Link:
    """Return the link to a saved file."""
    return Link(entry.uri, entry.name, one_line(entry.title), entry.mime_type, entry.size)
