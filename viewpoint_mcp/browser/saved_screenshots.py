"""The saved screenshots of a server and their pixels, available without a browser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from viewpoint_mcp.accessibility.printing.invisible_characters import remove_invisible
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.saved_file_lookup import SavedFile, SavedFiles
from viewpoint_mcp.imaging.decoding import UnreadableImageError, read_image_size
from viewpoint_mcp.imaging.scaling import Region, ScaledImage, make_thumbnail, scale_for_model

T = TypeVar("T")
Size = tuple[int, int]

_HEADER_BYTES: Final = 256 * 1024
"""Bytes to read from the start of a file to find its size, even after a large colour profile."""


@dataclass(frozen=True, slots=True)
class ScreenshotPreview:
    """A saved screenshot and a smaller picture made from it.

    Attributes:
        original_data: The bytes of the file.
        preview: The smaller picture.
    """

    screenshot: SavedFile
    original_data: bytes
    preview: ScaledImage


class SavedScreenshots:
    """Reader of saved screenshots. Its methods block on the disk, so call them in a thread."""

    def __init__(self, saved_files: SavedFiles) -> None:
        self._saved_files = saved_files

    def list_newest_first(self) -> list[SavedFile]:
        """Return all screenshots, newest first."""
        return self._saved_files.list_screenshots()

    def get_sizes(self, screenshots: Sequence[SavedFile]) -> list[Size | None]:
        """Return the sizes of screenshots in pixels; None for a file that is not a picture."""
        return [self._get_size(entry) for entry in screenshots]

    def get_thumbnail(self, name: str) -> ScreenshotPreview:
        """Return a screenshot with a thumbnail of it.

        Raises:
            CallError: No screenshot has that name, or it cannot be read.
        """
        entry, data = self._read_screenshot(name)
        return ScreenshotPreview(entry, data, _decode_or_fail(entry, lambda: make_thumbnail(data)))

    def get_cropped(
        self, name: str, choose_region: Callable[[Size], Region]
    ) -> tuple[ScreenshotPreview, Region]:
        """Return a screenshot with a cropped part of it, and the region of that part.

        Args:
            choose_region: Returns the region for a picture of the given size.

        Raises:
            CallError: No screenshot has that name, or it cannot be read.
        """
        entry, data = self._read_screenshot(name)
        region = choose_region(_decode_or_fail(entry, lambda: read_image_size(data)))
        return ScreenshotPreview(
            entry, data, _decode_or_fail(entry, lambda: scale_for_model(data, region))
        ), region

    def _read_screenshot(self, name: str) -> tuple[SavedFile, bytes]:
        entry = self._saved_files.find_screenshot(name)
        return entry, self._saved_files.read(entry)

    def _get_size(self, screenshot: SavedFile) -> Size | None:
        if screenshot.description is not None and screenshot.description.size is not None:
            return screenshot.description.size
        try:
            return read_image_size(self._saved_files.read_start(screenshot, _HEADER_BYTES))
        except UnreadableImageError:
            return None


def _decode_or_fail(screenshot: SavedFile, decode: Callable[[], T]) -> T:
    try:
        return decode()
    except UnreadableImageError as error:
        # Other programs may have written the file, so its name needs cleaning.
        name = " ".join(remove_invisible(screenshot.name).split())
        raise CallError(
            f"{name} {error}.", "Choose another from list_screenshots, or take it again."
        ) from None
