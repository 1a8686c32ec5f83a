"""The headers with which a paused request is fulfilled or continued. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from viewpoint_mcp.page.routing.route import RouteAction

if TYPE_CHECKING:
    from cdp_protocol.types.fetch import HeaderEntry
    from cdp_protocol.types.network import Request

_ADDED_IF_MISSING: Final = frozenset({"cookie", "referer", "user-agent", "accept-language"})


def is_preflight(request: Request) -> bool:
    """Return whether a request is a CORS preflight.

    No script can set this header itself.

    Source: Fetch, section "CORS-preflight fetch".
    """
    headers = _lower_names(request["headers"])
    return request["method"] == "OPTIONS" and "access-control-request-method" in headers


def list_preflight_headers(request: Request) -> list[HeaderEntry]:
    """Return response headers that permit what a CORS preflight asks for."""
    asked = _lower_names(request["headers"])
    headers = [
        ("Access-Control-Allow-Origin", asked.get("origin", "*")),
        ("Access-Control-Allow-Methods", asked["access-control-request-method"]),
        ("Access-Control-Allow-Credentials", "true"),
    ]
    if names := asked.get("access-control-request-headers"):
        headers.append(("Access-Control-Allow-Headers", names))
    if asked.get("access-control-request-private-network"):
        headers.append(("Access-Control-Allow-Private-Network", "true"))
    return _make_entries(headers)


def list_response_headers(action: RouteAction, request: Request) -> list[HeaderEntry]:
    """Return the headers of the response that a route gives.

    A page may read the response to a cross-origin request only with CORS headers, so they are added
    unless the route has some.
    """
    headers = list(action.headers)
    names = {name.lower() for name, _ in headers}
    if action.content_type is not None:
        headers = [each for each in headers if each[0].lower() != "content-type"]
        headers.append(("Content-Type", action.content_type))
    if "content-length" not in names:
        headers.append(("Content-Length", str(len(action.body))))
    origin = _lower_names(request["headers"]).get("origin")
    is_cross_origin = origin is not None and origin != _find_origin(request["url"])
    if origin is not None and is_cross_origin and "access-control-allow-origin" not in names:
        headers += [
            ("Access-Control-Allow-Origin", origin),
            ("Access-Control-Allow-Credentials", "true"),
            ("Vary", "Origin"),
        ]
    return _make_entries(headers)


def list_request_headers(action: RouteAction, request: Request) -> list[HeaderEntry]:
    """Return the headers of a request with the changes of a route.

    Chromium adds some headers itself if they are missing, but not if they are empty.
    """
    replaced = {name.lower() for name, _ in action.headers}
    removed = {name.lower() for name in action.removed_headers}
    kept = [each for each in request["headers"].items() if each[0].lower() not in replaced]
    changed = [each for each in (*kept, *action.headers) if each[0].lower() not in removed]
    emptied = [(name, "") for name in sorted(_ADDED_IF_MISSING & removed)]
    return _make_entries([*changed, *emptied])


def find_status_text(status: int) -> str:
    """Return the standard text of an HTTP status, or a text for an unknown status."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"


def _lower_names(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _find_origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _make_entries(headers: list[tuple[str, str]]) -> list[HeaderEntry]:
    return [{"name": name, "value": value} for name, value in headers]
