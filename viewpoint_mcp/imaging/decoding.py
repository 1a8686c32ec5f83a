"""Safe decoding of images: damaged images and decompression bombs are refused."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PIXELS: Final = 200_000_000
"""Maximum number of pixels of an image, decoded or created, such as 1280 x 156,000.

A pixel needs up to four bytes of memory."""
_FORMATS: Final = ("PNG", "JPEG", "WEBP")


class UnreadableImageError(Exception):
    """An image cannot be decoded. The message is the predicate of a sentence about the image."""


def decode_image(data: bytes) -> Image:
    """Decode a PNG, JPEG or WebP image.

    Raises:
        UnreadableImageError: The data has another format, is damaged or incomplete, or has more
            than `MAX_PIXELS` pixels.
    """
    with _translate_errors():
        image = _open_image(data)
        image.load()
    return image


def read_image_size(data: bytes) -> tuple[int, int]:
    """Return the width and height of an image in pixels. The beginning of the file is enough.

    Raises:
        UnreadableImageError: The data has another format, or has more than `MAX_PIXELS` pixels.
    """
    with _translate_errors():
        return _open_image(data).size


def _open_image(data: bytes) -> Image:
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # Pillow only warns at this limit. The check below replaces it.
    image = Image.open(io.BytesIO(data), formats=_FORMATS)
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise UnreadableImageError(f"has {width}x{height} pixels, more than {MAX_PIXELS:,}")
    return image


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Translate the errors of image decoders into `UnreadableImageError`."""
    from PIL import UnidentifiedImageError

    try:
        yield
    except UnidentifiedImageError:
        raise UnreadableImageError("is not a PNG, JPEG or WebP image") from None
    except (OSError, SyntaxError, ValueError) as error:
        raise UnreadableImageError(f"is damaged ({error})") from error
