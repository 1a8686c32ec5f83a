"""Safe decoding of images: damaged images and decompression bombs are refused."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS: Final = 200_000_000
"""Maximum number of pixels of an image, decoded or created, such as 1280 x 156,000.

A pixel needs up to four bytes of memory."""
_FORMATS: Final = ("PNG", "JPEG", "WEBP")


class BrokenPicture(Exception):
    """An image cannot be decoded. The message is the predicate of a sentence about the image."""


def opened(data: bytes) -> Image:
    """Decode a PNG, JPEG or WebP image.

    Raises:
        BrokenPicture: The data has another format, is damaged or incomplete, or has more than
            `MOST_PIXELS` pixels.
    """
    with _reading():
        image = _begun(data)
        image.load()
    return image


def size_of(data: bytes) -> tuple[int, int]:
    """Return the width and height of an image in pixels. The beginning of the file is enough.

    Raises:
        BrokenPicture: The data has another format, or has more than `MOST_PIXELS` pixels.
    """
    with _reading():
        return _begun(data).size


def _begun(data: bytes) -> Image:
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # Pillow only warns at this limit. The check below replaces it.
    image = Image.open(io.BytesIO(data), formats=_FORMATS)
    width, height = image.size
    if width * height > MOST_PIXELS:
        raise BrokenPicture(f"has {width}x{height} pixels, more than {MOST_PIXELS:,}")
    return image


@contextmanager
def _reading() -> Iterator[None]:
    """Translate the errors of image decoders into `BrokenPicture`."""
    from PIL import UnidentifiedImageError

    try:
        yield
    except UnidentifiedImageError:
        raise BrokenPicture("is no PNG, JPEG or WebP picture") from None
    except (OSError, SyntaxError, ValueError) as error:
        raise BrokenPicture(f"is damaged ({error})") from error
