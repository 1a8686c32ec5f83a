"""Makes pictures small enough for a model: no more pixels than it would look at."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.imaging.reading import opened

if TYPE_CHECKING:
    from PIL.Image import Image

Region = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels; what is to the right and below is outside."""

_LONGEST_SIDE: Final = 1568
_MOST_PIXELS: Final = 1_150_000
_THUMBNAIL_WIDTH: Final = 320
_QUALITY: Final = 80
_ROUNDING: Final = 1e-6  # 3000 x (1568 / 3000) is a hair less than 1568


@dataclass(frozen=True, slots=True)
class Small:
    """A JPEG made of a picture, or of a region of it.

    Attributes:
        size: Width and height in pixels.
        original: Those of what it was made of.
    """

    data: bytes
    size: tuple[int, int]
    original: tuple[int, int]
    mime_type: str = "image/jpeg"

    @property
    def scale(self) -> float:
        """Its pixels for one of the original; 1 at most."""
        return max(self.size) / max(self.original)


def fitted(data: bytes, region: Region | None = None) -> Small:
    """Make a picture that a model sees whole: 1568 pixels a side and 1.15 megapixels at most, as
    much smaller as need be and never larger.

    Args:
        region: Take this part of it.

    Raises:
        BrokenPicture: It cannot be read.
    """
    image = opened(data)
    if region is not None:
        image = image.crop(region)
    return _made(image, scale_seen(image.size))


def scale_seen(size: tuple[int, int]) -> float:
    """Return how much smaller a model sees a picture of that size; 1 for as it is."""
    return min(1, _LONGEST_SIDE / max(size), math.sqrt(_MOST_PIXELS / math.prod(size)))


def thumbnail(data: bytes) -> Small:
    """Make a picture 320 pixels wide, lower than a model would have it made smaller.

    Raises:
        BrokenPicture: It cannot be read.
    """
    image = opened(data)
    return _made(image, min(1, _THUMBNAIL_WIDTH / image.width, _LONGEST_SIDE / image.height))


def _made(image: Image, scale: float) -> Small:
    original = image.size
    if image.mode not in ("RGB", "L"):
        image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    if scale < 1:
        size = (_scaled(image.width, scale), _scaled(image.height, scale))
        image = image.resize(size, reducing_gap=2.0)
    if image.mode == "RGBA":
        image = _on_white(image)
    file = io.BytesIO()
    image.save(file, "JPEG", quality=_QUALITY)
    return Small(file.getvalue(), image.size, original)


def _scaled(length: int, scale: float) -> int:
    return max(1, math.floor(length * scale + _ROUNDING))


def _on_white(image: Image) -> Image:
    """JPEG knows no transparency, and would show what happens to lie beneath it."""
    from PIL import Image

    white = Image.new("RGB", image.size, "white")
    white.paste(image, mask=image.getchannel("A"))
    return white
