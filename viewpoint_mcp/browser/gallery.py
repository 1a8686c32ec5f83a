"""The saved screenshots of a server and their pixels, available without a browser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from viewpoint_mcp.accessibility.invisible_characters import remove_invisible
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.shelf import Entry, Shelf
from viewpoint_mcp.imaging.reading import BrokenPicture, size_of
from viewpoint_mcp.imaging.scaling import Region, Small, fitted, thumbnail

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

    entry: Entry
    data: bytes
    small: Small


class Gallery:
    """Reader of saved screenshots. Its methods block on the disk, so call them in a thread."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def screenshots(self) -> list[Entry]:
        """Return all screenshots, newest first."""
        return self._shelf.screenshots()

    def measure(self, entries: Sequence[Entry]) -> list[Size | None]:
        """Return the sizes of screenshots in pixels; None for a file that is not a picture."""
        return [self._size(entry) for entry in entries]

    def thumbnail(self, name: str) -> SavedPicture:
        """Return a screenshot with a thumbnail of it.

        Raises:
            CallError: No screenshot has that name, or it cannot be read.
        """
        entry, data = self._open(name)
        return SavedPicture(entry, data, _decode(entry, lambda: thumbnail(data)))

    def crop(self, name: str, choose: Callable[[Size], Region]) -> tuple[SavedPicture, Region]:
        """Return a screenshot with a cropped part of it, and the region of that part.

        Args:
            choose: Returns the region for a picture of the given size.

        Raises:
            CallError: No screenshot has that name, or it cannot be read.
        """
        entry, data = self._open(name)
        region = choose(_decode(entry, lambda: size_of(data)))
        return SavedPicture(entry, data, _decode(entry, lambda: fitted(data, region))), region

    def _open(self, name: str) -> tuple[Entry, bytes]:
        entry = self._shelf.screenshot(name)
        return entry, self._shelf.read(entry)

    def _size(self, entry: Entry) -> Size | None:
        if entry.about is not None and entry.about.size is not None:
            return entry.about.size
        try:
            return size_of(self._shelf.beginning(entry, _HEADER))
        except BrokenPicture:
            return None


def _decode(entry: Entry, work: Callable[[], T]) -> T:
    try:
        return work()
    except BrokenPicture as error:
        # Other programs may have written the file, so its name needs cleaning.
        name = " ".join(remove_invisible(entry.name).split())
        raise CallError(
            f"{name} {error}.", "Choose another one of list_screenshots, or take it again."
        ) from None
