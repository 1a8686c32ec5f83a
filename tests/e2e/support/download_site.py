"""Plays the site that Chrome for Testing is downloaded from, well or badly; its "Chrome" is a
script that becomes the Chromium of the test run.
"""

from __future__ import annotations

import io
import json
import shlex
import stat
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from secrets import token_bytes

from werkzeug import Request, Response

from tests.site import Site

VERSION = "140.0.7339.80"
LIST = "/cft/last-known-good-versions-with-downloads.json"
ROOT = "chrome-linux64"
EXECUTABLE = f"{VERSION}/{ROOT}/chrome"
_CHUNK = 64 * 1024


def script(executable: str) -> str:
    """What is told by its path is which Chrome runs, for those who look at processes."""
    return f'#!/bin/sh\nexec {shlex.quote(executable)} --installed-as="$0" "$@"\n'


def archive(chrome: str, *, padding: int = 600_000, **more: str) -> bytes:
    """A zip file as of Chrome for Testing: an executable, a file, a link.

    Args:
        chrome: The text of the executable script.
        padding: Bytes that cannot be compressed.
        more: Further files, by name.
    """
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as opened:
        _add(opened, f"{ROOT}/chrome", chrome, stat.S_IFREG | 0o755)
        _add(opened, f"{ROOT}/current", "icudtl.dat", stat.S_IFLNK | 0o777)
        _add(opened, f"{ROOT}/icudtl.dat", token_bytes(padding), stat.S_IFREG | 0o640)
        for name, text in more.items():
            _add(opened, name, text, stat.S_IFREG | 0o644)
    return made.getvalue()


def _add(opened: zipfile.ZipFile, name: str, data: str | bytes, mode: int) -> None:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = mode << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    opened.writestr(entry, data)


class Mirror:
    """The site, and how it behaves.

    Attributes:
        data: The archive.
        length: What it says of the archive's length, if not the truth.
        breaks_at: Bytes after which the next answers break off.
        after_break: Called when one did, before the other side can know.
        failures: Statuses of the next answers for the archive, instead of it.
        ranges: Whether parts are served.
        held: Bytes after which the archive stops until `go_on` is set.
    """

    def __init__(self, site: Site, data: bytes, version: str = VERSION) -> None:
        self.data = data
        self.length: int | None = None
        self.breaks_at: list[int] = []
        self.after_break: Callable[[], None] | None = None
        self.failures: list[int] = []
        self.ranges = True
        self.held: int | None = None
        self.go_on = threading.Event()
        self._site = site
        self.path = f"/cft/{version}/linux64/chrome-linux64.zip"
        stable = {"version": version, "downloads": {"chrome": []}}
        site.respond(LIST, json.dumps({"channels": {"Stable": stable}}))
        site.handle(self.path, self._serve)
        self.host = site.url("/cft")

    @property
    def asked(self) -> list[str | None]:
        """The ranges of the requests for the archive, oldest first."""
        return [request.headers.get("Range") for request in self._site.requests(self.path)]

    def _serve(self, request: Request) -> Response:
        if self.failures:
            return Response("no", status=self.failures.pop(0))
        tag, start = f'"{hash(self.data)}"', 0
        given = request.headers.get("Range")
        if self.ranges and given and request.headers.get("If-Range") == tag:
            start = int(given.removeprefix("bytes=").partition("-")[0])
        length = self.length or len(self.data)
        headers = {"ETag": tag, "Content-Length": str(length - start)}
        if start:
            headers["Content-Range"] = f"bytes {start}-{length - 1}/{length}"
        status = 206 if start else 200
        return Response(self._body(start), status, headers, direct_passthrough=True)

    def _body(self, start: int) -> Iterator[bytes]:
        data = self.data
        end = self.breaks_at.pop(0) if self.breaks_at else len(data)
        while start < end:
            if self.held is not None and start >= self.held:
                self.go_on.wait(60)
            stop = min(end, start + _CHUNK)
            yield data[start:stop]
            start = stop
        if end < len(data) and self.after_break is not None:
            self.after_break()


def left_in(place: Path) -> set[str]:
    """What is in the directory of browsers, without its lock."""
    return {each.name for each in place.iterdir()} - {"lock"}
