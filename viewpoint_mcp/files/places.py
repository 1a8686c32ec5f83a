"""Where files may be written, under which names, and which may be read."""

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
"""The two directories that files of the server go to by themselves."""

_UNSAFE = re.compile(r'[\x00-\x1f<>:"|?*\\]')


class Files(Struct, frozen=True):
    """The directories of one server; all absolute.

    Attributes:
        working: Names given by the client are relative to it.
        screenshots: Where pictures go that were given no name.
        output: Where everything else goes.
        unrestricted: Whether any path, and file: URLs, may be used.
        readable: Further directories that files may be read from.
        max_size: Bytes of our own files; when they are more, the oldest go. None for no limit.
        secrets: What no text that is written shows.
        absolute: Whether replies name files by their absolute paths.
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
            data: Text is for people: secrets in it are masked.
            about: What it is of, which also says where it goes.

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
        """Move a file to the output directory, under its name or one with a number in it.

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
        """Write a file under the name the client gave, relative to the working directory.

        Args:
            data: See `save`.
            about: What it is of, if it is one of those that are listed.
            private: For its owner's eyes alone.

        Raises:
            CallError: The name leads out of the directories that may be written to.
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
        """Return which of the two directories a file is in, and its name there; None if it is in
        neither. Where one of them is in the other, it is in the inner one.
        """
        path = _real(path.parent) / path.name
        homes = [
            (place, path.relative_to(root).as_posix())
            for place in PLACES
            if path != (root := _real(self.directory(place))) and path.is_relative_to(root)
        ]
        return min(homes, key=lambda home: len(home[1]), default=None)

    def directory(self, place: Place) -> Path:
        """Return one of the two directories."""
        return self.screenshots if place == "screenshots" else self.output

    def records(self) -> dict[Place, Records]:
        """Return what is known of the files in the two directories, which may be one."""
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
        """Return the path that a name means, links resolved.

        Raises:
            CallError: It lies outside of the allowed directories, or is no file name.
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
        """Return the file or directory that a page is to be given, links resolved.

        Args:
            name: Absolute, or relative to the working directory.

        Raises:
            CallError: It lies outside of the allowed directories, or is not there.
        """
        places = (self.working, self.screenshots, self.output, *self.readable)
        path = self._within(name, places, "read from")
        if not path.exists():
            raise CallError(f"There is no file {path}.", "Check the path.")
        return path

    def _within(self, name: str, places: tuple[Path, ...], verb: str) -> Path:
        try:
            path = (self.working / name).resolve()
        except (OSError, RuntimeError, ValueError) as error:  # a circle of links, a NUL
            raise CallError(f'"{name}" leads nowhere: {error}.', "Use another name.") from error
        allowed = dict.fromkeys(_real(each) for each in places)
        if self.unrestricted or any(path.is_relative_to(each) for each in allowed):
            return path
        raise CallError(
            f'"{name}" lies outside of the directories that may be {verb}.',
            f"These are: {', '.join(map(str, allowed))}.",
        )

    def shown(self, path: Path) -> str:
        """Return the path as a reply names it: relative to the working directory if it can be,
        unless the user wants all of it.
        """
        if self.absolute or not path.is_relative_to(self.working):
            return str(path)
        return str(path.relative_to(self.working))


def _real(path: Path) -> Path:
    """The path without links; as it is if they lead in a circle."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path


@contextmanager
def _claimed(directory: Path, name: str) -> Iterator[Path]:
    """A new, empty file, to be filled; nothing of it stays if that fails.

    Raises:
        CallError: The directory cannot be written to.
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
