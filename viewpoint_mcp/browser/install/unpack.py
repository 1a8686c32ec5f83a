"""Unpacks an archive with the modes and links that it has, and nothing outside of one directory."""

from __future__ import annotations

import shutil
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from viewpoint_mcp.browser.install.stopping import Stop

_LARGEST = 4 * 1024**3  # bytes unpacked; Chrome has some 400 MB
_CHUNK = 1024 * 1024


class BrokenArchive(Exception):
    """The archive is damaged, cut off, or none; or it wants to write where it may not."""


def unpack(archive: Path, to: Path, stop: Stop) -> None:
    """Unpack a zip file, checking each file's CRC.

    Links come last, so that nothing is written through one.

    Args:
        to: An empty directory.

    Raises:
        BrokenArchive: It cannot be unpacked, or has files or links that lead out of `to`.
        OSError: It cannot be written.
        Stopped: The work was broken off.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            entries = opened.infolist()
            if sum(entry.file_size for entry in entries) > _LARGEST:
                raise BrokenArchive("it would take more than 4 GB")
            links = [entry for entry in entries if stat.S_ISLNK(_mode(entry))]
            for entry in entries:
                if entry not in links:
                    _write(opened, entry, to / _inside(entry.filename), stop)
            _link(opened, links, to)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as error:
        raise BrokenArchive(str(error)) from error
    except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
        raise BrokenArchive(f"it has two files of one name ({error})") from error


def _mode(entry: zipfile.ZipInfo) -> int:
    return entry.external_attr >> 16


def _inside(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name:
        raise BrokenArchive(f"{name!r} leads out of it")
    return path


def _write(opened: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path, stop: Stop) -> None:
    stop.check()
    if entry.is_dir():
        path.mkdir(parents=True, exist_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with opened.open(entry) as source, path.open("xb") as sink:
        while chunk := source.read(_CHUNK):
            stop.check()
            sink.write(chunk)
    # Without setuid and the like; ours to replace later on.
    path.chmod((_mode(entry) & 0o777 or 0o644) | 0o600)


def _link(opened: zipfile.ZipFile, links: list[zipfile.ZipInfo], to: Path) -> None:
    made = []
    for entry in links:
        path = to / _inside(entry.filename)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(opened.read(entry).decode())
        made.append(path)
    root = to.resolve()
    for path in made:
        if not path.resolve().is_relative_to(root):
            shutil.rmtree(to, ignore_errors=True)
            raise BrokenArchive(f"the link {path.name!r} leads out of it")
