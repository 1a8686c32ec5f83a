"""Drawing of boxes with labels on an image, so that a reader can refer to elements in it."""

from __future__ import annotations

import io
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.imaging.reading import opened
from viewpoint_mcp.imaging.scaling import scale_seen

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
_LINE: Final = 2.0  # CSS pixels
_LETTERS: Final = 11.0  # CSS pixels
_LARGEST: Final = 1.6  # maximum enlargement of letters in images that a model sees scaled down
_WHITE: Final = (255, 255, 255)
_CONTRAST: Final = 12  # minimum edge strength (0 to 255) of a pixel that belongs to page content
_CELL: Final = 128  # pixels
# Costs of a label place. The first three apply if the label completely covers another label, page
# content, or another mark's box. The last is added for each place before it in `_places`.
_ON_LABEL, _ON_DETAIL, _ON_BOX, _ON_NEXT = 16.0, 16.0, 0.8, 0.02


@dataclass(frozen=True, slots=True)
class Mark:
    """An element to mark.

    Attributes:
        label: The text of the label.
        boxes: The boxes of the element, the largest first, all within the image.
    """

    label: str
    boxes: tuple[Box, ...]


def colour_of(label: str) -> tuple[int, int, int]:
    """Return the colour of marks with this label, the same in every image.

    Labels with consecutive numbers, such as e1 and e2, have different colours.
    """
    before = label.rstrip("0123456789")
    number = int(label[len(before) :] or 0)
    return PALETTE[(sum(before.encode()) + number) % len(PALETTE)]


def mark(data: bytes, marks: Sequence[Mark], scale: float) -> bytes:
    """Return an image of the same format and size with the marks drawn on it.

    Args:
        data: The image file.
        marks: The marks.
        scale: Image pixels per CSS pixel.

    Raises:
        BrokenPicture: The image cannot be decoded.
    """
    from PIL import ImageDraw

    picture = opened(data)
    image_type = picture.format or "PNG"
    image = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    labels = _Labels(image, marks, scale)
    draw = ImageDraw.Draw(image)
    for each in sorted(marks, key=lambda each: -_area(each.boxes[0])):
        for box in each.boxes:
            _outline(draw, box, colour_of(each.label), scale, image.size)
    for each, place in labels.placed():
        labels.draw(draw, each, place)
    return _encoded(image, image_type)


def _encoded(image: Image, image_type: str) -> bytes:
    file = io.BytesIO()
    if image_type == "PNG":
        image.save(file, "PNG", compress_level=4)
    elif image_type == "JPEG":
        # Chroma subsampling would blur the coloured lines and letters.
        image.save(file, "JPEG", quality=_QUALITY, subsampling=0)
    else:
        image.save(file, image_type, quality=_QUALITY)
    return file.getvalue()


