"""What is remembered of a file that the server wrote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["screenshot", "pdf", "snapshot", "download"]


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a saved file is of.

    Attributes:
        url: Of the page at that time.
        title: Of the page.
        context: The name of its browser context.
        what: Of a screenshot: what it shows, such as "viewport" or "element 'button "Buy"'".
        viewport: Width and height, CSS pixels.
        size: Of a picture: width and height, pixels.
        scale: Of a picture: its pixels for one CSS pixel.
    """

    kind: Kind
    url: str = ""
    title: str = ""
    context: str = ""
    what: str = ""
    viewport: tuple[int, int] | None = None
    size: tuple[int, int] | None = None
    scale: float | None = None
