"""The developer tools of one page: the interface for tools and for the browser layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewpoint_mcp.page.devtools.highlight import Highlights

if TYPE_CHECKING:
    from viewpoint_mcp.page.services import PageServices


class PageDevtools:
    """The developer tools of one page.

    Attributes:
        highlights: Draws boxes around elements.
    """

    def __init__(self, page: PageServices) -> None:
        self.highlights = Highlights(page)
