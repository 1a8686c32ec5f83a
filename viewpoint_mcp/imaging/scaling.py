"""Scaling of images to the size limits of vision models."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.imaging.decoding import decode_image, read_image_size

if TYPE_CHECKING:
    from PIL.Image import Image

Region = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels. The right and bottom edges are exclusive."""

_MAX_SIDE: Final = 1568
_MAX_PIXELS: Final = 1_150_000
_THUMBNAIL_WIDTH: Final = 320
_QUALITY: Final = 80
_ROUNDING: Final = 1e-6  # In floating point, 3000 * (1568 / 3000) is slightly less than 1568.


@dataclass(frozen=True, slots=True)
class ScaledImage:
    """A JPEG made from an image, or from a region of an image.

    Attributes:
        data: The JPEG file.
        size: The width and height in pixels.
        original_size: The width and height of the source image or region, in pixels.
        mime_type: The MIME type.
    """

    data: bytes
    size: tuple[int, int]
    original_size: tuple[int, int]
    mime_type: str = "image/jpeg"

    @property
    def scale(self) -> float:
        """Pixels of this image per pixel of the original; at most 1."""
        return max(self.size) / max(self.original_size)


def scale_for_model(data: bytes, region: Region | None = None) -> ScaledImage:
    """Return a JPEG that models see without further scaling.

    The limits are 1568 pixels for each side and 1.15 megapixels. Smaller images keep their size.

    Args:
        data: The image file.
        region: The part of the image to use; None for the whole image.

    Raises:
        UnreadableImageError: The image cannot be decoded.
    """
    image = decode_image(data)
    if region is not None:
        image = image.crop(region)
    return _make_scaled_image(image, get_model_scale(image.size))


def get_model_scale(size: tuple[int, int]) -> float:
    """Return the factor by which a model scales an image of this size; 1 for no scaling."""
    return min(1, _MAX_SIDE / max(size), math.sqrt(_MAX_PIXELS / math.prod(size)))


def make_thumbnail(data: bytes) -> ScaledImage:
    """Return a JPEG at most 320 pixels wide and 1568 pixels high, with the same aspect ratio.

    Args:
        data: The image file.

    Raises:
        UnreadableImageError: The image cannot be decoded.
    """
    image = decode_image(data)
    return _make_scaled_image(
        image, min(1, _THUMBNAIL_WIDTH / image.width, _MAX_SIDE / image.height)
    )


def limit_width(data: bytes, width: int) -> ScaledImage:
    """Return a JPEG at most `width` pixels wide. A narrower JPEG stays as it is.

    Args:
        data: The JPEG file.

    Raises:
        UnreadableImageError: The image cannot be decoded.
    """
    size = read_image_size(data)
    if size[0] <= width:
        return ScaledImage(data, size, size)
    return _make_scaled_image(decode_image(data), width / size[0])


def _make_scaled_image(image: Image, scale: float) -> ScaledImage:
    original = image.size
    if image.mode not in ("RGB", "L"):
        image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    if scale < 1:
        size = (_scale_length(image.width, scale), _scale_length(image.height, scale))
        image = image.resize(size, reducing_gap=2.0)
    if image.mode == "RGBA":
        image = _put_on_white(image)
    file = io.BytesIO()
    image.save(file, "JPEG", quality=_QUALITY)
    return ScaledImage(file.getvalue(), image.size, original)


def _scale_length(length: int, scale: float) -> int:
    return max(1, math.floor(length * scale + _ROUNDING))


def _put_on_white(image: Image) -> Image:
    """Return an RGBA image on white. Saved as JPEG, transparent pixels would get random colours."""
    from PIL import Image

    white = Image.new("RGB", image.size, "white")
    white.paste(image, mask=image.getchannel("A"))
    return white
