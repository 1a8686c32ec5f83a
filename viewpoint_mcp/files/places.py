"""Access to files: where the server writes them, under which names, and which it may read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from viewpoint_mcp.config.secrets import NO_SECRETS, Secrets
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.names import means_device
from viewpoint_mcp.files.records import HIDDEN, About, Records
from viewpoint_mcp.files.upkeep import evict
from viewpoint_mcp.files.writing import claim, put

Place = Literal["screenshots", "output"]

PLACES: Final[tuple[Place, ...]] = ("screenshots", "output")
"""The two default directories for files that the server writes."""

_UNSAFE = re.compile(r'[\x00-\x1f<>:"|?*\\]')


class Files(Struct, frozen=True):
    """The directories of one server, as absolute paths, and the rules for files.

    Attributes:
        working: The directory to which file names from the client are relative.
        screenshots: The directory for screenshots without a file name.
        output: The directory for all other files without a file name.
        unrestricted: Whether any path and file: URLs are allowed.
        readable: More directories from which files may be read.
        max_size: The maximum total size in bytes of the files with a record. The oldest files are
            deleted above it. None for no limit.
        secrets: The secrets to mask in written text.
        absolute: Whether replies contain absolute paths.
    """

    working: Path
    screenshots: Path
    output: Path
    unrestricted: bool = False
    readable: tuple[Path, ...] = ()
    max_size: int | None = None
    secrets: Secrets = NO_SECRETS
    absolute: bool = False

    @classmethod
    def of(cls, settings: Settings) -> Files:
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
        )

    def save(self, data: bytes | str, suffix: str, about: About) -> Path:
        """Write a new file `page-{time}.{suffix}`, such as page-2026-01-13T15-30-45-123Z.png.

        Args:
            data: The content. Secrets are masked in text, but not in bytes.
            suffix: The suffix without the dot.
            about: A description for the record. Its kind also selects the directory.

        Returns:
            The path of the file.

        Raises:
            CallError: The directory cannot be written to.
        """
        stamp = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        directory = self.screenshots if about.kind == "screenshot" else self.output
        with _claimed(directory, f"page-{re.sub('[:.]', '-', stamp)}.{suffix}") as path:
            put(path, self._written(data))
        self._remember(path, about)
        return path

    def keep(self, source: Path, name: str, about: About) -> Path:
        """Move a file to the output directory.

        Args:
            source: The file to move.
            name: The new name. A number is added if a file with the name exists.
            about: A description for the record.

        Returns:
            The new path of the file.

        Raises:
            CallError: The directory cannot be written to.
        """
        with _claimed(self.output, name) as path:
            import shutil

            shutil.move(source, path)
        self._remember(path, about)
        return path

    def save_as(
        self, data: bytes | str, name: str, about: About | None = None, *, private: bool = False
    ) -> Path:
        """Write a file with a name chosen by the client. Replace an existing file.

        Args:
            data: The content; see `save`.
            name: The path, absolute or relative to the working directory.
            about: A description for the record; None to write no record and to delete the record of
                a replaced file.
            private: Whether only the owner of the file can read it.

        Returns:
            The path of the file.

        Raises:
            CallError: The name is outside of the writable directories or is not a file name, or
                the file cannot be written.
        """
        path = self.inside(name)
        try:
            put(path, self._written(data), private=private)
        except OSError as error:
            raise _unwritable(path, error) from error
        self._remember(path, about)
        return path

    def _written(self, data: bytes | str) -> bytes:
        return self.secrets.mask(data).encode(errors="replace") if isinstance(data, str) else data

    def home(self, path: Path) -> tuple[Place, str] | None:
        """Return the default directory that contains a file, and the file's path in it.

        Return None if neither directory contains the file. If one directory contains the other,
        the inner one is returned.
        """
        path = _real(path.parent) / path.name
        homes = [
            (place, path.relative_to(root).as_posix())
            for place in PLACES
            if path != (root := _real(self.directory(place))) and path.is_relative_to(root)
        ]
        return min(homes, key=lambda home: len(home[1]), default=None)

    def directory(self, place: Place) -> Path:
        """Return the path of one of the two default directories."""
        return self.screenshots if place == "screenshots" else self.output

    def records(self) -> dict[Place, Records]:
        """Return the records of the default directories.

        If both are the same directory, the result contains only "screenshots".
        """
        known = {place: Records(self.directory(place)) for place in PLACES}
        if _real(self.screenshots) == _real(self.output):
            del known["output"]
        return known

    def _remember(self, path: Path, about: About | None) -> None:
        home = self.home(path)
        if home is None:
            return
        place, name = home
        records = Records(self.directory(place))
        if about is None:
            records.forget(name)
            return
        mask = self.secrets.mask
        masked = replace(about, url=mask(about.url), title=mask(about.title), what=mask(about.what))
        records.write(name, masked)
        if self.max_size is not None:
            evict(self.records().values(), self.max_size, (records, name))

    def inside(self, name: str) -> Path:
        """Return the path to write for a name from the client, with links resolved.

        Args:
            name: The path, absolute or relative to the working directory.

        Raises:
            CallError: The path is outside of the allowed directories or among the records, or the
                name is not a file name.
        """
        if not name or _UNSAFE.search(Path(name).name) or means_device(name):
            raise CallError(
                f'"{name}" is not a file name.', "Use letters, digits, dots and dashes."
            )
        path = self._within(name, (self.working, self.screenshots, self.output), "written to")
        if (home := self.home(path)) and HIDDEN in home[1].casefold().split("/"):
            raise CallError(f'"{name}" is where the server keeps notes.', "Use another name.")
        return path

    def to_read(self, name: str) -> Path:
        """Return the path of a file or directory to read, with links resolved.

        Args:
            name: The path, absolute or relative to the working directory.

        Raises:
            CallError: The path is outside of the readable directories, or does not exist.
        """
        places = (self.working, self.screenshots, self.output, *self.readable)
        path = self._within(name, places, "read from")
        if not path.exists():
            raise CallError(f"There is no file {path}.", "Check the path.")
        return path

    def _within(self, name: str, places: tuple[Path, ...], verb: str) -> Path:
        try:
            path = (self.working / name).resolve()
        except (OSError, RuntimeError, ValueError) as error:  # such as a cycle of links, or a NUL
            raise CallError(f'"{name}" leads nowhere: {error}.', "Use another name.") from error
        allowed = dict.fromkeys(_real(each) for each in places)
        if self.unrestricted or any(path.is_relative_to(each) for each in allowed):
            return path
        raise CallError(
            f'"{name}" lies outside of the directories that may be {verb}.',
            f"These are: {', '.join(map(str, allowed))}.",
        )

    def shown(self, path: Path) -> str:
        """Return a path as text for a reply.

        The path is relative to the working directory if it is inside it. If `absolute` is set, it
        is always absolute.
        """
        if self.absolute or not path.is_relative_to(self.working):
            return str(path)
        return str(path.relative_to(self.working))


def _real(path: Path) -> Path:
    """Return a path with links resolved; unchanged if the links form a cycle."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path


@contextmanager
def _claimed(directory: Path, name: str) -> Iterator[Path]:
    """Create an empty file for the body of a `with` statement, and delete it if the body fails.

    Yields:
        The path of the file; see `claim`.

    Raises:
        CallError: The directory or the file cannot be written to.
    """
    try:
        path = claim(directory, name)
    except OSError as error:
        raise _unwritable(directory / name, error) from error
    try:
        yield path
    except BaseException as error:
        with suppress(OSError):
            path.unlink()
        if isinstance(error, OSError):
            raise _unwritable(path, error) from error
        raise


def _unwritable(path: Path, error: OSError) -> CallError:
    return CallError(
        f"{path} cannot be written: {error.strerror or error}.",
        "Choose a directory that can be written to.",
    )
