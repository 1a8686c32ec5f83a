"""HTTP downloads with the standard library: small documents, and large files that can be resumed.

The proxy settings come from the environment: HTTPS_PROXY, HTTP_PROXY, NO_PROXY.
"""

from __future__ import annotations

import functools
import http.client
import json
import logging
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from viewpoint_mcp.browser.install.stoppable_thread import StopFlag

log = logging.getLogger(__name__)

_TIMEOUT = 30.0  # seconds without receiving a byte
_PAUSES = (0.5, 1.0, 2.0)  # seconds before each retry
_CHUNK = 256 * 1024
_MAX_DOCUMENT = 1024 * 1024
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")

T = TypeVar("T")
ReportBytes = Callable[[int, int | None], None]
"""Callback for progress: bytes received, and total bytes or None if unknown."""


class DownloadError(Exception):
    """A failed download; the message gives the reason.

    Args:
        can_retry: Whether a retry may help.
    """

    def __init__(self, message: str, *, can_retry: bool = True) -> None:
        super().__init__(message)
        self.can_retry = can_retry


def download_document(url: str, stop: StopFlag) -> bytes:
    """Download a small document, with up to three retries.

    Raises:
        DownloadError: The download failed, or the document is larger than 1 MB.
        StoppedError: The work was cancelled.
    """
    return _retry(lambda: _download_document_once(url, stop), stop)


class DownloadResult(NamedTuple):
    """How a file was downloaded.

    Attributes:
        was_assembled_from_parts: Whether several requests delivered it. Such parts may not match.
    """

    was_assembled_from_parts: bool


def download_file(
    url: str, path: Path, stop: StopFlag, report_bytes: ReportBytes
) -> DownloadResult:
    """Download a file, or resume a partial download, with up to three retries.

    A partial file is kept after a failure. It is resumed only if the server confirms that the file
    has not changed.

    Args:
        path: Path of the file; notes about a partial download are stored beside it.
        report_bytes: Called with the progress, from this thread.

    Returns:
        Whether the file was assembled from several parts.

    Raises:
        DownloadError: The file could not be downloaded completely.
        OSError: The file cannot be written.
        StoppedError: The work was cancelled.
    """
    part = _PartialFile(url, path)
    began = part.size
    _retry(lambda: _download_file_once(part, stop, report_bytes), stop)
    return DownloadResult(was_assembled_from_parts=part.part_count > 1 or bool(began))


class _PartialFile:
    """A possibly partial file, with the validator that the server sent for it."""

    def __init__(self, url: str, path: Path) -> None:
        self.url = url
        self.path = path
        self.part_count = 0
        self._notes_path = path.with_name(f"{path.name}.json")
        self.validator: str | None = None
        self.total: int | None = None
        with suppress(OSError, ValueError, LookupError, TypeError):
            known = json.loads(self._notes_path.read_bytes())
            if known["url"] == url and isinstance(known["tag"], str):
                self.validator = known["tag"]
                self.total = known["total"] if isinstance(known["total"], int) else None

    @property
    def size(self) -> int:
        """The number of bytes that can be kept; 0 without a validator to compare with."""
        try:
            return self.path.stat().st_size if self.validator is not None else 0
        except OSError:
            return 0

    def start_over(self, validator: str | None, total: int | None) -> None:
        """Start the file again from its beginning.

        Args:
            validator: The validator from the server; None prevents resuming.
            total: The file's size in bytes; None if unknown.
        """
        self.validator, self.total, self.part_count = validator, total, 0
        self.path.write_bytes(b"")
        notes = {"url": self.url, "tag": validator, "total": total}
        self._notes_path.write_text(json.dumps(notes), encoding="utf-8")


def delete_partial_download(path: Path) -> None:
    """Delete a partial or complete download and its notes."""
    for file in (path, path.with_name(f"{path.name}.json")):
        file.unlink(missing_ok=True)


def _retry(attempt: Callable[[], T], stop: StopFlag) -> T:
    for pause in (*_PAUSES, None):
        stop.raise_if_stopped()
        try:
            return attempt()
        except DownloadError as error:
            stop.raise_if_stopped()  # the failure may come from the socket that `stop` shut down
            if pause is None or not error.can_retry:
                raise
            log.info("%s; trying again in %g s", error, pause)
            stop.sleep(pause)
    raise AssertionError("unreachable")


