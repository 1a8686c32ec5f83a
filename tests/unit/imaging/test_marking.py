"""Boxes and labels drawn on pictures."""

from __future__ import annotations

import io
import itertools

import pytest
from PIL import Image, ImageChops

from viewpoint_mcp.imaging.decoding import UnreadableImageError
from viewpoint_mcp.imaging.marking import PALETTE, Box, Mark, choose_colour, draw_marks

GREY = (120, 120, 120)


def blank(
    size: tuple[int, int] = (400, 300), kind: str = "PNG", ground: tuple[int, ...] = (255, 255, 255)
) -> bytes:
    file = io.BytesIO()
    Image.new("RGB" if len(ground) == 3 else "RGBA", size, ground).save(file, kind)
    return file.getvalue()


def drawn(*marks: Mark, size: tuple[int, int] = (400, 300), scale: float = 1.0) -> Image.Image:
    return Image.open(io.BytesIO(draw_marks(blank(size, ground=GREY), marks, scale)))


def box_of_changes(image: Image.Image, ground: tuple[int, ...] = GREY) -> Box | None:
    """Return the box around everything that was drawn."""
    plain = Image.new("RGB", image.size, ground)
    return ImageChops.difference(image.convert("RGB"), plain).getbbox()


def label_pixels(image: Image.Image, label: str) -> int:
    """Return how many pixels have exactly the colour of the label."""
    colours = image.convert("RGB").getcolors(1 << 24) or []
    return sum(count for count, colour in colours if colour == choose_colour(label))


@pytest.mark.parametrize("scale", [1.0, 2.0, 1.5])
def test_the_line_follows_the_edge_of_the_box_and_is_two_css_pixels_thick(scale: float) -> None:
    image = drawn(Mark("e1", ((100, 80, 200, 180),)), scale=scale)
    line = round(2 * scale)
    for x, y in ((100, 130), (199, 130), (150, 80), (150, 179)):
        assert image.getpixel((x, y)) == choose_colour("e1")
    row = [image.getpixel((x, 130)) for x in range(80, 120)]
    assert row.count(choose_colour("e1")) == line
    assert row.count((255, 255, 255)) == max(1, round(scale))


def test_every_type_keeps_its_type_and_size() -> None:
    for kind in ("PNG", "JPEG", "WEBP"):
        made = Image.open(
            io.BytesIO(draw_marks(blank(kind=kind), [Mark("e1", ((5, 5, 50, 50),))], 1))
        )
        assert (made.format, made.size) == (kind, (400, 300))


def test_a_transparent_picture_stays_transparent() -> None:
    data = draw_marks(blank(ground=(0, 0, 0, 0)), [Mark("e1", ((50, 50, 90, 90),))], 1)
    made = Image.open(io.BytesIO(data))
    assert made.getpixel((399, 299)) == (0, 0, 0, 0)
    assert made.getpixel((70, 50)) == (*choose_colour("e1"), 255)


def test_a_label_is_beside_its_box_if_there_is_room() -> None:
    image = drawn(Mark("e1", ((100, 100, 200, 200),)))
    inside = image.crop((101, 101, 199, 199))
    assert inside.getcolors() == [(98 * 98, GREY)]
    assert label_pixels(image, "e1") > 4 * 2 * 100


@pytest.mark.parametrize(
    "box", [(0, 0, 400, 300), (0, 0, 5, 5), (395, 295, 400, 300), (0, 290, 400, 300)]
)
def test_nothing_is_drawn_outside_the_picture_and_the_label_is_complete(box: Box) -> None:
    image = drawn(Mark("e1234", (box,)))
    room = drawn(Mark("e1234", ((100, 100, 110, 110),)))
    ten = room.crop((98, 98, 112, 112))
    label_alone = label_pixels(room, "e1234") - label_pixels(ten, "e1234")
    assert label_alone > 100
    assert label_pixels(image, "e1234") >= label_alone
    assert image.size == (400, 300)


def test_labels_of_a_dense_table_cover_neither_each_other_nor_its_texts() -> None:
    marks = [
        Mark(
            f"e{row * 6 + column + 1}",
            ((20 + column * 60, 30 + row * 40, 44 + column * 60, 54 + row * 40),),
        )
        for row in range(4)
        for column in range(6)
    ]
    alone = {each.label: label_pixels(drawn(each), each.label) for each in marks}
    together = drawn(*marks)
    by_colour = {
        colour: sum(alone[each.label] for each in marks if choose_colour(each.label) == colour)
        for colour in PALETTE
    }
    shown = {colour: count for count, colour in together.getcolors(1 << 24) or []}
    for colour, expected in by_colour.items():
        assert shown.get(colour, 0) == pytest.approx(expected, rel=0.02)


def test_a_label_avoids_drawings_around_its_box() -> None:
    ground = Image.new("RGB", (400, 300), "white")
    noise = Image.effect_noise((400, 60), 120).convert("RGB")
    ground.paste(noise, (0, 40))
    file = io.BytesIO()
    ground.save(file, "PNG")
    data = draw_marks(file.getvalue(), [Mark("e1", ((100, 102, 160, 140),))], 1)
    above = Image.open(io.BytesIO(data)).crop((0, 40, 400, 98))
    assert label_pixels(above, "e1") == 0


def test_letters_are_larger_where_a_model_sees_the_picture_smaller() -> None:
    box: Box = (100, 100, 140, 140)
    near = drawn(Mark("e1", (box,)), size=(1000, 800))
    far = drawn(Mark("e1", (box,)), size=(2600, 1600))
    assert label_pixels(far, "e1") > 1.3 * label_pixels(near, "e1")
    sharp = drawn(Mark("e1", (box,)), size=(1000, 800), scale=2)
    assert label_pixels(sharp, "e1") > 2 * label_pixels(near, "e1")


def test_neighbouring_refs_have_different_colours_and_a_ref_always_the_same() -> None:
    for prefix in ("e", "f1e", "c1p2f3e"):
        colours = [choose_colour(f"{prefix}{number}") for number in range(1, 400)]
        assert all(one != other for one, other in itertools.pairwise(colours))
    assert drawn(Mark("e7", ((50, 50, 90, 90),))).getpixel((50, 70)) == choose_colour("e7")


def test_white_letters_are_readable_on_every_colour() -> None:
    def luminance(colour: tuple[int, int, int]) -> float:
        parts = [each / 255 for each in colour]
        r, g, b = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    assert all(1.05 / (luminance(each) + 0.05) >= 4.5 for each in PALETTE)  # WCAG 2.2, 1.4.3


def test_all_parts_of_a_broken_link_are_outlined_and_one_is_labelled() -> None:
    parts: tuple[Box, ...] = ((200, 50, 390, 70), (10, 80, 60, 100))
    image = drawn(Mark("e1", parts))
    assert image.getpixel((250, 50)) == image.getpixel((30, 80)) == choose_colour("e1")
    one = drawn(Mark("e1", parts[:1]))
    added = label_pixels(image, "e1") - label_pixels(one, "e1")
    assert added == pytest.approx(2 * 2 * (50 + 20), abs=10)


def test_no_marks_leave_the_picture_as_it_is() -> None:
    assert box_of_changes(drawn()) is None


def test_a_file_that_is_no_picture_is_refused() -> None:
    with pytest.raises(UnreadableImageError, match="not a PNG, JPEG or WebP"):
        draw_marks(b"nothing", [], 1)
