"""Opens pictures, be they ours or anybody's, and takes none that is broken or a bomb."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS: Final = 200_000_000
"""Of a picture that is made or opened: 1280 x 156,000. One takes four bytes each in memory."""
_FORMATS: Final = ("PNG", "JPEG", "WEBP")


class BrokenPicture(Exception):
    """These bytes are no picture that can be read; the message says why, as part of a sentence."""


def opened(data: bytes) -> Image:
    """Read a PNG, JPEG or WebP picture.

    Raises:
        BrokenPicture: It is none, is incomplete, or is too large.
    """
    with _reading():
        image = _begun(data)
        image.load()
    return image


def size_of(data: bytes) -> tuple[int, int]:
    """Return width and height in pixels, which the beginning of a file tells.

    Raises:
        BrokenPicture: It is no picture, or too large to be opened.
    """
    with _reading():
        return _begun(data).size


def _begun(data: bytes) -> Image:
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # the limit is ours, and an error
    image = Image.open(io.BytesIO(data), formats=_FORMATS)
    width, height = image.size
    if width * height > MOST_PIXELS:
        raise BrokenPicture(f"has {width}x{height} pixels, more than {MOST_PIXELS:,}")
    return image


@contextmanager
def _reading() -> Iterator[None]:
    """Say in one way what decoders say in many."""
    from PIL import UnidentifiedImageError

    try:
        yield
    except UnidentifiedImageError:
        raise BrokenPicture("is no PNG, JPEG or WebP picture") from None
    except (OSError, SyntaxError, ValueError) as error:
        raise BrokenPicture(f"is damaged ({error})") from error
