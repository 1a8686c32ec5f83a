"""Progress notifications during a call, so that the client does not time out."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from viewpoint_mcp import status
from viewpoint_mcp.rpc.dispatcher import Call
from viewpoint_mcp.rpc.messages import JsonObject
from viewpoint_mcp.server import revisions

_INTERVAL = 1  # seconds


@asynccontextmanager
async def progress(call: Call, params: JsonObject, version: str) -> AsyncIterator[None]:
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
    doing = status.Status()
    status.current_status.set(doing)

    def tell(seconds: int) -> None:
        if doing.is_reported_by_tool:
            return
        words = doing.text or f"{params.get('name')} goes on"
        told = {
            "progressToken": token,
            "progress": seconds,
            "message": f"{words}, {seconds} s so far",
        }
        call.notify("notifications/progress", revisions.fit("progress", told, version))

    telling = asyncio.create_task(_tell_each_second(tell))
    try:
        yield
    finally:
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)


async def _tell_each_second(tell: Callable[[int], None]) -> None:
    for seconds in itertools.count(1):
        await asyncio.sleep(_INTERVAL)
        tell(seconds)
