"""The HTML that packages ship: documents as they are, and components' fixtures in a plain page.

`scripts/fetch_corpus.py` fetches them. They are served from this machine, so that style sheets and
modules load as on any site; nothing else can be reached.
"""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import orjson

from scripts.fetch_corpus import CORPUS, PACKAGES, missing
from tests.prove.fidelity.pages.page import CorpusPage

DOCUMENTS: Final = {
    "gentelella": "dist/production/*.html",
    "spectre.css": "docs/**/*.html",
    "uikit": "tests/*.html",
}
"""Packages with whole documents, and where."""

FIXTURES: Final = {
    "govuk-frontend": ("dist/govuk", "govuk-frontend.min.css", "govuk-frontend.min.js", "govuk"),
    "nhsuk-frontend": ("dist/nhsuk", "nhsuk-frontend.min.css", "nhsuk-frontend.min.js", "nhsuk"),
}
"""Packages whose components come with rendered fixtures: folder, style sheet, module, body class."""

STATES: Final = 5
"""The most fixtures to take of one component."""

AROUND: Final = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{name}</title>
<link rel="stylesheet" href="/{folder}/{sheet}"></head>
<body class="{prefix}-template__body"><script>document.body.className += " js-enabled {prefix}-frontend-supported"</script>
{html}
<script type="module">import {{ initAll }} from "/{folder}/{module}"; initAll();</script></body></html>"""


class CorpusMissing(Exception):
    """Packages are missing; the message says how to fetch them."""


@contextmanager
def package_pages() -> Iterator[list[CorpusPage]]:
    """Serve the packages and yield their pages.

    Raises:
        CorpusMissing: Not all packages were fetched.
    """
    if lacking := ", ".join(package.name for package in missing()):
        raise CorpusMissing(f"The corpus lacks {lacking}. Run: make corpus")
    made = dict(_fixture_pages())
    with serve(CORPUS, made) as base:
        paths = [*_document_paths(), *made]
        yield [CorpusPage(_package_of(path), path, url=f"{base}/{path}") for path in paths]


def _package_of(path: str) -> str:
    return next(package.name for package in PACKAGES if path.startswith(package.name))


def _document_paths() -> Iterator[str]:
    for package in PACKAGES:
        if package.name in DOCUMENTS:
            for path in sorted(package.directory.glob(DOCUMENTS[package.name])):
                yield path.relative_to(CORPUS).as_posix()


def _fixture_pages() -> Iterator[tuple[str, bytes]]:
    """Yield path and document of each component in each state."""
    for package in PACKAGES:
        if package.name not in FIXTURES:
            continue
        folder, sheet, module, prefix = FIXTURES[package.name]
        within = f"{package.directory.name}/{folder}"
        for path in sorted((CORPUS / within).glob("components/**/fixtures.json")):
            fixtures = orjson.loads(path.read_bytes())["fixtures"]
            for number, fixture in _some_of(fixtures):
                name = f"{package.name}/{path.parent.name}/{number}"
                html = AROUND.format(
                    name=name,
                    folder=within,
                    sheet=sheet,
                    module=module,
                    prefix=prefix,
                    html=fixture["html"],
                )
                yield name, html.encode()


def _some_of(fixtures: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield a few fixtures and their numbers, spread evenly: neighbours are much alike."""
    step = max(1, -(-len(fixtures) // STATES))
    for number in range(0, len(fixtures), step):
        yield number, fixtures[number]


@contextmanager
def serve(directory: Path, made: Mapping[str, bytes]) -> Iterator[str]:
    """Serve a directory, and pages made here, on loopback."""
    handler = partial(_Handler, directory=str(directory), made=made)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, name="corpus")
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class _Handler(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *args: Any, made: Mapping[str, bytes], **kwargs: Any) -> None:
        self._made = made
        super().__init__(*args, **kwargs)

    def do_GET(self) -> None:
        body = self._made.get(self.path.lstrip("/"))
        if body is None:
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing, because a page makes many requests."""