def _outline(
    draw: ImageDraw, box: Box, colour: tuple[int, int, int], scale: float, size: tuple[int, int]
) -> None:
    """Draw a line centred on the edge of a box, and a white line around it.

    On any background, at least one of the two lines is visible.
    """
    line = max(2, round(_LINE * scale))
    white = max(1, round(scale))
    outer = line // 2 + white
    for grown, width, paint in ((outer, white, _WHITE), (line // 2, line, colour)):
        left, top = max(0, box[0] - grown), max(0, box[1] - grown)
        right, bottom = min(size[0], box[2] + grown), min(size[1], box[3] + grown)
        draw.rectangle((left, top, right - 1, bottom - 1), outline=paint, width=width)


class _Labels:
    """Selects a place for each label, if possible beside its box and not on page content."""

    def __init__(self, image: Image, marks: Sequence[Mark], scale: float) -> None:
        from PIL.ImageDraw import Draw
        from PIL.ImageFilter import FIND_EDGES
        from PIL.ImageFont import load_default

        self._size = image.size
        self._marks = marks
        seen = scale_seen(image.size)
        letters = scale * _LETTERS * min(_LARGEST, max(1, 1 / (seen * scale)))
        self._line = max(2, round(_LINE * scale))
        self._white = max(1, round(scale))
        self._font: ImageFont | FreeTypeFont = load_default(max(9, round(letters)))
        edges = image.convert("L").filter(FIND_EDGES)
        self._detail = edges.point([0] * _CONTRAST + [255] * (256 - _CONTRAST))
        # The edge filter gives no valid result for the outermost pixels.
        Draw(self._detail).rectangle((0, 0, image.width - 1, image.height - 1), outline=0)
        self._boxes = _Cells()
        for each in marks:
            for box in each.boxes:
                self._boxes.add(box)
        self._taken = _Cells()

    def placed(self) -> Iterator[tuple[Mark, Box]]:
        """Yield each mark with the place of its label. Small boxes choose first.

        Labels of small boxes have the fewest good places.
        """
        for each in sorted(self._marks, key=lambda each: _area(each.boxes[0])):
            box = min(each.boxes, key=lambda box: (box[1], box[0]))
            place = self._cheapest(
                _places(box, self._measure(each.label), self._line, self._size), box
            )
            self._taken.add(place)
            yield each, place

    def _cheapest(self, places: Iterable[Box], box: Box) -> Box:
        best, least = None, math.inf
        for at, place in enumerate(places):
            if least <= _ON_NEXT * at:
                break  # All further places cost at least as much.
            cost = self._cost(place, box) + _ON_NEXT * at
            if cost < least:
                best, least = place, cost
        assert best is not None
        return best

    def draw(self, draw: ImageDraw, each: Mark, place: Box) -> None:
        left, top, right, bottom = place
        draw.rectangle(
            (left, top, right - 1, bottom - 1),
            fill=colour_of(each.label),
            outline=_WHITE,
            width=self._white,
        )
        middle = ((left + right) / 2, (top + bottom) / 2)
        draw.text(middle, each.label, fill=_WHITE, font=self._font, anchor="mm")

    def _measure(self, label: str) -> tuple[int, int]:
        left, _, right, _ = self._font.getbbox(label)
        _, top, _, bottom = self._font.getbbox("e1")
        around = 2 * self._white
        return math.ceil(right - left) + 3 * around, math.ceil(bottom - top) + 3 * around

    def _cost(self, place: Box, box: Box) -> float:
        area = _area(place)
        on_labels = sum(_shared(place, each) for each in self._taken.near(place))
        others = (each for each in self._boxes.near(place) if not _contains(each, box))
        on_boxes = min(area, sum(_shared(place, each) for each in others if each != box))
        detail = self._detail.crop(place).histogram()[255]
        return (_ON_LABEL * on_labels + _ON_DETAIL * detail + _ON_BOX * on_boxes) / area


def _places(box: Box, label: tuple[int, int], line: int, size: tuple[int, int]) -> Iterator[Box]:
    """Yield the possible places of a label, the best first, all within the image.

    Args:
        box: The box to label.
        label: The width and height of the label.
        line: The width of the line around the box.
        size: The width and height of the image.
    """
    width, height = label
    left, top, right, bottom = box
    outer = line // 2
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
        x, y = max(0, min(x, size[0] - width)), max(0, min(y, size[1] - height))
        yield x, y, x + width, y + height


class _Cells:
    """A spatial index of boxes: a grid of square cells."""

    def __init__(self) -> None:
        self._cells: defaultdict[tuple[int, int], list[Box]] = defaultdict(list)

    def add(self, box: Box) -> None:
        for cell in _cells_of(box):
            self._cells[cell].append(box)

    def near(self, box: Box) -> set[Box]:
        return {each for cell in _cells_of(box) for each in self._cells.get(cell, ())}


def _cells_of(box: Box) -> Iterator[tuple[int, int]]:
    left, top, right, bottom = (each // _CELL for each in box)
    return ((x, y) for y in range(top, bottom + 1) for x in range(left, right + 1))


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _shared(one: Box, other: Box) -> int:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width * height if width > 0 and height > 0 else 0


def _contains(outer: Box, inner: Box) -> bool:
    return _shared(outer, inner) == _area(inner)
