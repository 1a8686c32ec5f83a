"""A server with a browser, which gets calls of all tools with generated arguments."""

from __future__ import annotations

import asyncio
import http.server
import json
import os
import threading
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Self, get_args

from tests.e2e.support.client import ClientError, Reply, RpcFailure, StdioClient
from tests.prove.fuzz.arguments import PIPE
from tests.prove.fuzz.judging import IllegalAnswer
from viewpoint_mcp.errors import ErrorCode
from viewpoint_mcp.tools.catalog import OPTIONAL_CAPABILITIES

PATIENCE = 200.0  # seconds; six calls of the longest wait, one after the other, take 180
# The person whom this tool asks is not there.
NOT_CALLED = frozenset({"browser_ask_user"})

Call = tuple[str, dict[str, Any]]

_CODES = frozenset(get_args(ErrorCode)) - {"internal_error"}
_INVALID_PARAMS = -32602
_FLAGS = (
    *("--headless", "--isolated", f"--caps={','.join(sorted(OPTIONAL_CAPABILITIES))}"),
    *("--timeout-action=500", "--timeout-settle=100", "--timeout-navigation=2000"),
    "--output-max-size=50000000",
)
_PAGE = """<!doctype html><title>Shop</title><h1>Shop</h1>
<label>Name <input id=name required></label> <input type=file aria-label=File multiple>
<label><input type=checkbox> Gift</label> <input type=password aria-label=Password>
<select aria-label=Size><option>S<option>M</select> <textarea aria-label=Note></textarea>
<button onclick="console.log('bought'); fetch('/empty')">Buy</button>
<button onclick="confirm('Sure?')">Ask</button> <button disabled>Sold out</button>
<button onclick="window.open('/page?popup')">Open</button>
<p id=from draggable=true>Drag</p> <p ondragover="event.preventDefault()" ondrop="1">Drop</p>
<a href=/page?next>Next</a> <a href=/file download>List</a> <a href=/page target=_blank>Tab</a>
<iframe src=/empty title=Frame></iframe><div contenteditable>Edit</div><canvas></canvas>
<ul><li>Tea<li>Milk</ul><table><tr><td>1<td>2</table><video controls></video>
<script>setTimeout(() => document.body.append('late'), 50)</script>"""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        types = {"/file": "application/octet-stream", "/svg": "image/svg+xml"}
        status = {"/redirect": 302, "/missing": 404}.get(path, 200)
        body = {"/empty": b"", "/svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>"}.get(
            path, _PAGE.encode()
        )
        self.send_response(status)
        self.send_header("Content-Type", types.get(path, "text/html; charset=utf-8"))
        self.send_header("Content-Length", str(len(body)))
        if status == 302:
            self.send_header("Location", "/page")
        self.end_headers()
        with suppress(ConnectionError):  # The browser may need it no more.
            self.wfile.write(body)

    do_POST = do_GET  # noqa: N815 - the name that http.server looks up

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def serve_site() -> Iterator[str]:
    """Serve the page, and give its address without a path."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class FuzzedTools:
    """One server process with its browser; a context manager.

    Args:
        directory: The working directory of the server.
        site: The address of the site.
    """

    def __init__(self, directory: Path, site: str) -> None:
        self._directory = directory
        self._site = site
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()

    def __enter__(self) -> Self:
        self._runner.run(self._start())
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._runner.run(self._stack.aclose())
        finally:
            self._runner.close()

    async def _start(self) -> None:
        os.mkfifo(self._directory / PIPE)
        opened = StdioClient.open(*_FLAGS, cwd=self._directory)
        self._client = await self._stack.enter_async_context(opened)
        await self._client.initialize()
        tools = await self._client.tools()
        self.schemas = {name: t["inputSchema"] for name, t in tools.items()}

    def feed(self, calls: list[Call]) -> None:
        """Open the page, make the calls at the same time, and judge the replies.

        Raises:
            IllegalAnswer: A reply is missing, or shows a bug of the server.
        """
        self._runner.run(self._feed(calls))

    async def _feed(self, calls: list[Call]) -> None:
        await self._call("browser_navigate", {"url": f"{self._site}/page"})
        await asyncio.gather(*(self._call(name, arguments) for name, arguments in calls))
        if any(name == "browser_emulate" for name, _ in calls):  # perhaps a slow connection
            await self._call("browser_emulate", {"reset": True})
        if "Traceback" in self._client.stderr:
            raise IllegalAnswer(f"{calls} left in the log: {self._client.stderr[-3000:]}")

    async def _call(self, name: str, arguments: dict[str, Any]) -> None:
        what = f"{name} {json.dumps(arguments)[:1000]}"
        params = {"name": name, "arguments": arguments}
        try:
            result = await self._client.request("tools/call", params, within=PATIENCE)
        except RpcFailure as failure:
            if failure.code != _INVALID_PARAMS:
                raise IllegalAnswer(f"{what} got the error {failure}") from failure
            return
        except ClientError as error:
            raise IllegalAnswer(f"{what}: {error}") from error
        reply = Reply.of(result)
        if not reply.text and not reply.images:
            raise IllegalAnswer(f"{what} got an empty reply.")
        code = result.get("_meta", {}).get("error", {}).get("code")
        if reply.is_error and code not in _CODES:
            raise IllegalAnswer(f"{what} got the code {code}: {reply.text[:1000]}")
