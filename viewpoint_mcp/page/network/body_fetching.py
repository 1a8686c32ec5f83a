"""The bodies of requests and responses, fetched from Chromium on demand."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, cast

from cdp_protocol import ProtocolError, Session
from viewpoint_mcp.errors import CallError, PageError
from viewpoint_mcp.page.blocking_conditions import BlockingConditions
from viewpoint_mcp.page.network.request import NOT_KEPT, Request

if TYPE_CHECKING:
    from cdp_protocol.types.network import GetRequestPostDataResult, GetResponseBodyResult

_TIMEOUT = 20.0  # seconds


async def fetch_request_body(blockers: BlockingConditions, request: Request) -> bytes:
    """Return the body of a request; empty if it has none.

    Raises:
        PageError: Chromium does not keep the body, or the body contains files, or the frame or
            worker is gone; or a person acted in the browser when it was sent.

    Source: CDP `Network.getRequestPostData`.
    """
    if request.is_private and request.has_request_body:
        raise PageError(f"The body of request {request.index} is {NOT_KEPT}.")
    if request.request_body is not None or not request.has_request_body:
        return request.request_body or b""

    async def get_post_data(session: Session) -> bytes:
        params = {"requestId": request.id}
        sending = session.send("Network.getRequestPostData", params, timeout=_TIMEOUT)
        answer = cast("GetRequestPostDataResult", await sending)
        data = answer["postData"]
        return base64.b64decode(data) if answer.get("base64Encoded") else _encode_text(data)

    return await _fetch_body(blockers, request, get_post_data, "its request body")


async def fetch_response_body(blockers: BlockingConditions, request: Request) -> bytes:
    """Return the decoded body of the response to a request; empty if it has none.

    Raises:
        CallError: The request failed, was redirected, is a WebSocket, or has not ended yet.
        PageError: Chromium does not keep the body, or the frame or worker is gone.

    Source: CDP `Network.getResponseBody`.
    """
    if (none := _missing_body_error(request)) is not None:
        raise none
    if request.has_empty_response or request.kind == "preflight":
        return b""

    async def get_response_body(session: Session) -> bytes:
        params = {"requestId": request.id}
        sending = session.send("Network.getResponseBody", params, timeout=_TIMEOUT)
        answer = cast("GetResponseBodyResult", await sending)
        body = answer["body"]
        if not body and request.body_length:
            raise _BodyNotKeptError(
                "it returned nothing"
            )  # such as for an image that cannot be decoded
        return base64.b64decode(body) if answer["base64Encoded"] else _encode_text(body)

    return await _fetch_body(blockers, request, get_response_body, "its response body")


def _missing_body_error(request: Request) -> CallError | None:
    name = f"Request {request.index}"
    if request.messages is not None:
        return CallError(f"{name} is a WebSocket.", "Omit part to see its last messages.")
    if request.next is not None:
        return CallError(
            f"{name} was redirected and has no body.",
            f"Ask for request {request.next.index}.",
        )
    if request.failure:
        return CallError(f"{name} failed ({request.failure}) and has no body.")
    if request.ended_at is None:
        what = "is still receiving its body" if request.status else "has no response yet"
        return CallError(f"{name} {what}.", "Use browser_wait_for with time, then ask again.")
    return None


async def _fetch_body(
    blockers: BlockingConditions,
    request: Request,
    fetch: Callable[[Session], Awaitable[bytes]],
    body_name: str,
) -> bytes:
    name = f"Request {request.index}"
    if request.session.closed is not None:
        raise PageError(f"{name}: its frame or worker no longer exists, so {body_name} is lost.")
    try:
        return await blockers.run_unless_blocked(_translate_missing_body(fetch(request.session)))
    except _BodyNotKeptError as error:
        raise PageError(
            f"{name}: Chromium did not keep {body_name} ({error}).",
            "It drops large, old and streamed bodies, and those of earlier documents. Reload the "
            "page, or fetch the URL with browser_evaluate.",
        ) from error


class _BodyNotKeptError(Exception):
    """Chromium does not keep the body."""


async def _translate_missing_body(fetching: Awaitable[bytes]) -> bytes:
    try:
        return await fetching
    except ProtocolError as error:
        raise _BodyNotKeptError(error.message) from error


def _encode_text(text: str) -> bytes:
    return text.encode(errors="replace")
