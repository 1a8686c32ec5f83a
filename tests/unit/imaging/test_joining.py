"""Pictures are joined pixel by pixel, for every filter type of their rows."""

from __future__ import annotations

import io
import struct
import zlib

import pytest
from PIL import Image

from viewpoint_mcp.imaging.joining import ImageFormat, ImagePart, PngStripWriter, combine_images

WIDTH = 5


def pixels(height: int, seed: int) -> bytes:
    return bytes((at * at + seed * 7 + at // 3) % 256 for at in range(WIDTH * height * 3))


def encode_with_filter(data: bytes, kind: int) -> bytes:
    """Return a PNG picture whose rows all use one filter type (PNG specification, section 9)."""
    stride, rows = WIDTH * 3, b""
    for start in range(0, len(data), stride):
        rows += bytes([kind])
        for at in range(start, start + stride):
            left = data[at - 3] if at - 3 >= start else 0
            up = data[at - stride] if at >= stride else 0
            corner = data[at - stride - 3] if at >= stride and at - 3 >= start else 0
            near = left + up - corner
            paeth = min((left, up, corner), key=lambda each: abs(near - each))
            result = (0, left, up, (left + up) // 2, paeth)[kind]
            rows += bytes([(data[at] - result) % 256])
    header = struct.pack(">IIBBBBB", WIDTH, len(data) // stride, 8, 2, 0, 0, 0)
    file = b"\x89PNG\r\n\x1a\n"
    for name, body in ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")):
        checksum = struct.pack(">I", zlib.crc32(name + body))
        file += struct.pack(">I", len(body)) + name + body + checksum
    return file


def decode(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def encode_png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@pytest.mark.parametrize("kind", range(5), ids=["none", "sub", "up", "average", "paeth"])
def test_strips_follow_each_other(kind: int) -> None:
    strips, upper, lower = PngStripWriter(WIDTH), pixels(4, 1), pixels(3, 2)
    assert decode(encode_with_filter(lower, kind)).tobytes() == lower
    strips.add(encode_with_filter(upper, kind), 4)
    strips.add(encode_with_filter(lower, kind), 3)
    whole = decode(strips.finish())
    assert (whole.size, whole.mode) == ((WIDTH, 7), "RGB")
    assert whole.tobytes() == upper + lower


@pytest.mark.parametrize("mode", ["RGBA", "L", "P"])
def test_a_strip_of_another_filter_type_is_accepted(mode: str) -> None:
    other = Image.new("RGB", (WIDTH, 2), (51, 51, 51)).convert(mode)
    strips = PngStripWriter(WIDTH)
    strips.add(encode_with_filter(pixels(4, 1), 4), 4)
    strips.add(encode_png(other), 2)
    strips.add(encode_with_filter(pixels(2, 3), 3), 2)
    whole = decode(strips.finish())
    assert whole.tobytes() == pixels(4, 1) + bytes([51] * WIDTH * 2 * 3) + pixels(2, 3)


def test_a_strip_has_the_requested_height() -> None:
    strips = PngStripWriter(WIDTH)
    strips.add(encode_with_filter(pixels(4, 1), 2), 3)
    strips.add(encode_with_filter(pixels(1, 1), 2), 2)
    whole = decode(strips.finish())
    white = bytes([255] * WIDTH * 3)
    assert whole.tobytes() == pixels(4, 1)[: 3 * WIDTH * 3] + pixels(1, 1) + white


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp"])
def test_a_mosaic_has_its_parts_in_their_places(kind: ImageFormat) -> None:
    red, blue = (Image.new("RGB", (20, 30), colour) for colour in ("red", "blue"))
    whole = decode(
        combine_images(
            [ImagePart(encode_png(red), 0, 0), ImagePart(encode_png(blue), 40, 10)], (60, 40), kind
        )
    )
    assert (whole.format, whole.size) == (kind.upper(), (60, 40))
    places = {(5, 5): (255, 0, 0), (55, 35): (0, 0, 255), (30, 5): (255, 255, 255)}
    for place, colour in places.items():
        pixel = whole.convert("RGB").getpixel(place)
        assert isinstance(pixel, tuple)
        assert all(abs(have - want) < 8 for have, want in zip(pixel, colour, strict=True))
