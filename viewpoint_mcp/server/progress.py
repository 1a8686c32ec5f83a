"""Progress notifications during a call, so that the client does not time out."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from viewpoint_mcp import call_status
from viewpoint_mcp.rpc.dispatcher import Call
from viewpoint_mcp.rpc.messages import JsonObject
from viewpoint_mcp.server import fields_by_protocol_version

_INTERVAL = 1  # seconds


@asynccontextmanager
async def report_progress(call: Call, params: JsonObject, version: str) -> AsyncIterator[None]:
    """Send `notifications/progress` every second while the body of the context manager runs.

    The progress value is the number of seconds since the start, without a total. Sends nothing if
    the request has no progress token, and stops when the tool reports progress itself.

    Args:
        params: The params of the request.
        version: The protocol version of the client.
    """
    meta = params.get("_meta")
    token = meta.get("progressToken") if isinstance(meta, dict) else None
    if not isinstance(token, str | int) or isinstance(token, bool):
        yield
        return
    current_status = call_status.CallStatus()
    call_status.current_call_status.set(current_status)

    def send_progress(seconds: int) -> None:
        if current_status.is_reported_by_tool:
            return
        text = current_status.text or f"{params.get('name')} is running"
        progress = {
            "progressToken": token,
            "progress": seconds,
            "message": f"{text}, {seconds} s so far",
        }
        call.send_notification(
            "notifications/progress",
            fields_by_protocol_version.remove_newer_fields("progress", progress, version),
        )

    sending = asyncio.create_task(_run_each_second(send_progress))
    try:
        yield
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


async def _run_each_second(function: Callable[[int], None]) -> None:
    for seconds in itertools.count(1):
        await asyncio.sleep(_INTERVAL)
        function(seconds)
