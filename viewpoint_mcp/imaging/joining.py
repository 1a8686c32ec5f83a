"""Combination of several images into one.

Strips are joined vertically without decoding them. A PNG image is a sequence of rows, each encoded
as differences to neighbouring pixels. So the rows of the second image can follow those of the
first, and only its first row needs a new encoding. This takes a third of the time of decoding and
encoding all pixels, and does not keep the pixels in memory.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from viewpoint_mcp.imaging.reading import opened

if TYPE_CHECKING:
    from PIL.Image import Image

Kind = Literal["png", "jpeg", "webp"]

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_RGB: Final = bytes((8, 2, 0, 0, 0))
"""The end of an IHDR chunk: bit depth, colour type, compression, filters, no interlacing."""
_PIXEL: Final = 3  # bytes
_NONE, _SUB, _UP, _AVERAGE, _PAETH = range(5)  # filter types of a row (PNG specification, sec. 9)
_LEVEL: Final = 1  # compression level; files are 25 % larger than with 6, in a third of the time
_QUALITY: Final = 90


@dataclass(frozen=True, slots=True)
class Part:
    """An image, and its position in the combined image.

    Attributes:
        data: The PNG, JPEG or WebP file.
        left: The x coordinate of its left edge, in pixels.
        top: The y coordinate of its top edge, in pixels.
    """

    data: bytes
    left: int
    top: int


class Strips:
    """Writer of a PNG image that consists of strips, added from top to bottom.

    Args:
        width: The width of the strips and of the image, in pixels.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._height = 0
        self._deflate = zlib.compressobj(_LEVEL)
        self._packed: list[bytes] = []

    def add(self, data: bytes, height: int) -> None:
        """Add a strip at the bottom.

        Args:
            data: A PNG file.
            height: The height of the strip in pixels. A strip of another size is cut, or extended
                with white.

        Raises:
            BrokenPicture: The strip is not RGB or has another size, and cannot be decoded.
            zlib.error: The pixel data is damaged.
        """
        size = self._width, height
        rows = _rows(data, size) or _rows_of(_cut(opened(data), size))
        row = 1 + self._width * _PIXEL
        self._packed.append(self._deflate.compress(_on_its_own(rows[:row])))
        self._packed.append(self._deflate.compress(memoryview(rows)[row:]))
        self._height += height

    def finish(self) -> bytes:
        """Return the PNG file. No strip can be added after this."""
        self._packed.append(self._deflate.flush())
        header = struct.pack(">II", self._width, self._height) + _RGB
        body = b"".join(self._packed)
        chunks = ((b"IHDR", header), (b"IDAT", body), (b"IEND", b""))
        return b"".join([_SIGNATURE, *(each for chunk in chunks for each in _chunk(*chunk))])


def mosaic(parts: Sequence[Part], size: tuple[int, int], kind: Kind) -> bytes:
    """Return an image of a size with the parts at their positions on a white background.

    Args:
        parts: The parts. Later parts cover earlier ones.
        size: The width and height in pixels.
        kind: The file format.

    Raises:
        BrokenPicture: A part cannot be decoded.
    """
    from PIL import Image

    whole = Image.new("RGB", size, "white")
    for part in parts:
        whole.paste(opened(part.data), (part.left, part.top))
    file = io.BytesIO()
    if kind == "png":
        whole.save(file, "PNG", compress_level=_LEVEL)
    elif kind == "jpeg":
        whole.save(file, "JPEG", quality=_QUALITY)
    else:
        whole.save(file, "WEBP", quality=_QUALITY, method=0)
    return file.getvalue()


def _chunk(name: bytes, body: bytes) -> tuple[bytes, ...]:
    checksum = zlib.crc32(body, zlib.crc32(name))
    return struct.pack(">I", len(body)), name, body, struct.pack(">I", checksum)


def _rows(data: bytes, size: tuple[int, int]) -> bytes | None:
    """Return the filtered rows of an 8-bit RGB PNG of this size; None for any other PNG."""
    packed = []
    for name, body in _chunks(data):
        if name == b"IHDR" and bytes(body) != struct.pack(">II", *size) + _RGB:
            return None
        if name == b"IDAT":
            packed.append(body)
    width, height = size
    return zlib.decompress(b"".join(packed), bufsize=height * (1 + width * _PIXEL))


def _chunks(data: bytes) -> Iterator[tuple[bytes, memoryview]]:
    at, view = len(_SIGNATURE), memoryview(data)
    while at < len(data):
        length = int.from_bytes(data[at : at + 4])
        yield data[at + 4 : at + 8], view[at + 8 : at + 8 + length]
        at += length + 12


def _on_its_own(row: bytes) -> bytes:
    """Re-encode the first row of an image so that it does not depend on the row above it."""
    kind = row[0]
    if kind in (_NONE, _SUB):
        return row
    if kind == _UP:
        return bytes((_NONE,)) + row[1:]
    if kind == _PAETH:
        return bytes((_SUB,)) + row[1:]
    plain = bytearray(row[1:])
    for at in range(_PIXEL, len(plain)):
        plain[at] = (plain[at] + plain[at - _PIXEL] // 2) & 255
    return bytes((_NONE,)) + plain


def _cut(image: Image, size: tuple[int, int]) -> Image:
    """Return the image in RGB with this size, cut or extended with white."""
    from PIL import Image

    if image.size == size and image.mode == "RGB":
        return image
    whole = Image.new("RGB", size, "white")
    whole.paste(image)
    return whole


def _rows_of(image: Image) -> bytes:
    pixels, row = image.tobytes(), image.width * _PIXEL
    starts = range(0, len(pixels), row)
    return b"".join(bytes((_NONE,)) + pixels[start : start + row] for start in starts)
