"""The tool that saves the traffic of a context as a HAR file (`--caps network`)."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from viewpoint_mcp.accessibility.printing.invisible_characters import escape_invisible
from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.errors import ViewpointError
from viewpoint_mcp.files.records import FileDescription
from viewpoint_mcp.tools.core.args import Args, ContextName, Filename
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.sessionless_call_policy import ActsInContext
from viewpoint_mcp.tools.core.tool import browser_tool
from viewpoint_mcp.tools.reply.details.body_decoding import decode_text

if TYPE_CHECKING:
    from viewpoint_mcp.browser.client_workspace import Workspace
    from viewpoint_mcp.browser.context import Context
    from viewpoint_mcp.page.network.request import Request
    from viewpoint_mcp.page.page import Page
    from viewpoint_mcp.tools.reply.details.har import HarBody, JsonObject

_MAX_BODY_BYTES = 50_000_000  # bytes of all bodies of a file
_SLOW = 5.0  # seconds; a renderer that fails so late is not asked again
_LOCAL_SCHEMES = ("data:", "blob:")


class ExportHarArgs(Args):
    filename: Filename = None
    """File to save, relative to the working directory or absolute; `.har` is added if it has no
    suffix. A new file in `--output-dir` if omitted."""
    omit_bodies: bool = False
    """Whether to leave out all bodies. Otherwise the file has those that Chromium still keeps, of
    the documents that are shown now."""
    sensitive: bool = False
    """Whether to show passwords, tokens and cookies in headers. They are masked if omitted."""
    context: ContextName = None


@browser_tool(
    "browser_network_export_har",
    title="Export HAR",
    kind="read",
    capability="network",
    sessionless=ActsInContext(),
)
async def export_har(browser: Workspace, args: ExportHarArgs) -> ToolResult:
    """Save the requests of all open tabs of the context as a HAR 1.2 file.

    The file has what `browser_network_requests` with `all` and `static` lists for each tab,
    including requests that a route fulfilled or aborted. Chrome's developer tools and other
    programs open it. A missing body has a comment with the reason.

    Reply: the path, and the number of requests and bodies.

    Errors: the file cannot be written.
    """
    context = await browser.get_context(args.context)
    await context.refresh_tabs()
    export = _Export(args)
    for number, (title, page) in enumerate(_list_pages(context), 1):
        await export.add_page(f"page_{number}", title, page)
    about = FileDescription(kind="network", context=context.identity.label, what="HAR file")
    text = await asyncio.to_thread(export.encode)
    if args.filename:
        name = args.filename if Path(args.filename).suffix else f"{args.filename}.har"
        path = await asyncio.to_thread(browser.files.save_as, text, name, about)
    else:
        path = await asyncio.to_thread(browser.files.save, text, "har", about)
    saved = f"{export.describe()} saved to {browser.files.format_path_for_reply(path)}"
    return ToolResult("\n".join([saved, *export.notes]), context=context)


def _list_pages(context: Context) -> list[tuple[str, Page]]:
    return [
        (tab.title or tab.url, tab.attached_page)
        for tab in context.tabs
        if tab.attached_page is not None
    ]


class _Export:
    """The content of a HAR file, which grows page by page."""

    def __init__(self, args: ExportHarArgs) -> None:
        # Only this tool needs the module, so it is not imported at the start of the server.
        from viewpoint_mcp.tools.reply.details import har

        self._har = har
        self._args = args
        self._pages: list[JsonObject] = []
        self._entries: list[JsonObject] = []
        self._body_count = 0
        self._bytes_left = _MAX_BODY_BYTES
        self._dropped = 0
        self._unresponsive: dict[object, str] = {}

    @property
    def notes(self) -> list[str]:
        """Notes about what the file lacks, a line each."""
        if not self._dropped:
            return []
        return [f"Note: the oldest {format_count(self._dropped, 'request')} are no longer stored."]

    async def add_page(self, page_id: str, title: str, page: Page) -> None:
        """Add the requests of a tab."""
        log = page.request_log
        requests = [
            each
            for each in (*log.earlier_requests, *log)
            if not each.url.startswith(_LOCAL_SCHEMES)
        ]
        self._dropped += log.dropped_count + log.dropped_earlier_count
        self._pages.append(self._har.make_page(page_id, title, requests))
        for request in requests:
            self._entries.append(await self._make_entry(page, page_id, request))

    def encode(self) -> str:
        """Return the file. The escapes of JSON replace invisible characters and lone surrogates."""
        har = self._har.make_har(_find_version(), self._pages, self._entries, " ".join(self.notes))
        return escape_invisible(json.dumps(har, ensure_ascii=False, indent=1))

    def describe(self) -> str:
        """Return how much the file has."""
        requests = format_count(len(self._entries), "request")
        bodies = "body" if self._body_count == 1 else "bodies"
        return f"{requests} with {self._body_count:,} response {bodies}"

    async def _make_entry(self, page: Page, page_id: str, request: Request) -> JsonObject:
        sent = received = self._har.HarBody()
        if request.has_request_body:
            sent = await self._fetch(page.fetch_request_body, request)
        if _may_have_response_body(request):
            received = await self._fetch(page.fetch_response_body, request)
            self._body_count += received.text is not None
        elif request.body_length or (request.status and request.ended_at is None):
            received = self._har.HarBody(comment=_explain_missing_body(request))
        return self._har.make_entry(
            request,
            page_id,
            sent=sent,
            received=received,
            show_credentials=self._args.sensitive,
        )

    async def _fetch(
        self, fetch: Callable[[Request], Awaitable[bytes]], request: Request
    ) -> HarBody:
        if self._args.omit_bodies:
            return self._har.HarBody(comment="omitted, as omitBodies requests")
        if request.body_length > self._bytes_left:
            return self._har.HarBody(comment="omitted, because the file would be too large")
        if (reason := self._unresponsive.get(request.session)) is not None:
            return self._har.HarBody(comment=reason)
        began = time.monotonic()
        try:
            data = await fetch(request)
        except ViewpointError as error:
            if time.monotonic() - began > _SLOW:
                self._unresponsive[request.session] = error.message
            return self._har.HarBody(comment=error.message)
        self._bytes_left -= len(data)
        text = _decode_exactly(data, request.mime_type)
        if text is None:
            return self._har.HarBody(base64.b64encode(data).decode(), True, len(data))
        return self._har.HarBody(text or None, False, len(data))


def _find_version() -> str:
    from importlib import metadata  # takes a while, and only this tool needs it

    try:
        return metadata.version("viewpoint-mcp")
    except metadata.PackageNotFoundError:  # it runs from its sources
        return "unknown"


def _may_have_response_body(request: Request) -> bool:
    is_over = request.ended_at is not None and not request.failure and request.next is None
    return is_over and request.messages is None and request.index > 0


def _explain_missing_body(request: Request) -> str:
    if request.index < 0:
        return "Chromium discards bodies with their document"
    return "the request failed" if request.failure else "the response has not ended yet"


def _decode_exactly(data: bytes, content_type: str) -> str | None:
    """Return a body as text that encodes to the same bytes; None if it is binary."""
    if decode_text(data, content_type) is None:
        return None
    try:
        return data.decode()
    except UnicodeError:
        return None
