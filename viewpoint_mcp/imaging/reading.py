"""Opens pictures, be they ours or anybody's, and takes none that is broken or a bomb."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS: Final = 200_000_000
"""Of a picture that is made or opened: 1280 x 156,000. One takes four bytes each in memory."""
_FORMATS: Final = ("PNG", "JPEG", "WEBP")


class BrokenPicture(Exception):
    """These bytes are no picture that can be read; the message says why, as part of a sentence."""


def opened(data: bytes, *, decoded: bool = True) -> Image:
    """Read a PNG, JPEG or WebP picture.

    Args:
        decoded: False for the header alone, which tells `size` and `format`.

    Raises:
        BrokenPicture: It is none, is incomplete, or is too large.
    """
    from PIL import Image, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = None  # the limit is ours, and an error
    try:
        image = Image.open(io.BytesIO(data), formats=_FORMATS)
        width, height = image.size
        if width * height > MOST_PIXELS:
            raise BrokenPicture(f"has {width}x{height} pixels, more than {MOST_PIXELS:,}")
        if decoded:
            image.load()
    except UnidentifiedImageError:
        raise BrokenPicture("is no PNG, JPEG or WebP picture") from None
    except (OSError, SyntaxError, ValueError) as error:  # what its decoders raise
        raise BrokenPicture(f"is damaged ({error})") from error
    return image
