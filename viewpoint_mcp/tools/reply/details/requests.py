"""Rendering of requests: one line of a list, all details, or a row of data."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.accessibility.printing.sentence_quotes import to_one_line
from viewpoint_mcp.tools.core.structured_output import Row
from viewpoint_mcp.tools.reply.details.headers import render_headers

if TYPE_CHECKING:
    from viewpoint_mcp.page.network.request import Request

_MAX_URL_LENGTH: Final = 500  # characters in a list
_BLOCK_REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "csp": "the page's Content-Security-Policy forbids it",
        "mixed-content": "http: in an https: page",
        "origin": "forbidden by an origin policy",
        "inspector": "blocked by the browser's controller",
        "integrity": "the integrity hash does not match",
        "subresource-filter": "an ad filter",
        "content-type": "the page may not load this Content-Type",
        "coep-frame-resource-needs-coep-header": "the frame needs a COEP header",
        "coop-sandboxed-iframe-cannot-navigate-to-coop-page": "COOP page in a sandboxed frame",
        "corp-not-same-origin": "Cross-Origin-Resource-Policy: same-origin",
        "corp-not-same-origin-after-defaulted-to-same-origin-by-coep": "it has no CORP header, "
        "which the page's COEP requires",
        "corp-not-same-site": "Cross-Origin-Resource-Policy: same-site",
        "CORS: MissingAllowOriginHeader": "CORS: no Access-Control-Allow-Origin in the response",
        "CORS: PreflightMissingAllowOriginHeader": "CORS: no Access-Control-Allow-Origin in the "
        "answer to the preflight",
        "CORS: AllowOriginMismatch": "CORS: Access-Control-Allow-Origin names another origin",
        "CORS: WildcardOriginNotAllowed": "CORS: Access-Control-Allow-Origin is *, which "
        "does not allow credentials",
        "CORS: PreflightInvalidStatus": "CORS: the preflight failed",
        "CORS: MethodDisallowedByPreflightResponse": "CORS: the preflight forbids the method",
        "CORS: HeaderDisallowedByPreflightResponse": "CORS: the preflight forbids a header",
    }
)
_NETWORK_ERRORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "net::ERR_ABORTED": "canceled by the page, or it is a download",
        "net::ERR_BLOCKED_BY_CLIENT": "blocked by the client",
        "net::ERR_BLOCKED_BY_RESPONSE": "the response's headers forbid it",
        "net::ERR_CONNECTION_REFUSED": "no server listens there",
        "net::ERR_NAME_NOT_RESOLVED": "the host does not exist",
        "net::ERR_INTERNET_DISCONNECTED": "offline",
        "net::ERR_TIMED_OUT": "no answer in time",
        "net::ERR_EMPTY_RESPONSE": "the server closed the connection without a response",
        "net::ERR_CERT_AUTHORITY_INVALID": "no trusted authority signed the certificate",
    }
)


class RequestRow(Row):
    """A request in a list, as data.

    Attributes:
        index: Position since the page load, from 1; negative for a page that the tab has left.
        status: HTTP status; 0 if there is none yet.
        failure: The error with its explanation; "" if the request did not fail.
        type: CDP `Network.ResourceType` in lower case.
        ms: Duration so far, in milliseconds.
        bytes: Number of bytes received over the network.
    """

    index: int
    method: str
    url: str
    status: int = 0
    failure: str = ""
    type: str = ""
    ms: int = 0
    bytes: int = 0


def make_row(request: Request) -> RequestRow:
    """Return the row of a request in a list."""
    failure = to_one_line(request.failure)
    why = explain_failure(request) if failure else ""
    return RequestRow(
        index=request.index,
        method=to_one_line(request.method),
        url=_render_url(request),
        status=request.status,
        failure=f"{failure} ({why})" if why else failure,
        type=request.kind,
        ms=round(max(_duration_in_seconds(request), 0) * 1000),
        bytes=request.received_bytes or 0,
    )


def render_request(request: Request) -> str:
    """Return the line of a request in a list."""
    method, url = to_one_line(request.method), _render_url(request)
    return f"{request.index}. [{method}] {url} => {_render_outcome(request)}"


def explain_failure(request: Request) -> str:
    """Return an explanation of why a request failed; "" if none is known beyond its error."""
    if request.was_aborted_by_route:
        return "aborted by a route"
    blocked = _BLOCK_REASONS.get(request.failure_reason, request.failure_reason)
    return to_one_line(blocked or _NETWORK_ERRORS.get(request.failure, ""))


def render_details(request: Request, *, show_credentials: bool) -> list[str]:
    """Return all details of a request except its bodies, one per line.

    Args:
        show_credentials: Whether to show credentials in headers.
    """
    url = to_one_line(request.url)
    lines = [f"#{request.index} [{to_one_line(request.method)}] {url}", "  General"]
    lines += [f"    {name + ':':<11}{value}" for name, value in _general_details(request) if value]
    for title, headers in (
        ("Request headers", request.request_headers),
        ("Response headers", request.response_headers),
    ):
        if headers:
            lines.append(f"  {title}")
            lines += [
                f"    {each}" for each in render_headers(headers, show_credentials=show_credentials)
            ]
    if request.messages:
        lines.append(f"  Last {len(request.messages)} messages")
        lines += [f"    {to_one_line(each)}" for each in request.messages]
    return lines


def _general_details(request: Request) -> Iterator[tuple[str, str]]:
    yield "status", _render_status(request)
    yield "reason", explain_failure(request)
    yield "type", request.kind
    yield "mimeType", to_one_line(request.mime_type)
    yield "duration", _render_duration(request)
    yield "size", ", ".join(_render_sizes(request))
    yield "from", request.response_source
    yield (
        "server",
        " ".join(
            filter(None, (to_one_line(request.server_address), to_one_line(request.protocol)))
        ),
    )
    if request.previous is not None:
        yield "redirected", f"from {request.previous.index}"
    if request.next is not None:
        yield "redirects", f"to {request.next.index}"
    if request.messages is not None:
        yield "messages", _render_message_counts(request)


def _render_outcome(request: Request) -> str:
    facts = [explain_failure(request)] if request.failure else []
    facts.append(request.kind)
    if request.next is not None:
        facts.append(f"redirects to {request.next.index}")
    if request.messages is not None:
        facts.append(_render_message_counts(request))
    elif request.response_source and not request.failure:
        facts.append(f"from {request.response_source}")
    elif request.received_bytes:
        facts.append(f"{_render_bytes(request.received_bytes)} received")
    facts.append(_render_duration(request))
    return f"{_render_status(request)} ({', '.join(filter(None, facts))})"


def _render_status(request: Request) -> str:
    if request.failure:
        after = f" after [{request.status}]" if request.status else ""
        return f"[FAILED] {to_one_line(request.failure)}{after}"
    if not request.status:
        return "pending"
    return f"[{request.status}] {to_one_line(request.status_text)}".rstrip()


def _render_duration(request: Request) -> str:
    took = _render_seconds(_duration_in_seconds(request))
    if request.ended_at is None:
        state = "open" if request.messages is not None and request.status else "running"
        return f"{state} for {took}"
    return f"closed after {took}" if request.messages is not None else took


def _duration_in_seconds(request: Request) -> float:
    if request.ended_at is None:
        return time.monotonic() - request.recorded_at
    return request.ended_at - request.started_at


def _render_sizes(request: Request) -> Iterator[str]:
    if request.body_length:
        yield f"{_render_bytes(request.body_length)} of body"
    if request.received_bytes:
        yield f"{_render_bytes(request.received_bytes)} received"


def _render_message_counts(request: Request) -> str:
    return f"{request.sent_count:,} sent, {request.received_count:,} received"


def _render_url(request: Request) -> str:
    url = to_one_line(request.url)
    return url if len(url) <= _MAX_URL_LENGTH else f"{url[:_MAX_URL_LENGTH]}…"


def _render_bytes(count: int) -> str:
    return f"{count:,} bytes" if count < 10_000 else f"{count / 1000:,.0f} kB"


def _render_seconds(seconds: float) -> str:
    seconds = max(seconds, 0)
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
