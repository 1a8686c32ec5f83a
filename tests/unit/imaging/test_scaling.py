"""Pictures for a model: never more pixels than it sees, never larger than the original."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from viewpoint_mcp.imaging.decoding import UnreadableImageError, decode_image, read_image_size
from viewpoint_mcp.imaging.scaling import ScaledImage, make_thumbnail, scale_for_model


def encoded(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def picture(width: int, height: int, mode: str = "RGB") -> bytes:
    return encoded(Image.new(mode, (width, height), "red"))


def decoded(small: ScaledImage) -> Image.Image:
    image = Image.open(io.BytesIO(small.data))
    assert image.format == "JPEG"
    assert image.size == small.size
    return image.convert("RGB")


def is_near(color: object, wanted: tuple[int, int, int]) -> bool:
    assert isinstance(color, tuple)
    return all(abs(a - b) <= 4 for a, b in zip(color, wanted, strict=True))


@pytest.mark.parametrize(
    ("original", "size"),
    [
        ((1280, 720), (1280, 720)),  # 0.92 megapixels
        ((1568, 733), (1568, 733)),  # just within both
        ((1568, 1568), (1072, 1072)),
        ((2560, 1440), (1429, 804)),
        ((1280, 20_000), (100, 1568)),
        ((40_000, 10), (1568, 1)),
        ((30_000, 1), (1568, 1)),
        ((1, 1), (1, 1)),
        ((390, 844), (390, 844)),
    ],
)
def test_the_picture_is_as_large_as_the_limits_allow(
    original: tuple[int, int], size: tuple[int, int]
) -> None:
    small = scale_for_model(picture(*original))
    assert small.size == size
    assert small.original_size == original
    assert max(small.size) <= 1568
    assert size[0] * size[1] <= 1_150_000
    assert is_near(decoded(small).getpixel((0, 0)), (255, 0, 0))


def test_the_scale_is_the_factor_of_reduction() -> None:
    assert scale_for_model(picture(1280, 720)).scale == 1
    assert scale_for_model(picture(3136, 100)).scale == 0.5
    assert scale_for_model(picture(1000, 31_360)).scale == 0.05


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
@pytest.mark.parametrize("size", [(40, 40), (3000, 3000)])
def test_transparent_parts_become_white(kind: str, size: tuple[int, int]) -> None:
    image = Image.new("RGBA", size, (0, 0, 0, 0))
    image.paste((0, 0, 255, 255), (0, 0, size[0] // 2, size[1]))
    shown = decoded(scale_for_model(encoded(image, kind)))
    assert is_near(shown.getpixel((2, 2)), (0, 0, 255))
    assert is_near(shown.getpixel((shown.width - 3, 2)), (255, 255, 255))


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_mode_of_a_png_is_accepted(mode: str) -> None:
    image = Image.new(mode, (8, 8), 65_535 if mode == "I;16" else "white")
    assert is_near(decoded(scale_for_model(encoded(image))).getpixel((4, 4)), (255, 255, 255))


def test_colours_of_a_palette_with_a_transparent_one_are_kept() -> None:
    image = Image.new("P", (20, 20), 0)
    image.putpalette([0, 0, 0, 0, 128, 0])
    image.paste(1, (0, 0, 10, 20))
    shown = decoded(scale_for_model(encoded(image, transparency=0)))
    assert is_near(shown.getpixel((3, 3)), (0, 128, 0))
    assert is_near(shown.getpixel((16, 3)), (255, 255, 255))


def test_a_cmyk_photograph_is_accepted() -> None:
    assert scale_for_model(encoded(Image.new("CMYK", (30, 20)), "JPEG")).size == (30, 20)


def test_a_region_is_cut_out_before_it_is_scaled() -> None:
    image = Image.new("RGB", (4000, 4000), "white")
    image.paste("green", (1000, 2000, 1010, 2020))
    small = scale_for_model(encoded(image), (1000, 2000, 1010, 2020))
    assert small.size == small.original_size == (10, 20)
    assert is_near(decoded(small).getpixel((5, 10)), (0, 128, 0))


@pytest.mark.parametrize(
    ("original", "size"),
    [
        ((1280, 720), (320, 180)),
        ((200, 100), (200, 100)),
        ((1280, 20_000), (100, 1568)),
        ((5000, 1), (320, 1)),
    ],
)
def test_a_thumbnail_is_320_wide(original: tuple[int, int], size: tuple[int, int]) -> None:
    assert make_thumbnail(picture(*original)).size == size


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is not a PNG, JPEG or WebP image"),
        (b"<html>", "is not a PNG, JPEG or WebP image"),
        (b"\x89PNG\r\n\x1a\n", "is not a PNG, JPEG or WebP image|is damaged"),
        (picture(200, 200)[:-60], "is damaged"),
        (encoded(Image.effect_noise((64, 64), 90), "JPEG")[:500], "is damaged"),
        (encoded(Image.new("RGB", (9, 9)), "GIF"), "is not a PNG, JPEG or WebP image"),
    ],
)
def test_a_file_that_is_no_picture_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(UnreadableImageError, match=words):
        decode_image(data)


def test_a_bomb_is_refused_before_it_is_decoded() -> None:
    bomb = encoded(Image.new("1", (20_000, 20_000)))
    with pytest.raises(UnreadableImageError, match="20000x20000 pixels, more than 200,000,000"):
        decode_image(bomb)
    with pytest.raises(UnreadableImageError, match="more than"):
        read_image_size(bomb)


def test_the_size_is_read_from_the_beginning_of_a_file() -> None:
    assert read_image_size(encoded(Image.effect_noise((300, 200), 90))[:100]) == (300, 200)
