"""Looks at the pixels of pictures."""

from __future__ import annotations

import io

from PIL import Image

from viewpoint_mcp.page.capture.screenshot import Screenshot

RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)
WHITE, BLACK = (255, 255, 255), (0, 0, 0)

Colour = tuple[int, int, int]


class Look:
    """A picture that was taken, opened."""

    def __init__(self, shot: Screenshot) -> None:
        self.shot = shot
        opened = Image.open(io.BytesIO(shot.data))
        self.format = opened.format
        self.image = opened.convert("RGB")
        assert self.image.size == shot.size

    @property
    def origin(self) -> list[float]:
        return list(self.shot.origin)

    def at(self, x: float, y: float) -> Colour:
        """Return the pixel's colour."""
        pixel = self.image.getpixel((int(x), int(y)))
        assert isinstance(pixel, tuple)
        return pixel[0], pixel[1], pixel[2]

    def column(self, x: int, *rows: int) -> list[Colour]:
        return [self.at(x, row) for row in rows]

    def box(self, colour: Colour) -> tuple[int, int, int, int] | None:
        """Return left, top, right and bottom of all pixels of just that colour."""
        masks = [
            band.point([255 if value == expected else 0 for value in range(256)])
            for band, expected in zip(self.image.split(), colour, strict=True)
        ]
        zero = Image.new("L", self.image.size, 0)
        mask = masks[0]
        for each in masks[1:]:
            mask = Image.composite(mask, zero, each)
        return mask.getbbox()
