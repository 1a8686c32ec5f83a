"""The saved screenshots of a server and their pixels, available without a browser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from viewpoint_mcp.accessibility.invisible_characters import remove_invisible
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.saved_files import SavedFile, SavedFiles
from viewpoint_mcp.imaging.decoding import UnreadableImage, read_image_size
from viewpoint_mcp.imaging.scaling import Region, ScaledImage, make_thumbnail, scale_for_model

T = TypeVar("T")
Size = tuple[int, int]

_HEADER: Final = 256 * 1024
"""Bytes to read from the start of a file to find its size, even after a large colour profile."""


@dataclass(frozen=True, slots=True)
class SavedPicture:
    """A saved screenshot and a smaller picture made from it.

    Attributes:
        data: The bytes of the file.
        small: The smaller picture.
    """

    entry: SavedFile
    data: bytes
    small: ScaledImage


class Gallery:
    """Reader of saved screenshots. Its methods block on the disk, so call them in a thread."""

    def __init__(self, shelf: SavedFiles) -> None:
        self._shelf = shelf

    def screenshots(self) -> list[SavedFile]:
        """Return all screenshots, newest first."""
        return self._shelf.list_screenshots()

    def measure(self, entries: Sequence[SavedFile]) -> list[Size | None]:
        """Return the sizes of screenshots in pixels; None for a file that is not a picture."""
        return [self._size(entry) for entry in entries]

    def thumbnail(self, name: str) -> SavedPicture:
        """Return a screenshot with a thumbnail of it.

        Raises:
            CallError: No screenshot has that name, or it cannot be read.
        """
        entry, data = self._open(name)
        return SavedPicture(entry, data, _decode(entry, lambda: make_thumbnail(data)))

    def crop(self, name: str, choose: Callable[[Size], Region]) -> tuple[SavedPicture, Region]:
        """Return a screenshot with a cropped part of it, and the region of that part.

        Args:
            choose: Returns the region for a picture of the given size.

        Raises:
            CallError: No screenshot has that name, or it cannot be read.
        """
        entry, data = self._open(name)
        region = choose(_decode(entry, lambda: read_image_size(data)))
        return SavedPicture(
            entry, data, _decode(entry, lambda: scale_for_model(data, region))
        ), region

    def _open(self, name: str) -> tuple[SavedFile, bytes]:
        entry = self._shelf.find_screenshot(name)
        return entry, self._shelf.read(entry)

    def _size(self, entry: SavedFile) -> Size | None:
        if entry.description is not None and entry.description.size is not None:
            return entry.description.size
        try:
            return read_image_size(self._shelf.read_start(entry, _HEADER))
        except UnreadableImage:
            return None


def _decode(entry: SavedFile, work: Callable[[], T]) -> T:
    try:
        return work()
    except UnreadableImage as error:
        # Other programs may have written the file, so its name needs cleaning.
        name = " ".join(remove_invisible(entry.name).split())
        raise CallError(
            f"{name} {error}.", "Choose another from list_screenshots, or take it again."
        ) from None
