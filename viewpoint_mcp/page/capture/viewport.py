"""The position of a page's viewport on its document, and the size of a CSS pixel there."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self, TypedDict, cast

if TYPE_CHECKING:
    from cdp_protocol.types.page import GetLayoutMetricsResult, LayoutViewport, VisualViewport
    from viewpoint_mcp.page.services import PageServices

_ROUNDING = 0.01  # CSS pixels; a smaller distance from a whole pixel counts as none


class BoxData(TypedDict):
    """An area as the JavaScript of `inpage` accepts and returns it, in CSS pixels."""

    left: float
    top: float
    right: float
    bottom: float


class _RatioAndSize(TypedDict):
    """Device pixel ratio, and size of the viewport in CSS pixels (`viewNow` of `inpage`)."""

    ratio: float
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle in CSS pixels. The code that uses it defines its coordinate system."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def size(self) -> tuple[float, float]:
        return self.width, self.height

    @property
    def box(self) -> BoxData:
        """The area as a dictionary, an argument for the JavaScript of `inpage`."""
        return {"left": self.left, "top": self.top, "right": self.right, "bottom": self.bottom}

    def shift(self, x: float, y: float) -> Self:
        """Return the area shifted by x to the right and y down."""
        return type(self)(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def round_outwards(self) -> Self:
        """Return the smallest area of whole pixels that contains this area."""
        left, top = math.floor(self.left + _ROUNDING), math.floor(self.top + _ROUNDING)
        return type(self)(
            left, top, math.ceil(self.right - _ROUNDING), math.ceil(self.bottom - _ROUNDING)
        )

    def intersect(self, other: Area) -> Self:
        """Return the intersection of both areas. Its size is negative if they do not overlap."""
        return type(self)(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def contains(self, other: Area) -> bool:
        """Return whether this area contains the other, up to rounding errors."""
        common = self.intersect(other)
        slack = (
            common.left - other.left,
            common.top - other.top,
            other.right - common.right,
            other.bottom - common.bottom,
        )
        return max(slack) <= _ROUNDING


@dataclass(frozen=True, slots=True)
class ViewportState:
    """The viewport of a page. Lengths are in CSS pixels, positions are relative to the document.

    Attributes:
        layout: The layout viewport. `position: fixed` and mouse coordinates refer to it.
        visual: The visual viewport; smaller than `layout` on a page with pinch zoom.
        scrollable_area: The scrollable area of the document.
        pinch_zoom: The pinch-zoom factor.
        browser_zoom: The zoom factor of the browser: device-independent pixels per CSS pixel.
        device_pixel_ratio: Device pixels per CSS pixel, without `pinch_zoom`.
        window_size: Width and height of the window's content area, scroll bars included.
    """

    layout: Area
    visual: Area
    scrollable_area: Area
    pinch_zoom: float
    browser_zoom: float
    device_pixel_ratio: float
    window_size: tuple[int, int]


async def read_viewport(page: PageServices) -> ViewportState:
    """Return the current viewport of the page.

    Raises:
        PageError: The page is blocked, or does not answer.

    Source: CDP `Page.getLayoutMetrics`.
    """
    window, metrics = await asyncio.gather(_read_window(page), _read_layout_metrics(page))
    layout, visual = metrics["cssLayoutViewport"], metrics["cssVisualViewport"]
    content = metrics["cssContentSize"]
    left, top = layout["pageX"], layout["pageY"]
    # Chromium's `pageX` of the visual viewport is relative to the scroll origin, which is at the
    # right on right-to-left pages. So compute the position from the offset.
    visual_area = _viewport_area(left + visual["offsetX"], top + visual["offsetY"], visual)
    return ViewportState(
        _viewport_area(left, top, layout),
        visual_area,
        Area(
            content["x"],
            content["y"],
            content["x"] + content["width"],
            content["y"] + content["height"],
        ),
        float(visual["scale"]),
        float(visual.get("zoom", 1)),
        float(window["ratio"]),
        (window["width"], window["height"]),
    )


async def _read_window(page: PageServices) -> _RatioAndSize:
    window: _RatioAndSize = await page.call_inpage(page.frames.main, "viewNow")
    return window


async def _read_layout_metrics(page: PageServices) -> GetLayoutMetricsResult:
    limit = page.timeouts.action
    metrics = await page.run_unless_blocked(
        page.session.send("Page.getLayoutMetrics", timeout=limit)
    )
    return cast("GetLayoutMetricsResult", metrics)


def _viewport_area(left: float, top: float, viewport: LayoutViewport | VisualViewport) -> Area:
    return Area(left, top, left + viewport["clientWidth"], top + viewport["clientHeight"])
