"""Screenshots and PDFs of one page: the interface for tools."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from viewpoint_mcp.page.capture import (
    element_screenshot,
    mark_legend_text,
    marked_screenshot,
    pdf,
    print_options,
)
from viewpoint_mcp.page.capture.area_capture import ImageType
from viewpoint_mcp.page.capture.marked_screenshot import MarkedScreenshot
from viewpoint_mcp.page.capture.pdf import Pdf
from viewpoint_mcp.page.capture.screenshot import (
    Scale,
    Screenshot,
    capture_full_page,
    capture_viewport,
)
from viewpoint_mcp.page.capture.small_picture import SmallPicture, SmallPictures
from viewpoint_mcp.page.capture.viewport import read_viewport

if TYPE_CHECKING:
    from viewpoint_mcp.page.actions.element import Element
    from viewpoint_mcp.page.services import PageServices


class PageCapture:
    """Takes screenshots of one page and prints PDFs.

    Args:
        page: The services of the page.
    """

    def __init__(self, page: PageServices) -> None:
        self._page = page
        self._small_pictures = SmallPictures(page)

    async def screenshot(
        self,
        *,
        image_type: ImageType = "png",
        full_page: bool = False,
        element: Element | None = None,
        scale: Scale = "css",
    ) -> Screenshot:
        """Take a screenshot of the viewport, of the whole page, or of one element.

        Scroll positions are restored afterwards.

        Args:
            image_type: The format of the image.
            full_page: Whether to capture the whole page. Ignored if `element` is set.
            element: The element to capture.
            scale: Whether the image has one pixel per CSS pixel, or one per device pixel.

        Raises:
            ElementError: The element is gone, or no part of it can be scrolled into view.
            PageError: The image would be too large, or the page is blocked or does not answer.
        """
        page = self._page
        view = await read_viewport(page)
        pixel_ratio = view.device_pixel_ratio if scale == "device" else 1.0
        note = ""
        if element is not None:
            image, origin, note = await element_screenshot.capture_element(
                page, element, pixel_ratio, image_type
            )
        elif full_page:
            image, origin = await capture_full_page(page, view, pixel_ratio, image_type)
        else:
            pixel_ratio *= view.pinch_zoom if scale == "device" else 1
            image, origin = await capture_viewport(page, view, pixel_ratio, image_type)
        viewport = round(view.layout.width), round(view.layout.height)
        return Screenshot(image.data, image_type, image.size, pixel_ratio, origin, viewport, note)

    async def small_picture(self, limit: float) -> SmallPicture:
        """Take a small picture of the viewport within a limit; see `SmallPictures.take`."""
        return await self._small_pictures.take(limit)

    async def close(self) -> None:
        """Cancel the captures that have not ended. Idempotent."""
        await self._small_pictures.close()

    async def marked_screenshot(
        self,
        *,
        image_type: ImageType = "png",
        full_page: bool = False,
        element: Element | None = None,
        scale: Scale = "css",
    ) -> MarkedScreenshot:
        """Take a screenshot, and mark on it the elements that have a ref.

        For the arguments see `screenshot`, for the marks
        `marked_screenshot.take_marked_screenshot`.
        """
        take_screenshot = partial(
            self.screenshot,
            image_type=image_type,
            full_page=full_page,
            element=element,
            scale=scale,
        )
        return await marked_screenshot.take_marked_screenshot(
            self._page, take_screenshot, full_page=full_page, element=element
        )

    def make_mark_legend_renderer(
        self, screenshot: MarkedScreenshot
    ) -> mark_legend_text.RenderWithinBudget:
        """Return a function that renders the text about the marks; see `mark_legend_text`."""
        seen = self._page.baselines.current.nodes_for(self._page.frames.main.document_id) or ()
        return mark_legend_text.make_mark_legend_renderer(screenshot, seen)

    async def print_pdf(
        self,
        *,
        paper_format: str | None = None,
        landscape: bool = False,
        print_background: bool = False,
        scale: float = 1.0,
        page_ranges: str | None = None,
        margin: str | None = None,
    ) -> Pdf:
        """Print the page as a PDF, with the CSS media type "print" or the emulated one.

        Args:
            paper_format: See `print_options.paper_size`; None for the format in the page's CSS, or
                else Letter.
            landscape: Whether to print in landscape orientation.
            print_background: Whether to print background colours and images.
            scale: Scale of the content, 0.1 to 2.
            page_ranges: The pages to print, see `print_options.parse_page_ranges`; None for all.
            margin: See `print_options.parse_margins`; None for the margins in the page's CSS, or
                else 1 cm.

        Raises:
            CallError: The format, ranges or margins are invalid, or leave nothing to print.
            PageError: The page cannot be printed within the time limit of a navigation.
        """
        params: dict[str, Any] = {
            "landscape": landscape,
            "printBackground": print_background,
            "scale": scale,
            "preferCSSPageSize": paper_format is None,
            # A long PDF in a single message would delay all other messages.
            "transferMode": "ReturnAsStream",
        }
        if paper_format is not None:
            params["paperWidth"], params["paperHeight"] = print_options.paper_size(paper_format)
        if margin is not None:
            sides = ("marginTop", "marginRight", "marginBottom", "marginLeft")
            params |= dict(zip(sides, print_options.parse_margins(margin), strict=True))
        if page_ranges is not None:
            params["pageRanges"] = print_options.parse_page_ranges(page_ranges)
        page = self._page
        return await page.run_unless_blocked(
            pdf.print_page(page.session, params, page.timeouts.navigation)
        )
