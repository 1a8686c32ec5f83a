"""The applications of the package `todomvc`, which keep their data in the browser."""

from __future__ import annotations

import functools
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

if __name__ == "__main__":
    examples = Path(sys.argv[2]).parents[1] / "todomvc" / "node_modules" / "todomvc" / "examples"
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(examples))
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), handler).serve_forever()
