"""The tools that show the network requests of a page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from viewpoint_mcp.accessibility.printing.printed_snapshot_lines import format_count
from viewpoint_mcp.accessibility.printing.sentence_quotes import to_one_line
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.args import Args, Filename
from viewpoint_mcp.tools.core.result import FittedText, ToolResult
from viewpoint_mcp.tools.core.structured_output import Output, keep_newest_rows
from viewpoint_mcp.tools.core.tool import page_tool
from viewpoint_mcp.tools.reply.details.body_decoding import choose_suffix, decode_text
from viewpoint_mcp.tools.reply.details.headers import render_headers
from viewpoint_mcp.tools.reply.details.requests import (
    RequestRow,
    make_row,
    render_details,
    render_request,
)
from viewpoint_mcp.tools.reply.file_saving import save_omitted_text, save_page_file
from viewpoint_mcp.tools.reply.heading_escaping import escape_page_text

if TYPE_CHECKING:
    from viewpoint_mcp.page.network.request import Request
    from viewpoint_mcp.page.page import Page

_NOTICE_LENGTH = 300  # characters of the notice about omitted content, without the file name


class RequestsArgs(Args):
    static: bool = False
    """Whether to include images, scripts, styles, fonts and media that were loaded without an
    error. Failed ones are always listed."""
    all: bool = False
    """Whether to include the requests of pages that the tab showed before. Their indexes are
    negative."""
    filter: str | None = None
    """Regular expression that the URL must match in some part; `/pattern/i` ignores case."""
    filename: Filename = None


class RequestArgs(Args):
    index: Annotated[int, Meta(description="As listed")]
    """Index of the request in the reply of `browser_network_requests`: from 1 since the page load,
    negative for earlier pages."""
    part: Literal["request-headers", "request-body", "response-headers", "response-body"] | None = (
        None
    )
    """Part to show alone. If omitted, all details except the bodies."""
    sensitive: bool = False
    """Whether to show passwords, tokens and cookies in headers. They are masked if omitted."""
    filename: Filename = None


class RequestsOutput(Output):
    requests: list[RequestRow]


@page_tool("browser_network_requests", title="Requests", kind="read", output=RequestsOutput)
async def list_requests(page: Page, args: RequestsArgs) -> ToolResult:
    """List requests since page load. all: earlier too. static: images, scripts, styles too. filter:
    URL regex.

    The list has the requests of the page, its frames and its workers since the last navigation,
    including redirects, failures, cache hits and WebSockets. The tab keeps the newest 1,000.

    Reply: a line for each request: index, method, URL, status or failure with its reason, type,
    size and duration; then notes about requests that are not shown. A list over `--snapshot-budget`
    is cut at its beginning, and a file has all of it. `structuredContent` has the same requests as
    data.
    """
    all_requests = (
        [*page.request_log.earlier_requests, *page.request_log]
        if args.all
        else list(page.request_log)
    )
    matching = all_requests
    if args.filter is not None:
        matching = await page.request_log.search(args.filter, include_earlier=args.all)
    selected = [each for each in matching if args.static or not each.is_successful_static]
    notes = _make_notes(page, len(all_requests), matching, selected, args)
    if args.filename is None:
        return ToolResult(fit_text=partial(_render_requests, page, selected, notes))
    lines = [render_request(each) for each in selected]
    path = await _save_to_file(page, "\n".join([*lines, *notes, ""]), "txt", args.filename)
    saved = f"{format_count(len(lines), 'request')} saved to {path}"
    return ToolResult(saved, output=RequestsOutput(requests=[], notes=saved))


@page_tool("browser_network_request", title="Request", kind="read")
async def show_request(page: Page, args: RequestArgs) -> ToolResult:
    """Show a listed request or one part. sensitive: unmask headers.

    Reply: status, type, duration, sizes, server and headers, the last messages of a WebSocket, and
    how to read the bodies. A body that is text is shown; a binary body is saved to a file. A text
    over `--snapshot-budget` is cut, and a file has all of it.

    Errors: no request has this index (the message states the range); the request failed, was
    redirected or has not ended; Chromium no longer keeps the body.
    """
    request = _find_request(page, args.index)
    if args.part in ("request-body", "response-body"):
        return await _show_body(page, request, args)
    if args.part is None:
        lines = [
            *render_details(request, show_credentials=args.sensitive),
            *_explain_body_access(request),
        ]
    else:
        is_request = args.part == "request-headers"
        headers = request.request_headers if is_request else request.response_headers
        lines = render_headers(headers, show_credentials=args.sensitive)
        lines = lines or [f"Request {request.index} has no {args.part.replace('-', ' ')} (yet)."]
    text = "\n".join(lines)
    if args.filename is None:
        return ToolResult(fit_text=partial(_fit_text, page, "", text, f"{text}\n", "txt"))
    path = await _save_to_file(page, f"{text}\n", "txt", args.filename)
    return ToolResult(f"Request {request.index} saved to {path}")


def _make_notes(
    page: Page,
    total: int,
    matching: Sequence[Request],
    selected: Sequence[Request],
    args: RequestsArgs,
) -> list[str]:
    """Return the notes below a list of requests.

    Args:
        total: Number of all requests.
        matching: The requests that match the filter.
        selected: Those of them that are shown.
    """
    notes: list[str] = []
    if not total:
        notes.append("No requests." if args.all else "No requests since the page was loaded.")
    elif not matching:
        notes.append(f"None of {format_count(total, 'request')} matches the filter.")
    elif not selected:
        which = "requests that match the filter" if args.filter else "requests"
        notes.append(f"All {which} are static.")
    static = len(matching) - len(selected)
    if static:
        notes.append(
            f"Note: {format_count(static, 'static request')} not shown, "
            'run with "static" option to see them.'
        )
    dropped = page.request_log.dropped_count + (
        page.request_log.dropped_earlier_count if args.all else 0
    )
    if dropped:
        notes.append(f"Note: the oldest {dropped:,} are no longer stored.")
    if any(each.index < 0 for each in selected):
        notes.append("Note: requests with a negative index belong to earlier pages.")
    return notes


async def _render_requests(
    page: Page, selected: Sequence[Request], notes: Sequence[str], budget: int
) -> FittedText:
    """Return the list of requests within the budget.

    Save a longer list to a file, and return the newest requests.
    """
    lines = [render_request(each) for each in selected]
    rows, omission_note = keep_newest_rows([make_row(each) for each in selected], budget)
    output = RequestsOutput(requests=rows, notes="\n".join(filter(None, (omission_note, *notes))))
    text = "\n".join(lines)
    after = "\n".join(["", *notes]) if lines and notes else "\n".join(notes)
    if len(text) + len(after) <= budget:
        return FittedText(text + after, output)
    path = await save_omitted_text(page, f"{text}{after}\n", "network", "network requests")
    remaining = budget - len(after) - _NOTICE_LENGTH - len(path)
    first = len(lines)
    while first and remaining > len(lines[first - 1]):
        first -= 1
        remaining -= len(lines[first]) + 1
    cut = (
        f"Note: the first {first:,} of {len(lines):,} are not shown. "
        f"The whole list: {path}; or use filter."
    )
    output.notes = "\n".join([cut, output.notes])
    return FittedText("\n".join([cut, *lines[first:]]) + after, output)


def _find_request(page: Page, index: int) -> Request:
    """Return the request with this index.

    Raises:
        CallError: The page has no such request.
    """
    if not index:
        raise CallError(
            "Argument 'index' of browser_network_request counts from 1.",
            "Use browser_network_requests to see the indexes.",
        )
    request = page.request_log.find(index)
    if request is not None:
        return request
    first, last = (
        page.request_log.dropped_count + 1,
        page.request_log.dropped_count + len(page.request_log),
    )
    if 0 < index < first:
        raise CallError(
            f"Request {index} is no longer stored.", f"Requests {first} to {last} are stored."
        )
    existing = f"there are {first} to {last}" if len(page.request_log) else "there are none"
    period = " since the page was loaded"
    if index < 0:
        count = len(page.request_log.earlier_requests)
        existing, period = (
            f"there are -{count} to -1" if count else "there are none",
            " of earlier pages",
        )
    raise CallError(
        f"There is no request {index}: {existing}{period}.",
        "Use browser_network_requests to see them.",
    )


def _explain_body_access(request: Request) -> list[str]:
    """Return how to read the bodies of a request, one line for each body."""
    lines: list[str] = []
    if request.has_request_body:
        lines.append('  Request body: use part "request-body"')
    # Chromium discards response bodies with their document, so earlier pages have none.
    has_body = request.body_length and request.next is None and not request.failure
    if has_body and request.index > 0:
        lines.append('  Response body: use part "response-body"')
    return lines


async def _show_body(page: Page, request: Request, args: RequestArgs) -> ToolResult:
    is_request = args.part == "request-body"
    data = await (page.fetch_request_body if is_request else page.fetch_response_body)(request)
    name = f"The {'request' if is_request else 'response'} body of {request.index}"
    kind = _request_content_type(request) if is_request else request.mime_type
    text = decode_text(data, kind)
    suffix = choose_suffix(kind, is_text=text is not None)
    description = _describe_body(data, kind)
    content = _mask_body(page, data, text)
    if args.filename is not None:
        path = await _save_to_file(page, content, suffix, args.filename)
        return ToolResult(f"{name} saved to {path} ({description})")
    if not data:
        return ToolResult(f"{name} is empty.")
    if text is None:
        path = await _save_to_file(page, content, suffix)
        return ToolResult(f"{name} is binary, saved to {path} ({description})")
    return ToolResult(
        fit_text=partial(_fit_text, page, f"{name} ({description}):\n", text, content, suffix)
    )


def _mask_body(page: Page, data: bytes, text: str | None) -> bytes | str:
    """Return a body unchanged, or as text if it contains secrets, because only text is masked."""
    return data if text is None or page.files.secrets.mask(text) == text else text


async def _fit_text(
    page: Page, heading: str, text: str, content: str | bytes, suffix: str, budget: int
) -> str:
    """Return a text of the page, with all lines indented and escaped.

    If it exceeds the budget, save the content to a file and return the beginning of the text.

    Args:
        heading: The beginning of the result, which is not indented.
        content: The content to save.
        suffix: The suffix of the file.
    """
    complete = heading + _indent_lines(escape_page_text(text))
    if len(complete) <= budget:
        return complete
    path = await save_omitted_text(page, content, "network", "network requests", suffix)
    # Indentation makes the text longer, so it is cut again.
    room = max(budget - len(heading) - _NOTICE_LENGTH - len(path), 0)
    shown = escape_page_text(_indent_lines(text[:room])[:room])[:room]
    notice = f"Cut to {len(shown):,} of {len(text):,} characters. The whole: {path}"
    return f"{heading}{shown}\n{notice}"


def _indent_lines(text: str) -> str:
    return "\n".join(f"  {each}" for each in text.split("\n"))


def _describe_body(data: bytes, kind: str) -> str:
    return ", ".join(filter(None, (to_one_line(kind), format_count(len(data), "byte"))))


def _request_content_type(request: Request) -> str:
    for each in request.request_headers.split("\n"):
        if each.lower().startswith("content-type:"):
            return each.partition(":")[2].strip()
    return ""


async def _save_to_file(
    page: Page, data: str | bytes, suffix: str, filename: str | None = None
) -> str:
    if filename is not None and not Path(filename).suffix:
        filename = f"{filename}.{suffix}"
    return await save_page_file(page, data, "network", "network requests", filename, suffix)
