"""Requests in the format HAR 1.2, which developer tools of browsers and other programs read.

Fields that begin with an underscore are those of Chrome's developer tools.

Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from viewpoint_mcp.tools.reply.details.headers import mask_value
from viewpoint_mcp.tools.reply.details.requests import explain_failure

if TYPE_CHECKING:
    from viewpoint_mcp.page.network.request import Request

JsonObject = dict[str, Any]
Header = tuple[str, str]

_UNKNOWN_SIZE: Final = -1
_PROTOCOLS: Final = {"": "unknown", "h2": "HTTP/2.0", "h3": "HTTP/3.0"}
_OMITTED_HEADERS: Final = "…"  # the name under which a request notes further headers
_FORM: Final = "application/x-www-form-urlencoded"


class HarBody(NamedTuple):
    """A body of a request or response.

    Attributes:
        text: The text, or base64 of a binary body; None if the body is missing or empty.
        is_base64: Whether the text is base64.
        size: Size in bytes; None if unknown.
        comment: The reason why the body is missing, or "".
    """

    text: str | None = None
    is_base64: bool = False
    size: int | None = None
    comment: str = ""


def make_har(
    version: str, pages: Sequence[JsonObject], entries: Sequence[JsonObject], comment: str
) -> JsonObject:
    """Return a HAR file.

    Args:
        version: The version of this server.
        pages: Results of `make_page`.
        entries: Results of `make_entry`.
        comment: Notes about the whole; "" for none.
    """
    ordered = sorted(entries, key=lambda entry: str(entry["startedDateTime"]))
    log = {
        "version": "1.2",
        "creator": {"name": "viewpoint-mcp", "version": version},
        "pages": list(pages),
        "entries": ordered,
    }
    return {"log": _with_comment(log, comment)}


def make_page(page_id: str, title: str, requests: Sequence[Request]) -> JsonObject:
    """Return the page of a tab.

    Args:
        title: The title of the tab, or its URL.
        requests: Its requests.
    """
    began = min((each.recorded_at for each in requests), default=time.monotonic())
    timings = {"onContentLoad": _UNKNOWN_SIZE, "onLoad": _UNKNOWN_SIZE}
    date = _format_date(began)
    return {"startedDateTime": date, "id": page_id, "title": title, "pageTimings": timings}


def make_entry(
    request: Request,
    page_id: str,
    *,
    sent: HarBody,
    received: HarBody,
    show_credentials: bool,
) -> JsonObject:
    """Return the entry of a request.

    Args:
        page_id: The id of its tab's page.
        sent: The request body.
        received: The response body.
        show_credentials: Whether to show credentials in headers.
    """
    timings = _make_timings(request)
    entry = {
        "pageref": page_id,
        "startedDateTime": _format_date(request.recorded_at),
        "time": sum(timings.values()),
        "request": _make_request(request, sent, show_credentials),
        "response": _make_response(request, received, show_credentials),
        "cache": {},
        "timings": timings,
        "_resourceType": request.kind,
    }
    if address := request.server_address.rpartition(":")[0].strip("[]"):
        entry["serverIPAddress"] = address
    return _with_comment(entry, "; ".join(_list_comments(request)))


def _make_request(request: Request, body: HarBody, show_credentials: bool) -> JsonObject:
    headers = _parse_headers(request.request_headers)
    made = {
        "method": request.method,
        "url": request.url.partition("#")[0],
        "httpVersion": _format_protocol(request),
        "cookies": [
            cookie
            for value in _find_values(headers, "cookie")
            for cookie in _parse_cookies(value, show_credentials)
        ],
        "headers": _make_headers(headers, show_credentials),
        "queryString": _make_pairs(urlsplit(request.url).query),
        "headersSize": _UNKNOWN_SIZE,
        "bodySize": 0,
    }
    if request.has_request_body:
        content_type = next(iter(_find_values(headers, "content-type")), "")
        data: JsonObject = {"mimeType": content_type}
        if body.text is not None:
            data["text"] = body.text
            if content_type.startswith(_FORM) and not body.is_base64:
                data["params"] = _make_pairs(body.text)
        made["bodySize"] = _UNKNOWN_SIZE if body.size is None else body.size
        comment = "base64" if body.is_base64 else body.comment
        made["postData"] = _with_comment(data, comment)
    return made


def _make_response(request: Request, body: HarBody, show_credentials: bool) -> JsonObject:
    headers = _parse_headers(request.response_headers)
    content_type = next(iter(_find_values(headers, "content-type")), request.mime_type)
    size = request.body_length if body.size is None else body.size
    content: JsonObject = {"size": size, "mimeType": content_type or "x-unknown"}
    if body.text is not None:
        content["text"] = body.text
        if body.is_base64:
            content["encoding"] = "base64"
    made: JsonObject = {
        "status": request.status,
        "statusText": request.status_text,
        "httpVersion": _format_protocol(request),
        "cookies": [
            _parse_set_cookie(value, show_credentials)
            for value in _find_values(headers, "set-cookie")
        ],
        "headers": _make_headers(headers, show_credentials),
        "content": _with_comment(content, body.comment),
        "redirectURL": "" if request.next is None else request.next.url,
        "headersSize": _UNKNOWN_SIZE,
        "bodySize": _UNKNOWN_SIZE,
    }
    if request.received_bytes is not None:
        made["_transferSize"] = request.received_bytes
    if request.failure:
        made["_error"] = request.failure
    return made


def _make_timings(request: Request) -> JsonObject:
    """Return the milliseconds until the response began, and until it ended.

    The times of the connection are not recorded, so they are part of `wait`.
    """
    now = time.monotonic() - request.recorded_at + request.started_at
    ended = request.ended_at if request.ended_at is not None else now
    responded = request.responded_at if request.responded_at is not None else ended
    wait, receive = responded - request.started_at, ended - responded
    return {"send": 0, "wait": _milliseconds(wait), "receive": _milliseconds(receive)}


def _list_comments(request: Request) -> Iterator[str]:
    if request.failure:
        reason = explain_failure(request)
        yield f"failed: {request.failure}" + (f" ({reason})" if reason else "")
    elif request.response_source:
        yield f"from {request.response_source}"
    if request.ended_at is None:
        yield "not ended yet"
    if request.messages is not None:
        counts = f"{request.sent_count:,} messages sent, {request.received_count:,} received"
        yield f"WebSocket: {counts}; this file has none of them"
    headers = f"{request.request_headers}\n{request.response_headers}"
    if f"\n{_OMITTED_HEADERS}:" in headers:
        yield "some headers are omitted, because all together are too long"


def _format_date(monotonic: float) -> str:
    moment = time.time() - (time.monotonic() - monotonic)
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds")


def _format_protocol(request: Request) -> str:
    return _PROTOCOLS.get(request.protocol, request.protocol.upper())


def _milliseconds(seconds: float) -> float:
    return round(max(seconds, 0) * 1000, 3)


def _parse_headers(lines: str) -> list[Header]:
    headers: list[Header] = []
    for line in lines.split("\n") if lines else []:
        cut = line.find(":", 1)  # pseudo-headers of HTTP/2 begin with a colon
        if (name := line[:cut]) != _OMITTED_HEADERS:
            headers.append((name, line[cut + 1 :].strip()))
    return headers


def _make_headers(headers: Sequence[Header], show_credentials: bool) -> list[JsonObject]:
    return [
        {"name": name, "value": value if show_credentials else mask_value(name, value)}
        for name, value in headers
    ]


def _find_values(headers: Sequence[Header], wanted: str) -> list[str]:
    return [value for name, value in headers if name.lower() == wanted]


def _make_pairs(encoded: str) -> list[JsonObject]:
    pairs = parse_qsl(encoded, keep_blank_values=True)
    return [{"name": name, "value": value} for name, value in pairs]


def _parse_cookies(header: str, show_credentials: bool) -> Iterator[JsonObject]:
    shown = header if show_credentials else mask_value("cookie", header)
    for each in shown.split(";"):
        name, _, value = each.strip().partition("=")
        yield {"name": name, "value": value}


def _parse_set_cookie(header: str, show_credentials: bool) -> JsonObject:
    """Source: RFC 6265, section 5.2."""
    shown = header if show_credentials else mask_value("set-cookie", header)
    pair, *attributes = shown.split(";")
    name, _, value = pair.strip().partition("=")
    cookie: JsonObject = {"name": name, "value": value, "httpOnly": False, "secure": False}
    for each in attributes:
        key, _, text = (part.strip() for part in each.partition("="))
        key = key.lower()
        if key in ("path", "domain"):
            cookie[key] = text
        elif key == "samesite":
            cookie["sameSite"] = text
        elif key == "expires" and (date := _parse_date(text)) is not None:
            cookie["expires"] = date
        elif key in ("httponly", "secure"):
            cookie["httpOnly" if key == "httponly" else "secure"] = True
    return cookie


def _parse_date(text: str) -> str | None:
    try:
        return parsedate_to_datetime(text).isoformat()
    except ValueError:
        return None


def _with_comment(made: JsonObject, comment: str) -> JsonObject:
    return {**made, "comment": comment} if comment else made
