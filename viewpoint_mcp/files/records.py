"""What is remembered of the files that the server wrote: a small file beside each, in a hidden
directory. Not in the picture itself, for an address with a secret in it must not travel with a
picture that somebody shares.

What is remembered helps and is never needed: where it cannot be written or read, the file is one
that nothing is known of.
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
"""The directory of the records, in each directory that files are written to."""

_SUFFIX = ".json"
_LONGEST = 4_000  # characters of a URL, a title, a description
_LARGEST = 200_000  # bytes of a record
_CREDENTIALS = re.compile(r"://[^/?#]*@")


class About(Struct, frozen=True, kw_only=True):
    """What a saved file is of.

    Attributes:
        url: Of the page at that time.
        title: Of the page.
        context: The name of its browser context; "" where many clients may read of it.
        what: Of a screenshot: what it shows, such as "viewport" or "element 'button "Buy"'".
        viewport: Width and height, CSS pixels.
        size: Of a picture: width and height, pixels.
        scale: Of a picture: its pixels for one CSS pixel.
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
    """A file as the server left it.

    Attributes:
        about: What it is of.
        mime_type: By its first bytes, whatever its name is.
        saved: When, UTC.
        length: Bytes.
        modified: Nanoseconds, as the file system told.
    """

    about: About
    mime_type: str
    saved: Annotated[datetime, msgspec.Meta(tz=True)]
    length: int
    modified: int


class Records:
    """What is known of the files of one directory, which other servers may use as well.

    Names are paths within it, with "/" between their parts.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def write(self, name: str, about: About) -> None:
        """Remember what a file is of that was just written."""
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
        """Return what is known of a file as it is now; None of one that is gone, or that another
        has been put in place of.
        """
        place = self._place(name)
        record = self._read(place) if place is not None else None
        return record if record is not None and self._is_still(name, record) else None

    def __iter__(self) -> Iterator[tuple[str, Record]]:
        """Go through the files that something is known of, and forget those that are gone."""
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
        """Remove a file, if it still is the one that is known, and what is known of it.

        Raises:
            OSError: It cannot be removed.
        """
        path = self.path(name)
        if path is not None and self._is_still(name, record):
            path.unlink(missing_ok=True)
            self.forget(name)

    def forget(self, name: str) -> None:
        """Remove what is known of a file."""
        with suppress(OSError):
            if (place := self._place(name)) is not None:
                place.unlink(missing_ok=True)

    def path(self, name: str) -> Path | None:
        """Return where a file of that name lies; None for a name that leads elsewhere, be it by a
        link, and for those of the records.
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
            pass  # it cannot be looked at now
        return False

    def _place(self, name: str) -> Path | None:
        """Where the record of a file lies."""
        if self.path(name) is None:
            return None
        place = self.directory / HIDDEN / f"{name}{_SUFFIX}"
        return place if is_straight(place.parent, self.directory) else None

    def _read(self, place: Path) -> Record | None:
        try:
            return msgspec.json.decode(read(place, self.directory, _LARGEST), type=Record)
        except (OSError, ValueError, RecursionError):  # also what msgspec raises
            return None


def _fit(about: About) -> About:
    """Without credentials, without what UTF-8 cannot say, and not too long: some URLs hold a whole
    document.
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
