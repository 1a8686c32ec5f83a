"""A web site made of pages written in the test: `url = site.page("<h1>Hello</h1>")`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response


class Site:
    """A site on loopback that serves the pages and answers of one test.

    Args:
        server: The running server. Its handlers belong to this test until it is cleared.
    """

    def __init__(self, server: HTTPServer) -> None:
        self._server = server
        self._pages = 0
        self._served: set[str] = set()
        server.no_handler_status_code = 404
        self.respond("/favicon.ico", status=204)

    def url(self, path: str = "/") -> str:
        """Return the address of `path` on this site."""
        return self._server.url_for(path)

    def page(
        self,
        html: str,
        *,
        path: str | None = None,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
    ) -> str:
        """Serve an HTML page and return its address.

        Args:
            html: The document, sent as it is.
            path: Where it is served; by default a new path.
        """
        self._pages += 1
        path = path or f"/page-{self._pages}"
        content_type = "text/html; charset=utf-8"
        return self.respond(path, html, status=status, content_type=content_type, headers=headers)

    def respond(
        self,
        path: str,
        body: str | bytes = "",
        *,
        status: int = 200,
        content_type: str = "text/plain; charset=utf-8",
        headers: Mapping[str, str] | None = None,
    ) -> str:
        """Serve a fixed response to any method and return its address."""
        self._claim(path)
        self._server.expect_request(path).respond_with_data(
            body, status=status, content_type=content_type, headers=dict(headers or {})
        )
        return self.url(path)

    def handle(self, path: str, handler: Callable[[Request], Response]) -> str:
        """Serve a path with `handler`, on a thread of the server; return the address."""
        self._claim(path)
        self._server.expect_request(path).respond_with_handler(handler)
        return self.url(path)

    def script_that_hangs(self) -> str:
        """Return a script that, after a message, requests /hangs and then never ends."""
        self.respond("/hangs", "")
        return (
            "<script>onmessage = () => { const request = new XMLHttpRequest();"
            "request.open('GET', '/hangs', false); request.send(); for (;;); }</script>"
        )

    def _claim(self, path: str) -> None:
        """Refuse a path that is served already, because the server would send its first response
        again."""
        assert path not in self._served, f"{path} is served twice. Give each answer its own path."
        self._served.add(path)

    def requests(self, path: str) -> list[Request]:
        """Return the requests for `path` so far, oldest first."""
        return [request for request, _ in self._server.log if request.path == path]
