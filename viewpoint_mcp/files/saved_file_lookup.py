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
from viewpoint_mcp.files.file_access import DIRECTORY_NAMES, DirectoryName, FileAccess
from viewpoint_mcp.files.reading import read_file, read_start
from viewpoint_mcp.files.records import FileDescription, FileRecord, FileRecords

URI_SCHEME: Final = "viewpoint://"
MAX_READ_BYTES: Final = 64 * 1024 * 1024  # maximum bytes of a file that `SavedFiles.read` returns

_MAX_TITLE: Final = 100  # characters, the same limit as for names in a snapshot
_LIST_HINT: Final = "Use list_screenshots to see them."
_IMAGE_TYPES: Final = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
}


class SavedFile(Struct, frozen=True):
    """One saved file.

    Attributes:
        name: The path relative to its default directory, with "/" as separator.
        path: The absolute path.
        uri: The URI of the MCP resource. It does not change while the file exists.
        mime_type: The MIME type.
        size: The size in bytes.
        saved_at: The time of writing, in UTC.
        description: The description of the file; None if the file has no record.
    """

    name: str
    path: Path
    uri: str
    mime_type: str
    size: int
    saved_at: datetime
    description: FileDescription | None

    @property
    def title(self) -> str:
        """A readable title: the page's title with the subject or kind of the file.

        The name of the file if the file has no record.
        """
        if self.description is None:
            return self.name
        what = self.description.what or self.description.kind
        title = " ".join(self.description.title.split())[:_MAX_TITLE]
        return f"{title} ({what})" if title else what


