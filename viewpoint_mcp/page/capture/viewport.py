"""Where the page's viewport is on its document, and how large a CSS pixel is there."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self, TypedDict, cast

if TYPE_CHECKING:
    from cdp_protocol.types.page import GetLayoutMetricsResult, LayoutViewport, VisualViewport
    from viewpoint_mcp.page.services import PageServices

_ALMOST = 0.01  # CSS pixels: what is nearer to a whole one is one


class Box(TypedDict):
    """An area as functions of `inpage` take and return it, CSS pixels."""

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
    """A part of a page, in CSS pixels; of what, its user says."""

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
        """As a function of `inpage` takes it."""
        return {"left": self.left, "top": self.top, "right": self.right, "bottom": self.bottom}

    def moved(self, x: float, y: float) -> Self:
        return type(self)(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def in_whole_pixels(self) -> Self:
        """Return the smallest area of whole pixels that it lies in."""
        left, top = math.floor(self.left + _ALMOST), math.floor(self.top + _ALMOST)
        return type(self)(
            left, top, math.ceil(self.right - _ALMOST), math.ceil(self.bottom - _ALMOST)
        )

    def meets(self, other: Area) -> Self:
        """Return what both have in common; it may have a negative size."""
        return type(self)(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def holds(self, other: Area) -> bool:
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
    """The viewport. All lengths are CSS pixels, all positions those of the document.

    Attributes:
        layout: What `position: fixed` and the coordinates of the mouse refer to.
        shown: What is to be seen; smaller than `layout` on a page that was zoomed by fingers.
        whole: All of the document that can be scrolled to.
        pinch: How much fingers have zoomed it.
        zoom: How much the browser zooms it: device-independent pixels in a CSS pixel.
        ratio: Device pixels in a CSS pixel, but for `pinch`.
        size: Of the window's inside, with its scroll bars.
    """

    layout: Area
    shown: Area
    whole: Area
    pinch: float
    zoom: float
    ratio: float
    size: tuple[int, int]


async def look(page: PageServices) -> View:
    """Ask the page for its view.

    Raises:
        PageError: It is interrupted, or does not answer.

    Source: CDP `Page.getLayoutMetrics`.
    """
    now, metrics = await asyncio.gather(_window(page), _metrics(page))
    layout, shown = metrics["cssLayoutViewport"], metrics["cssVisualViewport"]
    whole = metrics["cssContentSize"]
    left, top = layout["pageX"], layout["pageY"]
    # Where the visual viewport is on the page it tells as scripts count, from the right on pages
    # that are written so.
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
    window: _Window = await page.call(page.frames.main, "viewNow")
    return window


async def _metrics(page: PageServices) -> GetLayoutMetricsResult:
    limit = page.timeouts.action
    metrics = await page.race(page.session.send("Page.getLayoutMetrics", timeout=limit))
    return cast("GetLayoutMetricsResult", metrics)


def _area(left: float, top: float, viewport: LayoutViewport | VisualViewport) -> Area:
    return Area(left, top, left + viewport["clientWidth"], top + viewport["clientHeight"])
