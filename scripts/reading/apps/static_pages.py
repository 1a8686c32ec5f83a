"""Pages that use libraries of npm: a grid and a code editor. They keep their data in the page."""

from __future__ import annotations

import functools
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Handler(SimpleHTTPRequestHandler):
    """Serves the pages beside this file, and the packages below /npm."""

    def translate_path(self, path: str) -> str:
        """Return the file of a path."""
        path = path.partition("?")[0]
        if path.startswith("/npm/"):
            return str(Path(sys.argv[2]) / path.removeprefix("/npm/"))
        return str(Path(__file__).with_name("pages") / path.removeprefix("/"))


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), functools.partial(Handler)).serve_forever()
