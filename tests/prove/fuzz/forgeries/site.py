"""A site with the texts of a round in its page, headers and file names."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote_to_bytes

_PAGE: Final = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
_LINE_ENDS: Final = str.maketrans("", "", "\r\n\0")


class HostileSite:
    """A running site.

    Attributes:
        url: The address of the page.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.page = b""

    def show(self, texts: Sequence[str]) -> None:
        """Serve a page with these texts from now on."""
        data = json.dumps(texts).replace("<", "\\u003c")
        self.page = _PAGE.replace("TEXTS", data).encode()


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    site: HostileSite

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        sent = unquote_to_bytes(query)
        text = sent.decode("latin-1").translate(_LINE_ENDS)
        length = int(self.headers["Content-Length"] or 0)
        bodies = {"/": self.site.page, "/echo": self.rfile.read(length) + b"\n" + sent}
        is_page = path in ("/", "/popup")
        headers = {"Content-Type": f"text/{'html' if is_page else 'plain'}; charset=utf-8"}
        reason = HTTPStatus.OK.phrase
        if path == "/headers":
            headers |= {"Content-Type": f"text/plain; {text}", "X-Text": text}
            reason = text
        if path == "/download":
            headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(sent)}"
        if path == "/redirect":
            headers["Location"] = f"/echo?{text}"
        self._send(302 if path == "/redirect" else 200, reason, headers, bodies.get(path, b"x"))

    do_POST = do_GET  # noqa: N815 - the name that http.server looks up

    def _send(self, status: int, reason: str, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status, reason)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(ConnectionError):  # The browser may need it no more.
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def serve_hostile_site() -> Iterator[HostileSite]:
    """Run a site on loopback."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    site = HostileSite(f"http://127.0.0.1:{server.server_port}/")
    server.RequestHandlerClass = type("Handler", (_Handler,), {"site": site})
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
