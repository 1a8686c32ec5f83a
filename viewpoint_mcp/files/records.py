"""Records of the files that the server wrote: a small JSON file for each, in a hidden directory.

The data is not in the image itself, because users share images and a URL may contain a secret.
Records are optional: if a record cannot be written or read, the file counts as a file without a
record.
"""

from __future__ import annotations

import logging
import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from viewpoint_mcp.files.reading import is_straight, read
from viewpoint_mcp.files.writing import put

log = logging.getLogger(__name__)

Kind = Literal["screenshot", "pdf", "snapshot", "download", "console", "network", "result"]

HIDDEN: Final = ".about"
"""The name of the directory of records, in each directory that the server writes files to."""

_SUFFIX = ".json"
_LONGEST = 4_000  # maximum characters of a URL, a title or a description
_LARGEST = 200_000  # maximum bytes of a record
_CREDENTIALS = re.compile(r"://[^/?#]*@")


class About(Struct, frozen=True, kw_only=True):
    """The description of a saved file.

    Attributes:
        kind: The kind of the file.
        url: The URL of the page at that time.
        title: The title of the page.
        context: The name of the page's browser context; "" if several clients may read the record.
        what: The subject of a screenshot, such as "viewport" or "element 'button "Buy"'".
        viewport: The width and height of the viewport in CSS pixels.
        size: The width and height of an image in pixels.
        scale: The image pixels per CSS pixel of an image.
    """

    kind: Kind
    url: str = ""
    title: str = ""
    context: str = ""
    what: str = ""
    viewport: tuple[int, int] | None = None
    size: tuple[int, int] | None = None
    scale: float | None = None


class Record(Struct, frozen=True, kw_only=True):
    """The state of a file when the server wrote it.

    Attributes:
        about: The description of the file.
        mime_type: The MIME type, determined by the first bytes and the kind of the file.
        saved: The time of writing, in UTC.
        length: The size in bytes.
        modified: The modification time in nanoseconds, as the file system reported it.
    """

    about: About
    mime_type: str
    saved: Annotated[datetime, msgspec.Meta(tz=True)]
    length: int
    modified: int


class Records:
    """The records of the files in one directory. Other servers may use the same directory.

    Names of files are paths relative to the directory, with "/" as separator.

    Args:
        directory: The directory.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def write(self, name: str, about: About) -> None:
        """Write the record of a file that was just written. Only log a warning on failure."""
        try:
            path = self.directory / name
            facts = path.stat()
            record = Record(
                about=_fit(about),
                mime_type=_mime_type(path, about.kind),
                saved=datetime.now(UTC),
                length=facts.st_size,
                modified=facts.st_mtime_ns,
            )
            if (place := self._place(name)) is not None:
                put(place, msgspec.json.encode(record), private=True)
        except (OSError, ValueError) as error:
            log.warning("Nothing is remembered of %s: %s", name, error)

    def of(self, name: str) -> Record | None:
        """Return the record of a file.

        Return None if the file has no record, does not exist, or has changed since it was written.
        """
        place = self._place(name)
        record = self._read(place) if place is not None else None
        return record if record is not None and self._is_still(name, record) else None

    def __iter__(self) -> Iterator[tuple[str, Record]]:
        """Yield the name and record of each unchanged file, and delete records of removed files."""
        hidden = self.directory / HIDDEN
        if not is_straight(hidden, self.directory):
            return
        for above, _, files in os.walk(hidden):
            for file in files:
                place = Path(above, file)
                record = self._read(place) if file.endswith(_SUFFIX) else None
                if record is None:
                    continue
                name = place.relative_to(hidden).as_posix().removesuffix(_SUFFIX)
                if self._is_still(name, record):
                    yield name, record
                elif self._is_gone(name):
                    self.forget(name)

    def remove(self, name: str, record: Record) -> None:
        """Delete a file and its record, unless the file has changed since it was written.

        Raises:
            OSError: The file cannot be deleted.
        """
        path = self.path(name)
        if path is not None and self._is_still(name, record):
            path.unlink(missing_ok=True)
            self.forget(name)

    def forget(self, name: str) -> None:
        """Delete the record of a file, if it exists. Errors are ignored."""
        with suppress(OSError):
            if (place := self._place(name)) is not None:
                place.unlink(missing_ok=True)

    def path(self, name: str) -> Path | None:
        """Return the path of a file in the directory.

        Return None for a name that leads out of the directory, contains a link to a directory, or
        belongs to the records.
        """
        parts = name.split("/")
        if any(part in ("", ".", "..") or part.casefold() == HIDDEN for part in parts):
            return None
        if "\0" in name or (os.sep != "/" and os.sep in name) or (os.name == "nt" and ":" in name):
            return None
        path = self.directory.joinpath(*parts)
        return path if is_straight(path.parent, self.directory) else None

    def _is_still(self, name: str, record: Record) -> bool:
        path = self.path(name)
        try:
            facts = path.lstat() if path is not None else None
        except OSError:
            return False
        return (
            facts is not None
            and stat.S_ISREG(facts.st_mode)
            and (facts.st_size, facts.st_mtime_ns) == (record.length, record.modified)
        )

    def _is_gone(self, name: str) -> bool:
        path = self.path(name)
        try:
            if path is not None:
                path.lstat()
        except FileNotFoundError:
            return True
        except OSError:
            pass  # The file cannot be examined now, so it may still exist.
        return False

    def _place(self, name: str) -> Path | None:
        """Return the path of a file's record; None for an invalid name."""
        if self.path(name) is None:
            return None
        place = self.directory / HIDDEN / f"{name}{_SUFFIX}"
        return place if is_straight(place.parent, self.directory) else None

    def _read(self, place: Path) -> Record | None:
        try:
            return msgspec.json.decode(read(place, self.directory, _LARGEST), type=Record)
        except (OSError, ValueError, RecursionError):  # Errors of msgspec are ValueErrors.
            return None


def _fit(about: About) -> About:
    """Return a description without credentials in its URL, as valid UTF-8, with long texts cut.

    Some URLs contain a whole document.
    """
    return replace(
        about,
        url=_CREDENTIALS.sub("://", _clean(about.url)),
        title=_clean(about.title),
        context=_clean(about.context),
        what=_clean(about.what),
    )


def _clean(text: str) -> str:
    text = text.encode(errors="replace").decode()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _mime_type(path: Path, kind: Kind) -> str:
    with path.open("rb") as file:
        head = file.read(12)
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if head.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if head[:4] == b"RIFF" and head[8:] == b"WEBP":
        return "image/webp"
    if head.startswith(b"%PDF-"):
        return "application/pdf"
    if kind in ("console", "result"):
        return "text/plain"
    return "text/yaml" if kind == "snapshot" else "application/octet-stream"
