"""Unpacking of a zip archive with file modes and links, confined to one directory."""

from __future__ import annotations

import shutil
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from viewpoint_mcp.browser.install.stopping import Stop

_LARGEST = 4 * 1024**3  # bytes unpacked; Chrome has about 400 MB
_CHUNK = 1024 * 1024


class BrokenArchive(Exception):
    """The archive is damaged or not a zip file, or has entries that lead out of the directory."""


def unpack(archive: Path, to: Path, stop: Stop) -> None:
    """Unpack a zip file and check the CRC of each file.

    Links are created last, so that no file is written through a link.

    Args:
        to: An empty directory.

    Raises:
        BrokenArchive: It cannot be unpacked, is too large, or has entries that lead out of `to`.
        OSError: The files cannot be written.
        Stopped: The work was cancelled.
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
    # Drop setuid and similar bits; keep the file writable, so that it can be replaced.
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
