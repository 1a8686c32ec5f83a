"""Unpacking of a zip archive with file modes and links, confined to one directory."""

from __future__ import annotations

import shutil
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from viewpoint_mcp.browser.install.stoppable_thread import StopFlag

_MAX_UNPACKED = 4 * 1024**3  # bytes unpacked; Chrome has about 400 MB
_CHUNK = 1024 * 1024


class BrokenArchiveError(Exception):
    """The archive is damaged or not a zip file, or has entries that lead out of the directory."""


def unpack_zip(archive: Path, directory: Path, stop: StopFlag) -> None:
    """Unpack a zip file and check the CRC of each file.

    Links are created last, so that no file is written through a link.

    Args:
        directory: An empty directory.

    Raises:
        BrokenArchiveError: It cannot be unpacked, is too large, or has entries that lead out of
            `directory`.
        OSError: The files cannot be written.
        StoppedError: The work was cancelled.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            entries = opened.infolist()
            if sum(entry.file_size for entry in entries) > _MAX_UNPACKED:
                raise BrokenArchiveError("it is larger than 4 GB unpacked")
            links = [entry for entry in entries if stat.S_ISLNK(_get_file_mode(entry))]
            for entry in entries:
                if entry not in links:
                    _write_entry(opened, entry, directory / _get_safe_path(entry.filename), stop)
            _create_links(opened, links, directory)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as error:
        raise BrokenArchiveError(str(error)) from error
    except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
        raise BrokenArchiveError(f"it has two files with the same name ({error})") from error


def _get_file_mode(entry: zipfile.ZipInfo) -> int:
    return entry.external_attr >> 16


def _get_safe_path(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name:
        raise BrokenArchiveError(f"{name!r} points outside the archive")
    return path


def _write_entry(
    opened: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path, stop: StopFlag
) -> None:
    stop.raise_if_stopped()
    if entry.is_dir():
        path.mkdir(parents=True, exist_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with opened.open(entry) as source, path.open("xb") as sink:
        while chunk := source.read(_CHUNK):
            stop.raise_if_stopped()
            sink.write(chunk)
    # Drop setuid and similar bits; keep the file writable, so that it can be replaced.
    path.chmod((_get_file_mode(entry) & 0o777 or 0o644) | 0o600)


def _create_links(opened: zipfile.ZipFile, links: list[zipfile.ZipInfo], directory: Path) -> None:
    made = []
    for entry in links:
        path = directory / _get_safe_path(entry.filename)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(opened.read(entry).decode())
        made.append(path)
    root = directory.resolve()
    for path in made:
        if not path.resolve().is_relative_to(root):
            shutil.rmtree(directory, ignore_errors=True)
            raise BrokenArchiveError(f"the link {path.name!r} points outside the archive")
