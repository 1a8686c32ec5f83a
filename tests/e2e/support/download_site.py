"""Simulates the download site of Chrome for Testing, and its failures. Its "Chrome" is a script
that starts the Chromium of the test run."""

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
    """Return a script that runs Chromium under its own path, so that a list of processes shows
    which Chrome runs."""
    return f'#!/bin/sh\nexec {shlex.quote(executable)} --installed-as="$0" "$@"\n'


def archive(chrome: str, *, padding: int = 600_000, **more: str) -> bytes:
    """Return a zip file like those of Chrome for Testing: an executable, a file and a link.

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
    """The download site and its behaviour.

    Attributes:
        data: The archive.
        length: The Content-Length that it sends, if not the true one.
        breaks_at: Number of bytes after which the next responses break off.
        after_break: Called after a break, before the other side can notice it.
        failures: Status codes of the next responses, in place of the archive.
        ranges: Whether it serves ranges.
        pauses_at: Number of bytes after which it pauses until `go_on` is set.
    """

    def __init__(self, site: Site, data: bytes, version: str = VERSION) -> None:
        self.data = data
        self.length: int | None = None
        self.breaks_at: list[int] = []
        self.after_break: Callable[[], None] | None = None
        self.failures: list[int] = []
        self.ranges = True
        self.pauses_at: int | None = None
        self.go_on = threading.Event()
        self._site = site
        self.path = f"/cft/{version}/linux64/chrome-linux64.zip"
        stable = {"version": version, "downloads": {"chrome": []}}
        site.respond(LIST, json.dumps({"channels": {"Stable": stable}}))
        site.handle(self.path, self._serve)
        self.host = site.url("/cft")

    @property
    def requested_ranges(self) -> list[str | None]:
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
            if self.pauses_at is not None and start >= self.pauses_at:
                self.go_on.wait(60)
            stop = min(end, start + _CHUNK)
            yield data[start:stop]
            start = stop
        if end < len(data) and self.after_break is not None:
            self.after_break()


def list_files(place: Path) -> set[str]:
    """Return the names in the directory of browsers, without its lock."""
    return {each.name for each in place.iterdir()} - {"lock"}
