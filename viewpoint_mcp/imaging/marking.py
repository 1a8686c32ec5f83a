"""Drawing of boxes with labels on an image, so that a reader can refer to elements in it."""

from __future__ import annotations

import io
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.imaging.decoding import decode_image
from viewpoint_mcp.imaging.scaling import get_model_scale

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

Box = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels. The right and bottom edges are exclusive."""

PALETTE: Final = (
    *((200, 16, 46), (18, 87, 214), (10, 122, 47), (138, 31, 196)),
    *((179, 71, 0), (0, 114, 125), (194, 18, 127)),
)
"""The colours of marks, dark enough for white letters."""

_QUALITY: Final = 90
_LINE_WIDTH: Final = 2.0  # CSS pixels
_LETTER_HEIGHT: Final = 11.0  # CSS pixels
_MAX_ENLARGEMENT: Final = (
    1.6  # maximum enlargement of letters in images that a model sees scaled down
)
_WHITE: Final = (255, 255, 255)
_CONTRAST: Final = 12  # minimum edge strength (0 to 255) of a pixel that belongs to page content
_CELL_SIZE: Final = 128  # pixels
# Costs of a label position. The first three apply if the label completely covers another label,
# page content, or another mark's box. The last is added for each position before it in
# `_get_label_positions`.
_LABEL_COST, _CONTENT_COST, _BOX_COST, _ORDER_COST = 16.0, 16.0, 0.8, 0.02


@dataclass(frozen=True, slots=True)
class Mark:
    """An element to mark.

    Attributes:
        label: The text of the label.
        boxes: The boxes of the element, the largest first, all within the image.
    """

    label: str
    boxes: tuple[Box, ...]


def choose_colour(label: str) -> tuple[int, int, int]:
    """Return the colour of marks with this label, the same in every image.

    Labels with consecutive numbers, such as e1 and e2, have different colours.
    """
    before = label.rstrip("0123456789")
    number = int(label[len(before) :] or 0)
    return PALETTE[(sum(before.encode()) + number) % len(PALETTE)]


def draw_marks(data: bytes, marks: Sequence[Mark], scale: float) -> bytes:
    """Return an image of the same format and size with the marks drawn on it.

    Args:
        data: The image file.
        marks: The marks.
        scale: Image pixels per CSS pixel.

    Raises:
        UnreadableImageError: The image cannot be decoded.
    """
    from PIL import ImageDraw

    picture = decode_image(data)
    image_type = picture.format or "PNG"
    image = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    labels = _LabelPlacer(image, marks, scale)
    draw = ImageDraw.Draw(image)
    for each in sorted(marks, key=lambda each: -_get_area(each.boxes[0])):
        for box in each.boxes:
            _draw_outline(draw, box, choose_colour(each.label), scale, image.size)
    for each, position in labels.place_labels():
        labels.draw_label(draw, each, position)
    return _encode_image(image, image_type)


def _encode_image(image: Image, image_type: str) -> bytes:
    file = io.BytesIO()
    if image_type == "PNG":
        image.save(file, "PNG", compress_level=4)
    elif image_type == "JPEG":
        # Chroma subsampling would blur the coloured lines and letters.
        image.save(file, "JPEG", quality=_QUALITY, subsampling=0)
    else:
        image.save(file, image_type, quality=_QUALITY)
    return file.getvalue()


def _draw_outline(
    draw: ImageDraw, box: Box, colour: tuple[int, int, int], scale: float, size: tuple[int, int]
) -> None:
    """Draw a line centred on the edge of a box, and a white line around it.

    On any background, at least one of the two lines is visible.
    """
    line = max(2, round(_LINE_WIDTH * scale))
    white = max(1, round(scale))
    outer = line // 2 + white
    for grown, width, paint in ((outer, white, _WHITE), (line // 2, line, colour)):
        left, top = max(0, box[0] - grown), max(0, box[1] - grown)
        right, bottom = min(size[0], box[2] + grown), min(size[1], box[3] + grown)
        draw.rectangle((left, top, right - 1, bottom - 1), outline=paint, width=width)


class _LabelPlacer:
    """Selects a position for each label, if possible beside its box and not on page content."""

    def __init__(self, image: Image, marks: Sequence[Mark], scale: float) -> None:
        from PIL.ImageDraw import Draw
        from PIL.ImageFilter import FIND_EDGES
        from PIL.ImageFont import load_default

        self._size = image.size
        self._marks = marks
        seen = get_model_scale(image.size)
        letters = scale * _LETTER_HEIGHT * min(_MAX_ENLARGEMENT, max(1, 1 / (seen * scale)))
        self._line_width = max(2, round(_LINE_WIDTH * scale))
        self._border_width = max(1, round(scale))
        self._font: ImageFont | FreeTypeFont = load_default(max(9, round(letters)))
        edges = image.convert("L").filter(FIND_EDGES)
        self._detail = edges.point([0] * _CONTRAST + [255] * (256 - _CONTRAST))
        # The edge filter gives no valid result for the outermost pixels.
        Draw(self._detail).rectangle((0, 0, image.width - 1, image.height - 1), outline=0)
        self._boxes = _BoxIndex()
        for each in marks:
            for box in each.boxes:
                self._boxes.add(box)
        self._placed_labels = _BoxIndex()

    def place_labels(self) -> Iterator[tuple[Mark, Box]]:
        """Yield each mark with the position of its label. Small boxes choose first.

        Labels of small boxes have the fewest good positions.
        """
        for each in sorted(self._marks, key=lambda each: _get_area(each.boxes[0])):
            box = min(each.boxes, key=lambda box: (box[1], box[0]))
            position = self._choose_position(
                _get_label_positions(
                    box, self._get_label_size(each.label), self._line_width, self._size
                ),
                box,
            )
            self._placed_labels.add(position)
            yield each, position

    def _choose_position(self, positions: Iterable[Box], box: Box) -> Box:
        best, least = None, math.inf
        for index, position in enumerate(positions):
            if least <= _ORDER_COST * index:
                break  # All further positions cost at least as much.
            cost = self._get_cost(position, box) + _ORDER_COST * index
            if cost < least:
                best, least = position, cost
        assert best is not None
        return best

    def draw_label(self, draw: ImageDraw, mark: Mark, position: Box) -> None:
        left, top, right, bottom = position
        draw.rectangle(
            (left, top, right - 1, bottom - 1),
            fill=choose_colour(mark.label),
            outline=_WHITE,
            width=self._border_width,
        )
        middle = ((left + right) / 2, (top + bottom) / 2)
        draw.text(middle, mark.label, fill=_WHITE, font=self._font, anchor="mm")

    def _get_label_size(self, label: str) -> tuple[int, int]:
        left, _, right, _ = self._font.getbbox(label)
        _, top, _, bottom = self._font.getbbox("e1")
        around = 2 * self._border_width
        return math.ceil(right - left) + 3 * around, math.ceil(bottom - top) + 3 * around

    def _get_cost(self, position: Box, box: Box) -> float:
        area = _get_area(position)
        on_labels = sum(
            _get_overlap(position, each) for each in self._placed_labels.find_near(position)
        )
        others = (each for each in self._boxes.find_near(position) if not _contains(each, box))
        on_boxes = min(area, sum(_get_overlap(position, each) for each in others if each != box))
        detail = self._detail.crop(position).histogram()[255]
        return (_LABEL_COST * on_labels + _CONTENT_COST * detail + _BOX_COST * on_boxes) / area


def _get_label_positions(
    box: Box, label_size: tuple[int, int], line_width: int, image_size: tuple[int, int]
) -> Iterator[Box]:
    """Yield the possible positions of a label, the best first, all within the image.

    Args:
        box: The box to label.
        label_size: The width and height of the label.
        line_width: The width of the line around the box.
        image_size: The width and height of the image.
    """
    width, height = label_size
    left, top, right, bottom = box
    outer = line_width // 2
    middle = (top + bottom - height) // 2
    above, below = top - outer - height, bottom + outer
    before, behind = left - outer - width, right + outer
    for x, y in (
        *((left - outer, above), (right + outer - width, above), (before, top), (before, middle)),
        *((behind, top), (behind, middle), (left - outer, below), (right + outer - width, below)),
        *((left - outer, top - outer), (right + outer - width, top - outer)),
        *((right + outer - width, middle), (right + outer - width, below - height)),
        *((left - outer, below - height), ((left + 3 * right - 2 * width) // 4, middle)),
        ((left + right - width) // 2, middle),
        *((before, above), (behind, above), (behind, below), (before, below)),
    ):
        x, y = max(0, min(x, image_size[0] - width)), max(0, min(y, image_size[1] - height))
        yield x, y, x + width, y + height


class _BoxIndex:
    """A spatial index of boxes: a grid of square cells."""

    def __init__(self) -> None:
        self._cells: defaultdict[tuple[int, int], list[Box]] = defaultdict(list)

    def add(self, box: Box) -> None:
        for cell in _get_cells(box):
            self._cells[cell].append(box)

    def find_near(self, box: Box) -> set[Box]:
        return {each for cell in _get_cells(box) for each in self._cells.get(cell, ())}


def _get_cells(box: Box) -> Iterator[tuple[int, int]]:
    left, top, right, bottom = (each // _CELL_SIZE for each in box)
    return ((x, y) for y in range(top, bottom + 1) for x in range(left, right + 1))


def _get_area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _get_overlap(first: Box, second: Box) -> int:
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    return width * height if width > 0 and height > 0 else 0


def _contains(outer: Box, inner: Box) -> bool:
    return _get_overlap(outer, inner) == _get_area(inner)
