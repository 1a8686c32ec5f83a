"""Lookup of saved files and their records, for tools and MCP resources."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from stat import S_ISREG
from typing import Final
from urllib.parse import quote, unquote

from msgspec import Struct

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.places import PLACES, Files, Place
from viewpoint_mcp.files.reading import begin, read
from viewpoint_mcp.files.records import About, Record, Records

SCHEME: Final = "viewpoint://"
LARGEST: Final = 64 * 1024 * 1024  # maximum bytes of a file that `Shelf.read` returns

_LONGEST_TITLE: Final = 100  # characters, the same limit as for names in a snapshot
_LIST: Final = "list_screenshots names those there are."
_PICTURES: Final = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
}


class Entry(Struct, frozen=True):
    """One saved file.

    Attributes:
        name: The path relative to its default directory, with "/" as separator.
        path: The absolute path.
        uri: The URI of the MCP resource. It does not change while the file exists.
        mime_type: The MIME type.
        size: The size in bytes.
        saved: The time of writing, in UTC.
        about: The description of the file; None if the file has no record.
    """

    name: str
    path: Path
    uri: str
    mime_type: str
    size: int
    saved: datetime
    about: About | None

    @property
    def title(self) -> str:
        """A readable title: the page's title with the subject or kind of the file.

        The name of the file if the file has no record.
        """
        if self.about is None:
            return self.name
        what = self.about.what or self.about.kind
        title = " ".join(self.about.title.split())[:_LONGEST_TITLE]
        return f"{title} ({what})" if title else what


class Shelf:
    """The saved files in the two default directories of a server.

    The shelf caches nothing, because other servers and people use the directories, too. All
    methods block on disk I/O.

    Args:
        files: The directories.
    """

    def __init__(self, files: Files) -> None:
        self._files = files

    def screenshots(self) -> list[Entry]:
        """Return all screenshots, newest first, including images without a record."""
        return [entry for entry in self.entries() if _is_screenshot(entry)]

    def entries(self) -> list[Entry]:
        """Return all files that are MCP resources, newest first. Downloads are not resources."""
        found = {entry.uri: entry for entry in self._others()}
        for place, records in self._files.records().items():
            for name, record in records:
                entry = _ours(place, records.directory, name, record)
                found[entry.uri] = entry
        return sorted(
            (entry for entry in found.values() if not _is_download(entry)),
            key=lambda entry: (entry.saved, entry.uri),
            reverse=True,
        )

    def screenshot(self, name: str) -> Entry:
        """Return a screenshot.

        Args:
            name: The path relative to a default directory, the path relative to the working
                directory, the absolute path, or the URI.

        Raises:
            CallError: The name does not refer to an existing screenshot.
        """
        for entry in self._meant(name):
            if entry is not None and _is_screenshot(entry):
                return entry
            if entry is not None and entry.about is not None:
                raise CallError(f'"{name}" is a {entry.about.kind}, no screenshot.', _LIST)
        raise CallError(
            f'There is no screenshot "{name}": it was removed, or never was one.', _LIST
        )

    def resource(self, uri: str) -> Entry | None:
        """Return the file with a URI, or None if it is not one of `entries()`."""
        for place in PLACES:
            start = f"{SCHEME}{place}/"
            if uri.startswith(start):
                return self._entry(place, unquote(uri[len(start) :], errors="surrogateescape"))
        return None

    def read(self, entry: Entry) -> bytes:
        """Return the content of a file.

        Raises:
            CallError: The file was removed, has more than `LARGEST` bytes, is no longer a regular
                file, or cannot be read.
        """
        try:
            return read(entry.path, _root(entry), LARGEST)
        except FileNotFoundError:
            raise CallError(f'"{entry.name}" was removed.', _LIST) from None
        except OSError as error:
            if error.errno == errno.EFBIG:
                size = f"{LARGEST // 1024 // 1024} MiB"
                raise CallError(
                    f'"{entry.name}" has more than {size}.', "Read the file itself."
                ) from error
            raise CallError(
                f'"{entry.name}" cannot be read: {error.strerror or error}.', _LIST
            ) from error

    def beginning(self, entry: Entry, length: int) -> bytes:
        """Return at most `length` first bytes of a file, or b"" if it cannot be read."""
        try:
            return begin(entry.path, _root(entry), length)
        except OSError:
            return b""

    def _meant(self, name: str) -> Iterator[Entry | None]:
        """Yield the results of the possible interpretations of a name, in order."""
        if name.startswith(SCHEME):
            yield self.resource(name)
            return
        for place in PLACES:
            yield self._entry(place, name)
        yield self.at(name)

    def at(self, path: Path | str) -> Entry | None:
        """Return the file at a path, or None if it is not one of `entries()`.

        Args:
            path: The path, absolute or relative to the working directory.
        """
        try:
            home = self._files.home(self._files.working / path)
        except ValueError:  # The path contains a NUL.
            return None
        return None if home is None else self._entry(*home)

    def _entry(self, place: Place, name: str) -> Entry | None:
        directory = self._files.directory(place)
        record = Records(directory).of(name)
        if record is not None:
            entry = _ours(place, directory, name, record)
            return None if _is_download(entry) else entry
        return self._other(name) if place == "screenshots" else None

    def _others(self) -> Iterator[Entry]:
        """Yield the images in the screenshot directory without using their records."""
        try:
            names = [path.name for path in self._files.screenshots.iterdir()]
        except OSError:
            return
        for name in names:
            if (entry := self._other(name)) is not None:
                yield entry

    def _other(self, name: str) -> Entry | None:
        mime_type = _PICTURES.get(PurePosixPath(name).suffix.lower())
        if "/" in name or name.startswith(".") or mime_type is None:
            return None
        path = Records(self._files.screenshots).path(name)
        try:
            facts = path.lstat() if path is not None else None
        except OSError:
            return None
        if path is None or facts is None or not S_ISREG(facts.st_mode) or not facts.st_size:
            return None
        try:
            saved = datetime.fromtimestamp(facts.st_mtime, UTC)
        except (OSError, OverflowError, ValueError):  # The year is out of range.
            saved = datetime.fromtimestamp(0, UTC)
        return Entry(name, path, _uri("screenshots", name), mime_type, facts.st_size, saved, None)


def _ours(place: Place, directory: Path, name: str, record: Record) -> Entry:
    return Entry(
        name,
        directory / name,
        _uri(place, name),
        record.mime_type,
        record.length,
        record.saved,
        record.about,
    )


def _root(entry: Entry) -> Path:
    return entry.path.parents[entry.name.count("/")]


def _is_download(entry: Entry) -> bool:
    return entry.about is not None and entry.about.kind == "download"


def _is_screenshot(entry: Entry) -> bool:
    return entry.about is None or entry.about.kind == "screenshot"


def _uri(place: Place, name: str) -> str:
    return f"{SCHEME}{place}/{quote(name, errors='surrogateescape')}"
