"""The bodies of requests and responses, fetched from Chromium on demand."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, cast

from cdp_protocol import ProtocolError, Session
from viewpoint_mcp.errors import CallError, PageError
from viewpoint_mcp.page.blockers import Blockers
from viewpoint_mcp.page.network.request import Request

if TYPE_CHECKING:
    from cdp_protocol.types.network import GetRequestPostDataResult, GetResponseBodyResult

_LIMIT = 20.0  # seconds


async def request_body(blockers: Blockers, request: Request) -> bytes:
    """Return the body of a request; empty if it has none.

    Raises:
        PageError: Chromium does not keep the body, or the body contains files, or the frame or
            worker is gone.

    Source: CDP `Network.getRequestPostData`.
    """
    if request.body is not None or not request.has_body:
        return request.body or b""

    async def fetch(session: Session) -> bytes:
        params = {"requestId": request.id}
        sending = session.send("Network.getRequestPostData", params, timeout=_LIMIT)
        answer = cast("GetRequestPostDataResult", await sending)
        data = answer["postData"]
        return base64.b64decode(data) if answer.get("base64Encoded") else _encoded(data)

    return await _fetched(blockers, request, fetch, "what it sent")


async def response_body(blockers: Blockers, request: Request) -> bytes:
    """Return the decoded body of the response to a request; empty if it has none.

    Raises:
        CallError: The request failed, was redirected, is a WebSocket, or has not ended yet.
        PageError: Chromium does not keep the body, or the frame or worker is gone.

    Source: CDP `Network.getResponseBody`.
    """
    if (none := _why_none(request)) is not None:
        raise none
    if request.has_no_body or request.kind == "preflight":
        return b""

    async def fetch(session: Session) -> bytes:
        params = {"requestId": request.id}
        sending = session.send("Network.getResponseBody", params, timeout=_LIMIT)
        answer = cast("GetResponseBodyResult", await sending)
        body = answer["body"]
        if not body and request.length:
            raise _NotKept("it gave nothing")  # such as for an image that cannot be decoded
        return base64.b64decode(body) if answer["base64Encoded"] else _encoded(body)

    return await _fetched(blockers, request, fetch, "its body")


def _why_none(request: Request) -> CallError | None:
    name = f"Request {request.index}"
    if request.messages is not None:
        return CallError(f"{name} is a WebSocket.", "Leave part out to see its last messages.")
    if request.next is not None:
        return CallError(
            f"{name} was redirected and has no body of its own.",
            f"Ask for request {request.next.index}.",
        )
    if request.failure:
        return CallError(f"{name} failed ({request.failure}): there is no body.")
    if request.ended is None:
        what = "is still receiving its body" if request.status else "is not answered yet"
        return CallError(f"{name} {what}.", "Use browser_wait_for with time, then ask again.")
    return None


async def _fetched(
    blockers: Blockers, request: Request, fetch: Callable[[Session], Awaitable[bytes]], what: str
) -> bytes:
    name = f"Request {request.index}"
    if request.session.closed is not None:
        raise PageError(f"The frame or worker of request {request.index} is gone, and {what} too.")
    try:
        return await blockers.run_unless_blocked(_kept(fetch(request.session)))
    except _NotKept as error:
        raise PageError(
            f"{name}: Chromium does not keep {what} ({error}).",
            "It drops what is large, old, streamed or of a document that is gone: reload the page, "
            "or fetch the URL with browser_evaluate.",
        ) from error


class _NotKept(Exception):
    """Chromium does not keep the body."""


async def _kept(fetching: Awaitable[bytes]) -> bytes:
    try:
        return await fetching
    except ProtocolError as error:
        raise _NotKept(error.message) from error


def _encoded(text: str) -> bytes:
    return text.encode(errors="replace")