class SavedFiles:
    """The saved files in the two default directories of a server.

    Nothing is cached, because other servers and people use the directories, too. All
    methods block on disk I/O.

    Args:
        files: The directories.
    """

    def __init__(self, files: FileAccess) -> None:
        self._files = files

    def list_screenshots(self) -> list[SavedFile]:
        """Return all screenshots, newest first, including images without a record."""
        return [file for file in self.list_files_except_downloads() if _is_screenshot(file)]

    def list_files_except_downloads(self) -> list[SavedFile]:
        """Return all files that are MCP resources, newest first. Downloads are not resources."""
        files = {file.uri: file for file in self._list_images_without_record()}
        for directory_name, records in self._files.get_records().items():
            for name, record in records:
                file = _make_saved_file(directory_name, records.directory, name, record)
                files[file.uri] = file
        return sorted(
            (file for file in files.values() if not _is_download(file)),
            key=lambda file: (file.saved_at, file.uri),
            reverse=True,
        )

    def find_screenshot(self, name: str) -> SavedFile:
        """Return a screenshot.

        Args:
            name: The path relative to a default directory, the path relative to the working
                directory, the absolute path, or the URI.

        Raises:
            CallError: The name does not refer to an existing screenshot.
        """
        for file in self._find_candidates(name):
            if file is not None and _is_screenshot(file):
                return file
            if file is not None and file.description is not None:
                raise CallError(
                    f'"{name}" is a {file.description.kind}, not a screenshot.', _LIST_HINT
                )
        raise CallError(f'Screenshot "{name}" does not exist.', _LIST_HINT)

    def find_by_uri(self, uri: str) -> SavedFile | None:
        """Return the file with a URI, or None if `list_files_except_downloads` has none."""
        for directory_name in DIRECTORY_NAMES:
            start = f"{URI_SCHEME}{directory_name}/"
            if uri.startswith(start):
                return self._find_in_directory(
                    directory_name, unquote(uri[len(start) :], errors="surrogateescape")
                )
        return None

    def read(self, file: SavedFile) -> bytes:
        """Return the content of a file.

        Raises:
            CallError: The file was removed, is larger than `MAX_READ_BYTES`, is no longer a regular
                file, or cannot be read.
        """
        try:
            return read_file(file.path, _get_root_directory(file), MAX_READ_BYTES)
        except FileNotFoundError:
            raise CallError(f'"{file.name}" was removed.', _LIST_HINT) from None
        except OSError as error:
            if error.errno == errno.EFBIG:
                size = f"{MAX_READ_BYTES // 1024 // 1024} MiB"
                raise CallError(
                    f'"{file.name}" is larger than {size}.', "Read the file from disk."
                ) from error
            raise CallError(
                f'"{file.name}" cannot be read: {error.strerror or error}.', _LIST_HINT
            ) from error

    def read_start(self, file: SavedFile, length: int) -> bytes:
        """Return at most `length` first bytes of a file, or b"" if it cannot be read."""
        try:
            return read_start(file.path, _get_root_directory(file), length)
        except OSError:
            return b""

    def _find_candidates(self, name: str) -> Iterator[SavedFile | None]:
        """Yield the results of the possible interpretations of a name, in order."""
        if name.startswith(URI_SCHEME):
            yield self.find_by_uri(name)
            return
        for directory_name in DIRECTORY_NAMES:
            yield self._find_in_directory(directory_name, name)
        yield self.find_by_path(name)

    def find_by_path(self, path: Path | str) -> SavedFile | None:
        """Return the file at a path, or None if `list_files_except_downloads` has none.

        Args:
            path: The path, absolute or relative to the working directory, or to the directory
                for named files (`FileAccess.base_dir`).
        """
        bases = (self._files.working_dir, self._files.base_dir)
        try:
            located = (self._files.locate(base / path) for base in bases)
            location = next(filter(None, located), None)
        except ValueError:  # The path contains a NUL.
            return None
        return None if location is None else self._find_in_directory(*location)

    def _find_in_directory(self, directory_name: DirectoryName, name: str) -> SavedFile | None:
        directory = self._files.get_directory(directory_name)
        record = FileRecords(directory).find(name)
        if record is not None:
            file = _make_saved_file(directory_name, directory, name, record)
            return None if _is_download(file) else file
        return self._find_image_without_record(name) if directory_name == "screenshots" else None

    def _list_images_without_record(self) -> Iterator[SavedFile]:
        """Yield the images in the screenshot directory without using their records."""
        try:
            names = [path.name for path in self._files.screenshot_dir.iterdir()]
        except OSError:
            return
        for name in names:
            if (file := self._find_image_without_record(name)) is not None:
                yield file

    def _find_image_without_record(self, name: str) -> SavedFile | None:
        mime_type = _IMAGE_TYPES.get(PurePosixPath(name).suffix.lower())
        if "/" in name or name.startswith(".") or mime_type is None:
            return None
        path = FileRecords(self._files.screenshot_dir).get_file_path(name)
        try:
            status = path.lstat() if path is not None else None
        except OSError:
            return None
        if path is None or status is None or not S_ISREG(status.st_mode) or not status.st_size:
            return None
        try:
            saved = datetime.fromtimestamp(status.st_mtime, UTC)
        except (OSError, OverflowError, ValueError):  # The year is out of range.
            saved = datetime.fromtimestamp(0, UTC)
        return SavedFile(
            name, path, _make_uri("screenshots", name), mime_type, status.st_size, saved, None
        )


def _make_saved_file(
    directory_name: DirectoryName, directory: Path, name: str, record: FileRecord
) -> SavedFile:
    return SavedFile(
        name,
        directory / name,
        _make_uri(directory_name, name),
        record.mime_type,
        record.length,
        record.saved,
        record.about,
    )


def _get_root_directory(file: SavedFile) -> Path:
    return file.path.parents[file.name.count("/")]


def _is_download(file: SavedFile) -> bool:
    return file.description is not None and file.description.kind == "download"


def _is_screenshot(file: SavedFile) -> bool:
    return file.description is None or file.description.kind == "screenshot"


def _make_uri(directory_name: DirectoryName, name: str) -> str:
    return f"{URI_SCHEME}{directory_name}/{quote(name, errors='surrogateescape')}"
