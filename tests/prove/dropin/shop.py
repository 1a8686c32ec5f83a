"""The shop of the demo, with pages that report what reached the server."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

DEMO_SITE = Path(__file__).parents[3] / "scripts" / "demo_site"


class _Shop(http.server.SimpleHTTPRequestHandler):
    """The files of the demo; `/echo`, the headers of the request as JSON; and a service worker."""

    def do_GET(self) -> None:
        if self.path.startswith("/echo"):
            headers = {name.lower(): value for name, value in self.headers.items()}
            self._respond(json.dumps(headers), "application/json")
        elif self.path == "/worker.js":
            self._respond("", "text/javascript")
        else:
            super().do_GET()

    def _respond(self, body: str, content_type: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def serve_shop() -> Iterator[str]:
    """Serve the shop; yield its host and port."""
    handler = partial(_Shop, directory=str(DEMO_SITE))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"localhost:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
