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

from viewpoint_mcp.files.reading import is_free_of_links, read_file
from viewpoint_mcp.files.writing import write_atomically

log = logging.getLogger(__name__)

FileKind = Literal[
    "screenshot", "pdf", "snapshot", "download", "console", "network", "result", "trace", "video"
]

RECORDS_DIRECTORY: Final = ".about"
"""The name of the directory of records, in each directory that the server writes files to."""

_SUFFIX = ".json"
_MAX_TEXT = 4_000  # maximum characters of a URL, a title or a description
_MAX_RECORD = 200_000  # maximum bytes of a record
_CREDENTIALS = re.compile(r"://[^/?#]*@")


class FileDescription(Struct, frozen=True, kw_only=True):
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

    kind: FileKind
    url: str = ""
    title: str = ""
    context: str = ""
    what: str = ""
    viewport: tuple[int, int] | None = None
    size: tuple[int, int] | None = None
    scale: float | None = None


class FileRecord(Struct, frozen=True, kw_only=True):
    """The state of a file when the server wrote it.

    Attributes:
        about: The description of the file.
        mime_type: The MIME type, determined by the first bytes and the kind of the file.
        saved: The time of writing, in UTC.
        length: The size in bytes.
        modified: The modification time in nanoseconds, as the file system reported it.
    """

    about: FileDescription
    mime_type: str
    saved: Annotated[datetime, msgspec.Meta(tz=True)]
    length: int
    modified: int


class FileRecords:
    """The records of the files in one directory. Other servers may use the same directory.

    Names of files are paths relative to the directory, with "/" as separator.

    Args:
        directory: The directory.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def write(self, name: str, description: FileDescription) -> None:
        """Write the record of a file that was just written. Only log a warning on failure."""
        try:
            path = self.directory / name
            status = path.stat()
            record = FileRecord(
                about=_remove_credentials_and_shorten(description),
                mime_type=_detect_mime_type_by_content(path, description.kind),
                saved=datetime.now(UTC),
                length=status.st_size,
                modified=status.st_mtime_ns,
            )
            if (record_path := self._get_record_path(name)) is not None:
                write_atomically(record_path, msgspec.json.encode(record), is_private=True)
        except (OSError, ValueError) as error:
            log.warning("Cannot write the record of %s: %s", name, error)

    def find(self, name: str) -> FileRecord | None:
        """Return the record of a file.

        Return None if the file has no record, does not exist, or has changed since it was written.
        """
        record_path = self._get_record_path(name)
        record = self._read_record(record_path) if record_path is not None else None
        return record if record is not None and self._is_unchanged(name, record) else None

    def __iter__(self) -> Iterator[tuple[str, FileRecord]]:
        """Yield the name and record of each unchanged file, and delete records of removed files."""
        records_directory = self.directory / RECORDS_DIRECTORY
        if not is_free_of_links(records_directory, self.directory):
            return
        for directory, _, files in os.walk(records_directory):
            for file in files:
                record_path = Path(directory, file)
                record = self._read_record(record_path) if file.endswith(_SUFFIX) else None
                if record is None:
                    continue
                name = record_path.relative_to(records_directory).as_posix().removesuffix(_SUFFIX)
                if self._is_unchanged(name, record):
                    yield name, record
                elif self._is_removed(name):
                    self.delete_record(name)

    def delete_file(self, name: str, record: FileRecord) -> None:
        """Delete a file and its record, unless the file has changed since it was written.

        Raises:
            OSError: The file cannot be deleted.
        """
        path = self.get_file_path(name)
        if path is not None and self._is_unchanged(name, record):
            path.unlink(missing_ok=True)
            self.delete_record(name)

    def delete_record(self, name: str) -> None:
        """Delete the record of a file, if it exists. Errors are ignored."""
        with suppress(OSError):
            if (record_path := self._get_record_path(name)) is not None:
                record_path.unlink(missing_ok=True)

    def get_file_path(self, name: str) -> Path | None:
        """Return the path of a file in the directory.

        Return None for a name that leads out of the directory, contains a link to a directory, or
        belongs to the records.
        """
        parts = name.split("/")
        if any(part in ("", ".", "..") or part.casefold() == RECORDS_DIRECTORY for part in parts):
            return None
        if "\0" in name or (os.sep != "/" and os.sep in name) or (os.name == "nt" and ":" in name):
            return None
        path = self.directory.joinpath(*parts)
        return path if is_free_of_links(path.parent, self.directory) else None

    def _is_unchanged(self, name: str, record: FileRecord) -> bool:
        path = self.get_file_path(name)
        try:
            status = path.lstat() if path is not None else None
        except OSError:
            return False
        return (
            status is not None
            and stat.S_ISREG(status.st_mode)
            and (status.st_size, status.st_mtime_ns) == (record.length, record.modified)
        )

    def _is_removed(self, name: str) -> bool:
        path = self.get_file_path(name)
        try:
            if path is not None:
                path.lstat()
        except FileNotFoundError:
            return True
        except OSError:
            pass  # The file cannot be examined now, so it may still exist.
        return False

    def _get_record_path(self, name: str) -> Path | None:
        """Return the path of a file's record; None for an invalid name."""
        if self.get_file_path(name) is None:
            return None
        record_path = self.directory / RECORDS_DIRECTORY / f"{name}{_SUFFIX}"
        return record_path if is_free_of_links(record_path.parent, self.directory) else None

    def _read_record(self, path: Path) -> FileRecord | None:
        try:
            return msgspec.json.decode(
                read_file(path, self.directory, _MAX_RECORD), type=FileRecord
            )
        except (OSError, ValueError, RecursionError):  # Errors of msgspec are ValueErrors.
            return None


def _remove_credentials_and_shorten(description: FileDescription) -> FileDescription:
    """Return a description without credentials in its URL, as valid UTF-8, with long texts cut.

    Some URLs contain a whole document.
    """
    return replace(
        description,
        url=_CREDENTIALS.sub("://", _shorten(description.url)),
        title=_shorten(description.title),
        context=_shorten(description.context),
        what=_shorten(description.what),
    )


def _shorten(text: str) -> str:
    text = text.encode(errors="replace").decode()
    return text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]}…"


def _detect_mime_type_by_content(path: Path, kind: FileKind) -> str:
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
    if head.startswith(b"\x1aE\xdf\xa3"):
        return "video/webm"
    if kind in ("console", "result"):
        return "text/plain"
    types = {"snapshot": "text/yaml", "trace": "text/html"}
    return types.get(kind, "application/octet-stream")