def _download_document_once(url: str, stop: StopFlag) -> bytes:
    with _open_url(url, {}, stop) as response:
        data = b""
        while len(data) <= _MAX_DOCUMENT and (more := _read_chunk(response, _CHUNK)):
            data += more
    if len(data) > _MAX_DOCUMENT:
        raise DownloadError(f"{url} is too large for a list of versions", can_retry=False)
    return data


def _download_file_once(part: _PartialFile, stop: StopFlag, report_bytes: ReportBytes) -> None:
    size = part.size
    if size and size == part.total:
        return
    headers = {"Range": f"bytes={size}-", "If-Range": part.validator or ""} if size else {}
    with _open_url(part.url, headers, stop) as response:
        if not _is_continuation(response, size, part.total):
            length = response.headers.get("Content-Length")
            total = int(length) if length and length.isdecimal() else None
            part.start_over(_get_validator(response), total)
            size = 0
        part.part_count += 1
        with part.path.open("ab") as sink:
            while size != part.total and (chunk := _read_chunk(response, _CHUNK)):
                stop.raise_if_stopped()
                sink.write(chunk)
                size += len(chunk)
                report_bytes(size, part.total)
    stop.raise_if_stopped()
    if part.total is not None and size != part.total:
        raise DownloadError(f"{part.url} ended early: {size} of {part.total} bytes received")


def _is_continuation(response: http.client.HTTPResponse, size: int, total: int | None) -> bool:
    """Return whether the response continues the partial file; False for the whole file.

    Raises:
        DownloadError: It is another part of the file.
    """
    if response.status != http.HTTPStatus.PARTIAL_CONTENT:
        return False
    content_range = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", ""))
    if (
        content_range is None
        or int(content_range[1]) != size
        or content_range[2] not in ("*", str(total))
    ):
        raise DownloadError("The server sent another part of the file than requested")
    return True


def _get_validator(response: http.client.HTTPResponse) -> str | None:
    """Return a validator for If-Range: a strong ETag, else the Last-Modified date, else None."""
    tag = response.headers.get("ETag")
    return tag if tag and tag.startswith('"') else response.headers.get("Last-Modified")


def _read_chunk(response: http.client.HTTPResponse, size: int) -> bytes:
    try:
        return response.read1(size)  # returns what has arrived, without waiting for `size` bytes
    except (OSError, http.client.HTTPException) as error:
        raise DownloadError(f"{response.url} ended early: {error}") from error


def _open_url(url: str, headers: dict[str, str], stop: StopFlag) -> http.client.HTTPResponse:
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _SafeRedirectHandler(),
        _StoppableHandler(stop),
    ):
        opener.add_handler(handler)
    request = urllib.request.Request(url, headers={"User-Agent": "viewpoint-mcp", **headers})
    try:
        response: Any = opener.open(request, timeout=_TIMEOUT)
    except urllib.error.HTTPError as error:
        error.close()
        passing = error.code >= 500 or error.code in (408, 416, 429)
        raise DownloadError(
            f"{url} answered {error.code} {error.reason}", can_retry=passing
        ) from error
    except urllib.error.URLError as error:
        raise DownloadError(f"{url} cannot be reached: {error.reason}") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise DownloadError(f"{url} cannot be reached: {error}") from error
    if response is None:
        raise DownloadError(f"{url} is not an http or https address", can_retry=False)
    return response  # type: ignore[no-any-return]


class _SafeRedirectHandler(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> Any:
        if req.type == "https" and not newurl.lower().startswith("https:"):
            raise DownloadError(
                f"{req.full_url} redirects to {newurl}, which is not encrypted", can_retry=False
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class _StoppableHandler(urllib.request.HTTPSHandler, urllib.request.HTTPHandler):
    """HTTP and HTTPS handler that registers its sockets with `stop`."""

    def __init__(self, stop: StopFlag) -> None:
        super().__init__()
        self._stop = stop

    def http_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(functools.partial(_StoppableHttpConnection, self._stop), req)

    def https_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(functools.partial(_StoppableHttpsConnection, self._stop), req)


class _StoppableHttpConnection(http.client.HTTPConnection):
    def __init__(self, stop: StopFlag, host: str, **options: Any) -> None:
        super().__init__(host, **options)
        self._stop = stop

    def connect(self) -> None:
        super().connect()
        self._stop.watch_socket(self.sock)


class _StoppableHttpsConnection(http.client.HTTPSConnection):
    def __init__(self, stop: StopFlag, host: str, **options: Any) -> None:
        super().__init__(host, **options)
        self._stop = stop

    def connect(self) -> None:
        super().connect()
        self._stop.watch_socket(self.sock)
