"""The pages the contestants visit, served from this machine by a thread of the benchmark."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

PAGES = Path(__file__).parent / "pages"

HEAD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    '<link rel="icon" href="data:,"><title>{count} rows</title></head><body><main>'
)
ROW = (
    "<section><h2>Order {n}</h2><p>Placed by customer {n}, paid, and waiting to be packed.</p>"
    '<a href="/orders/{n}">Details of order {n}</a> '
    '<button type="button">Cancel order {n}</button> '
    '<input aria-label="Note on order {n}"></section>'
)


class Site:
    """The addresses of the pages, and the number of requests for each."""

    def __init__(self, origin: str, hits: Counter[str]) -> None:
        self._origin = origin
        self._hits = hits

    def url(self, page: str) -> str:
        """Return the address of a page, for example `acts` or `rows?count=50`."""
        return f"{self._origin}/{page}"

    def hits(self, page: str) -> int:
        """Return the number of requests for the page so far."""
        return self._hits[f"/{page}"]


def build_page(path: str, query: dict[str, list[str]]) -> bytes | None:
    """Return the HTML of a page; None if there is no such page."""
    if path == "/rows":
        count = int(query["count"][0])
        rows = "".join(ROW.format(n=n) for n in range(1, count + 1))
        return f"{HEAD.format(count=count)}{rows}</main></body></html>".encode()
    file = PAGES / f"{path[1:]}.html"
    return file.read_bytes() if file.is_file() else None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body leave in one segment; two would meet Nagle and the delayed acknowledgement.
    wbufsize = -1
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        self.server.hits[address.path] += 1
        body = build_page(address.path, parse_qs(address.query))
        self.send_response(200 if body is not None else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing, because the table is the output."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.hits: Counter[str] = Counter()

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that hangs up in the middle of an answer is no news here."""


@contextmanager
def serve() -> Iterator[Site]:
    """Serve the pages on a free port of the loopback until the block ends."""
    server = _Server()
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield Site(f"http://127.0.0.1:{server.server_port}", server.hits)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
