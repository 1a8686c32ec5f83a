"""The position of a page's viewport on its document, and the size of a CSS pixel there."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self, TypedDict, cast

if TYPE_CHECKING:
    from cdp_protocol.types.page import GetLayoutMetricsResult, LayoutViewport, VisualViewport
    from viewpoint_mcp.page.services import PageServices

_ALMOST = 0.01  # CSS pixels; a smaller distance from a whole pixel counts as none


class Box(TypedDict):
    """An area as the functions of `inpage` accept and return it, in CSS pixels."""

    left: float
    top: float
    right: float
    bottom: float


class _Window(TypedDict):
    """The result of `viewNow`."""

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
    def told(self) -> Box:
        """The area as the functions of `inpage` accept it."""
        return {"left": self.left, "top": self.top, "right": self.right, "bottom": self.bottom}

    def moved(self, x: float, y: float) -> Self:
        """Return the area shifted by x to the right and y down."""
        return type(self)(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def in_whole_pixels(self) -> Self:
        """Return the smallest area of whole pixels that contains this area."""
        left, top = math.floor(self.left + _ALMOST), math.floor(self.top + _ALMOST)
        return type(self)(
            left, top, math.ceil(self.right - _ALMOST), math.ceil(self.bottom - _ALMOST)
        )

    def meets(self, other: Area) -> Self:
        """Return the intersection of both areas. Its size is negative if they do not overlap."""
        return type(self)(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def holds(self, other: Area) -> bool:
        """Return whether this area contains the other, up to rounding errors."""
        common = self.meets(other)
        slack = (
            common.left - other.left,
            common.top - other.top,
            other.right - common.right,
            other.bottom - common.bottom,
        )
        return max(slack) <= _ALMOST


@dataclass(frozen=True, slots=True)
class View:
    """The viewport of a page. Lengths are in CSS pixels, positions are relative to the document.

    Attributes:
        layout: The layout viewport. `position: fixed` and mouse coordinates refer to it.
        shown: The visual viewport; smaller than `layout` on a page with pinch zoom.
        whole: The scrollable area of the document.
        pinch: The pinch-zoom factor.
        zoom: The zoom factor of the browser: device-independent pixels per CSS pixel.
        ratio: Device pixels per CSS pixel, without `pinch`.
        size: Width and height of the window's content area, scroll bars included.
    """

    layout: Area
    shown: Area
    whole: Area
    pinch: float
    zoom: float
    ratio: float
    size: tuple[int, int]


async def look(page: PageServices) -> View:
    """Return the current viewport of the page.

    Raises:
        PageError: The page is blocked, or does not answer.

    Source: CDP `Page.getLayoutMetrics`.
    """
    now, metrics = await asyncio.gather(_window(page), _metrics(page))
    layout, shown = metrics["cssLayoutViewport"], metrics["cssVisualViewport"]
    whole = metrics["cssContentSize"]
    left, top = layout["pageX"], layout["pageY"]
    # Chromium's `pageX` of the visual viewport is relative to the scroll origin, which is at the
    # right on right-to-left pages. So compute the position from the offset.
    at = _area(left + shown["offsetX"], top + shown["offsetY"], shown)
    return View(
        _area(left, top, layout),
        at,
        Area(whole["x"], whole["y"], whole["x"] + whole["width"], whole["y"] + whole["height"]),
        float(shown["scale"]),
        float(shown.get("zoom", 1)),
        float(now["ratio"]),
        (now["width"], now["height"]),
    )


async def _window(page: PageServices) -> _Window:
    window: _Window = await page.call_inpage(page.frames.main, "viewNow")
    return window


async def _metrics(page: PageServices) -> GetLayoutMetricsResult:
    limit = page.timeouts.action
    metrics = await page.run_unless_blocked(
        page.session.send("Page.getLayoutMetrics", timeout=limit)
    )
    return cast("GetLayoutMetricsResult", metrics)


def _area(left: float, top: float, viewport: LayoutViewport | VisualViewport) -> Area:
    return Area(left, top, left + viewport["clientWidth"], top + viewport["clientHeight"])
