"""Access to files: where the server writes them, under which names, and which it may read."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from viewpoint_mcp.config.secrets import NO_SECRETS, Secrets
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import BlockedError, CallError, DirectoryNotWritableError
from viewpoint_mcp.files.client_roots import get_client_roots
from viewpoint_mcp.files.file_names import is_device_name, make_dated_name
from viewpoint_mcp.files.files_of_call import note_saved_file
from viewpoint_mcp.files.reading import explain_absence
from viewpoint_mcp.files.records import RECORDS_DIRECTORY, FileDescription, FileRecords
from viewpoint_mcp.files.total_size_limit import delete_oldest_files
from viewpoint_mcp.files.writing import create_unique_file, write_atomically

DirectoryName = Literal["screenshots", "output"]

DIRECTORY_NAMES: Final[tuple[DirectoryName, ...]] = ("screenshots", "output")
"""The two default directories for files that the server writes."""

_UNSAFE = re.compile(r'[\x00-\x1f<>:"|?*\\]')


class FileAccess(Struct, frozen=True):
    """The directories of one server, as absolute paths, and the rules for files.

    Attributes:
        working_dir: The directory to which file names from the client are relative.
        screenshot_dir: The directory for screenshots without a file name.
        output_dir: The directory for all other files without a file name.
        is_unrestricted: Whether any path and file: URLs are allowed.
        readable_dirs: More directories from which files may be read.
        max_total_size: The maximum total size in bytes of the files that the server saved (see
            `FileRecords`). The oldest files are deleted above it. None for no limit.
        secrets: The secrets to mask in written text.
        has_absolute_paths: Whether replies contain absolute paths.
        named_files_dir: The directory to which names of new files are relative, if it is not
            `working_dir`.
    """

    working_dir: Path
    screenshot_dir: Path
    output_dir: Path
    is_unrestricted: bool = False
    readable_dirs: tuple[Path, ...] = ()
    max_total_size: int | None = None
    secrets: Secrets = NO_SECRETS
    has_absolute_paths: bool = False
    named_files_dir: Path | None = None

    @classmethod
    def from_settings(cls, settings: Settings) -> FileAccess:
        """Return the directories and rules that the settings define."""
        return cls(
            settings.working_dir,
            settings.screenshot_dir,
            settings.output_dir,
            settings.unrestricted_files,
            settings.allowed_dirs,
            settings.output_max_size,
            settings.secrets,
            settings.absolute_paths,
            settings.named_files_dir,
        )

    def save(
        self,
        data: bytes | str,
        suffix: str,
        description: FileDescription,
        *,
        prefix: str = "page",
        is_private: bool = False,
    ) -> Path:
        """Write a new file `{prefix}-{time}.{suffix}`, such as page-2026-01-13T15-30-45-123Z.png.

        Args:
            data: The content. Secrets are masked in text, but not in bytes.
            suffix: The suffix without the dot.
            description: A description for the record. Its kind also selects the directory.
            prefix: The beginning of the name.
            is_private: Whether only the owner of the file can read it.

        Returns:
            The path of the file.

        Raises:
            DirectoryNotWritableError: The directory cannot be written to.
        """
        directory = self.screenshot_dir if description.kind == "screenshot" else self.output_dir
        with _new_file(directory, make_dated_name(prefix, suffix)) as path:
            write_atomically(path, self._mask_and_encode(data), is_private=is_private)
        self._update_record_and_limit_total_size(path, description)
        return note_saved_file(path)

    def save_private(self, data: bytes, prefix: str, suffix: str) -> Path:
        """Write a new file `{prefix}-{time}.{suffix}` that only its owner can read.

        It gets no record, so it is no resource, and it does not count as one of the oldest files.

        Args:
            data: The content. Secrets are not masked.
            prefix: The beginning of the name.
            suffix: The suffix without the dot.

        Returns:
            The path of the file, in the output directory.

        Raises:
            DirectoryNotWritableError: The directory cannot be written to.
        """
        with _new_file(self.output_dir, make_dated_name(prefix, suffix)) as path:
            write_atomically(path, data, is_private=True)
        return note_saved_file(path)

    def move_to_output(self, source: Path, name: str, description: FileDescription) -> Path:
        """Move a file to the output directory.

        Args:
            source: The file to move.
            name: The new name. A number is added if a file with the name exists.
            description: A description for the record.

        Returns:
            The new path of the file.

        Raises:
            DirectoryNotWritableError: The directory cannot be written to.
        """
        with _new_file(self.output_dir, name) as path:
            import shutil

            shutil.move(source, path)
        self._update_record_and_limit_total_size(path, description)
        return note_saved_file(path)

    def move_as(self, source: Path, name: str, description: FileDescription) -> Path:
        """Move a file to a name chosen by the client. Replace an existing file.

        Args:
            source: The file to move.
            name: The path, absolute or relative to `base_dir`.
            description: A description for the record.

        Returns:
            The new path of the file.

        Raises:
            CallError: As for `save_as`.
        """
        import shutil

        path = self.resolve_to_write(name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, "it is a directory")
            shutil.move(source, path)
        except OSError as error:
            raise CallError(
                _describe_write_error(path, error), "Choose a writable directory."
            ) from error
        self._update_record_and_limit_total_size(path, description)
        return note_saved_file(path)

    def save_as(
        self,
        data: bytes | str,
        name: str,
        description: FileDescription | None = None,
        *,
        is_private: bool = False,
    ) -> Path:
        """Write a file with a name chosen by the client. Replace an existing file.

        Args:
            data: The content; see `save`.
            name: The path, absolute or relative to `base_dir`.
            description: A description for the record; None to write no record and to delete the
                record of a replaced file.
            is_private: Whether only the owner of the file can read it.

        Returns:
            The path of the file.

        Raises:
            CallError: The name is outside the writable directories or is not a file name, or
                the file cannot be written.
        """
        path = self.resolve_to_write(name)
        try:
            write_atomically(path, self._mask_and_encode(data), is_private=is_private)
        except OSError as error:
            raise CallError(
                _describe_write_error(path, error), "Choose a writable directory."
            ) from error
        self._update_record_and_limit_total_size(path, description)
        return note_saved_file(path)

    @property
    def base_dir(self) -> Path:
        """The directory to which names of new files from the client are relative."""
        return self.named_files_dir or self.working_dir

    def _mask_and_encode(self, data: bytes | str) -> bytes:
        return self.secrets.mask(data).encode(errors="replace") if isinstance(data, str) else data

    def locate(self, path: Path) -> tuple[DirectoryName, str] | None:
        """Return the default directory that contains a file, and the file's path in it.

        Return None if neither directory contains the file. If one directory contains the other,
        the inner one is returned.
        """
        path = _resolve_links(path.parent) / path.name
        locations = [
            (directory_name, path.relative_to(root).as_posix())
            for directory_name in DIRECTORY_NAMES
            if path != (root := _resolve_links(self.get_directory(directory_name)))
            and path.is_relative_to(root)
        ]
        return min(locations, key=lambda location: len(location[1]), default=None)

    def get_directory(self, name: DirectoryName) -> Path:
        """Return the path of one of the two default directories."""
        return self.screenshot_dir if name == "screenshots" else self.output_dir

    def get_records(self) -> dict[DirectoryName, FileRecords]:
        """Return the records of the default directories.

        If both are the same directory, the result contains only "screenshots".
        """
        records = {name: FileRecords(self.get_directory(name)) for name in DIRECTORY_NAMES}
        if _resolve_links(self.screenshot_dir) == _resolve_links(self.output_dir):
            del records["output"]
        return records

    def _update_record_and_limit_total_size(
        self, path: Path, description: FileDescription | None
    ) -> None:
        location = self.locate(path)
        if location is None:
            return
        directory_name, name = location
        records = FileRecords(self.get_directory(directory_name))
        if description is None:
            records.delete_record(name)
            return
        mask = self.secrets.mask
        masked = replace(
            description,
            url=mask(description.url),
            title=mask(description.title),
            what=mask(description.what),
        )
        records.write(name, masked)
        if self.max_total_size is not None:
            delete_oldest_files(self.get_records().values(), self.max_total_size, (records, name))

    def resolve_to_write(self, name: str) -> Path:
        """Return the path to write for a name from the client, with links resolved.

        Args:
            name: The path, absolute or relative to `base_dir`.

        Raises:
            CallError: The path is outside the allowed directories or among the records, or the
                name is not a file name.
        """
        if not name or _UNSAFE.search(Path(name).name) or is_device_name(name):
            raise CallError(
                f'"{name}" is not a file name.', "Use letters, digits, dots and dashes."
            )
        path = self._resolve_path_in_allowed_directories(
            self.base_dir,
            name,
            (self.working_dir, self.screenshot_dir, self.output_dir),
            "write to",
        )
        if (location := self.locate(path)) and RECORDS_DIRECTORY in location[1].casefold().split(
            "/"
        ):
            raise CallError(f'"{name}" is reserved for records of the server.', "Use another name.")
        return path

    def resolve_to_read(self, name: str) -> Path:
        """Return the path of a file or directory to read, with links resolved.

        Args:
            name: The path, absolute or relative to the working directory or to `base_dir`.

        Raises:
            CallError: The path is outside the readable directories, or is neither a regular file
                nor a directory.
        """
        places = (self.working_dir, self.screenshot_dir, self.output_dir, *self.readable_dirs)
        resolve = self._resolve_path_in_allowed_directories
        path = resolve(self.working_dir, name, places, "read from")
        reason = explain_absence(path)
        if reason and not explain_absence(self.base_dir / name):
            return resolve(self.base_dir, name, places, "read from")
        if reason:
            raise CallError(f"{path} {reason}.", "Check the path.")
        return path

    def is_outside_own_directories(self, name: str) -> bool:
        """Return whether a path from the client needs another directory than those of the server.

        False for a path that is not valid.
        """
        try:
            paths = [(base / name).resolve() for base in (self.working_dir, self.base_dir)]
        except (OSError, RuntimeError, ValueError):
            return False
        own = (self.working_dir, self.screenshot_dir, self.output_dir)
        resolved = [_resolve_links(each) for each in own]
        are_inside = (any(path.is_relative_to(each) for each in resolved) for path in paths)
        return not (self.is_unrestricted or all(are_inside))

    def _resolve_path_in_allowed_directories(
        self, base: Path, name: str, directories: tuple[Path, ...], verb: str
    ) -> Path:
        try:
            path = (base / name).resolve()
        except (OSError, RuntimeError, ValueError) as error:  # such as a cycle of links, or a NUL
            raise CallError(
                f'"{name}" is not a valid path: {error}.', "Use another name."
            ) from error
        directories += get_client_roots()
        allowed = dict.fromkeys(_resolve_links(each) for each in directories)
        if self.is_unrestricted or any(path.is_relative_to(each) for each in allowed):
            return path
        raise BlockedError(
            f'"{name}" is outside the directories that the server may {verb}.',
            f"Allowed: {', '.join(map(str, allowed))}.",
        )

    def format_path_for_reply(self, path: Path) -> str:
        """Return a path as text for a reply.

        The path is relative to the working directory if it is inside it, but absolute if
        `has_absolute_paths` is set or if the working directory is a root, such as `/`.
        """
        is_root = self.working_dir == self.working_dir.parent
        if self.has_absolute_paths or is_root or not path.is_relative_to(self.working_dir):
            return str(path)
        return str(path.relative_to(self.working_dir))


def _resolve_links(path: Path) -> Path:
    """Return a path with links resolved; unchanged if the links form a cycle."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path


@contextmanager
def _new_file(directory: Path, name: str) -> Iterator[Path]:
    """Create an empty file for the body of a `with` statement, and delete it if the body fails.

    Yields:
        The path of the file; see `create_unique_file`.

    Raises:
        DirectoryNotWritableError: The directory or the file cannot be written to.
    """
    try:
        path = create_unique_file(directory, name)
    except OSError as error:
        raise _make_directory_error(directory / name, error) from error
    try:
        yield path
    except BaseException as error:
        with suppress(OSError):
            path.unlink()
        if isinstance(error, OSError):
            raise _make_directory_error(path, error) from error
        raise


def _make_directory_error(path: Path, error: OSError) -> DirectoryNotWritableError:
    return DirectoryNotWritableError(
        _describe_write_error(path, error),
        "Start the server with a writable directory: --output-dir, or --screenshot-dir.",
    )


def _describe_write_error(path: Path, error: OSError) -> str:
    return f"{path} cannot be written: {error.strerror or error}."
