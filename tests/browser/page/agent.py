"""Acts on a page as the tools do: reads the snapshot, uses a ref, acts, and reads the snapshot
again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.browser.inside import services_of
from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_tree
from viewpoint_mcp.page.actions.element import Element
from viewpoint_mcp.page.page import Page


class Agent:
    """One-line actions on one page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._is_blank = True

    async def open(self, html: str) -> str:
        """Show a document; returns its snapshot.

        The first one is put into the blank tab: a navigation would start a renderer process.
        """
        if not self._is_blank:
            return await self.load(html)
        self._is_blank = False
        session = services_of(self.page).session
        async with session.expect("Page.loadEventFired"):
            await session.Page.setDocumentContent(
                frameId=services_of(self.page).frames.main_id, html=html
            )
        return await self.snapshot()

    async def load(self, html: str) -> str:
        """Navigate to a document, as a data: URL; returns its snapshot."""
        return await self.go(f"data:text/html;charset=utf-8,{quote(html)}")

    async def go(self, url: str) -> str:
        """Load a URL; returns the snapshot."""
        self._is_blank = False
        await self.page.navigate(url)
        return await self.snapshot()

    async def snapshot(self) -> str:
        """Return the snapshot."""
        return render_tree((await self.page.snapshot()).nodes)

    async def find(self, what: str) -> Element:
        """Return the element of the first line of the snapshot that has the text and a ref."""
        text = await self.snapshot()
        match = re.search(rf"{re.escape(what)}.*?\[ref=(\w+)\]", text)
        assert match is not None, f"{what} is not in the snapshot:\n{text}"
        return await self.page.find_element(match[1])

    async def click(self, what: str | Element, **how: Any) -> str:
        """Click and settle; returns the snapshot."""
        element = await self.find(what) if isinstance(what, str) else what
        async with self.page.settle_afterwards():
            await element.click(**how)
        return await self.snapshot()

    async def hover(self, what: str | Element) -> str:
        """Hover and settle; returns the snapshot."""
        element = await self.find(what) if isinstance(what, str) else what
        async with self.page.settle_afterwards():
            await element.hover()
        return await self.snapshot()

    async def scroll_to(self, what: str | Element) -> str:
        """Scroll into view and settle; returns the snapshot."""
        element = await self.find(what) if isinstance(what, str) else what
        async with self.page.settle_afterwards():
            await element.scroll_into_view()
        return await self.snapshot()

    async def drag(self, start: str | Element, end: str | Element) -> str:
        """Drag and settle; returns the snapshot."""
        first = await self.find(start) if isinstance(start, str) else start
        last = await self.find(end) if isinstance(end, str) else end
        async with self.page.settle_afterwards():
            await first.drag_to(last)
        return await self.snapshot()

    async def drop(
        self, what: str | Element, *files: Path, data: Mapping[str, str] | None = None
    ) -> str:
        """Drop from outside and settle; returns the snapshot."""
        element = await self.find(what) if isinstance(what, str) else what
        async with self.page.settle_afterwards():
            await element.drop(files, data or {})
        return await self.snapshot()

    async def type(self, what: str | Element, text: str, **how: Any) -> str:
        """Type; returns the snapshot."""
        element = await self.find(what) if isinstance(what, str) else what
        await element.type_text(text, **how)
        return await self.snapshot()

    async def select(self, what: str | Element, *values: str) -> str:
        """Choose from a list; return the text of the result."""
        element = await self.find(what) if isinstance(what, str) else what
        return await element.select_options(values)

    async def run(self, source: str) -> str | None:
        """Evaluate JavaScript, without waiting for its consequences."""
        return await self.page.evaluate(source)
