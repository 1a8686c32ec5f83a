"""Where files may be written, under which names, and which may be read."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import NamedTemporaryFile

from viewpoint_mcp.errors import CallError
from viewpoint_mcp.files.names import numbered
from viewpoint_mcp.files.records import About
from viewpoint_mcp.settings import Settings

_UNSAFE = re.compile(r'[\x00-\x1f<>:"|?*\\]')


@dataclass(frozen=True, slots=True)
class Files:
    """The directories of one server; all absolute.

    Attributes:
        working: Names given by the client are relative to it.
        screenshots: Where pictures go that were given no name.
        output: Where everything else goes.
        unrestricted: Whether any path, and file: URLs, may be used.
        readable: Further directories that files may be read from.
    """

    working: Path
    screenshots: Path
    output: Path
    unrestricted: bool = False
    readable: tuple[Path, ...] = ()

    @classmethod
    def of(cls, settings: Settings) -> Files:
        return cls(
            settings.working_dir,
            settings.screenshot_dir,
            settings.output_dir,
            settings.unrestricted_files,
            settings.allowed_dirs,
        )

    def save(self, data: bytes, suffix: str, about: About) -> Path:
        """Write a new file `page-{time}.{suffix}`, such as page-2026-01-13T15-30-45-123Z.png.

        Args:
            about: What it is of, which also says where it goes.

        Raises:
            CallError: The directory cannot be written to.
        """
        stamp = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        directory = self.screenshots if about.kind == "screenshot" else self.output
        path = _new_file(directory, f"page-{re.sub('[:.]', '-', stamp)}.{suffix}")
        try:
            path.write_bytes(data)
        except OSError as error:
            raise _unwritable(path, error) from error
        return path

    def keep(self, source: Path, name: str) -> Path:
        """Move a file to the output directory, under its name or one with a number in it.

        Raises:
            CallError: The directory cannot be written to.
        """
        path = _new_file(self.output, name)
        try:
            shutil.move(source, path)
        except OSError as error:
            path.unlink(missing_ok=True)
            raise _unwritable(path, error) from error
        return path

    def save_as(
        self, data: bytes, name: str, about: About | None = None, *, private: bool = False
    ) -> Path:
        """Write a file under the name the client gave, relative to the working directory.

        Args:
            about: What it is of, if it is one of those that are listed.
            private: For its owner's eyes alone; and whole or not at all.

        Raises:
            CallError: The name leads out of the directories that may be written to.
        """
        path = self.inside(name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if private:
                _write_privately(path, data)
            else:
                path.write_bytes(data)
        except OSError as error:
            raise _unwritable(path, error) from error
        return path

    def inside(self, name: str) -> Path:
        """Return the path that a name means, links resolved.

        Raises:
            CallError: It lies outside of the allowed directories, or is no file name.
        """
        if not name or _UNSAFE.search(Path(name).name):
            raise CallError(
                f'"{name}" is not a file name.', "Use letters, digits, dots and dashes."
            )
        return self._within(name, (self.working, self.screenshots, self.output), "written to")

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
        allowed = dict.fromkeys(each.resolve() for each in places)
        if self.unrestricted or any(path.is_relative_to(each) for each in allowed):
            return path
        raise CallError(
            f'"{name}" lies outside of the directories that may be {verb}.',
            f"These are: {', '.join(map(str, allowed))}.",
        )

    def shown(self, path: Path) -> str:
        """Return the path as a reply names it: relative to the working directory if it can be."""
        return (
            str(path.relative_to(self.working)) if path.is_relative_to(self.working) else str(path)
        )


def _new_file(directory: Path, name: str) -> Path:
    """Make an empty file of that name; where there is one already, with a number in its name."""
    number = 1
    path = directory / name
    try:
        directory.mkdir(parents=True, exist_ok=True)
        while True:
            try:
                path.open("xb").close()
            except FileExistsError:
                number += 1
                path = directory / numbered(name, number)
            else:
                return path
    except OSError as error:
        raise _unwritable(path, error) from error


def _write_privately(path: Path, data: bytes) -> None:
    """Put a file in place that nobody else could ever read."""
    with NamedTemporaryFile(dir=path.parent, prefix=".saving-", delete=False) as file:
        part = Path(file.name)
        try:
            file.write(data)
            file.close()
            part.replace(path)
        except BaseException:
            part.unlink()
            raise


def _unwritable(path: Path, error: OSError) -> CallError:
    return CallError(
        f"{path} cannot be written: {error.strerror or error}.",
        "Choose a directory that can be written to.",
    )
