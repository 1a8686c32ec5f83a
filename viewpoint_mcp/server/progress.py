"""Tells a client that asked for it that its call goes on, so that it does not give up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from viewpoint_mcp import status
from viewpoint_mcp.rpc.dispatcher import Call

_INTERVAL = 1.0  # seconds


@asynccontextmanager
async def progress(call: Call, params: dict[str, Any]) -> AsyncIterator[None]:
    """Send `notifications/progress` while the code inside runs, if the request has a token for it.

    Args:
        params: Of the request. Its progress is the seconds that have passed; nobody knows the
            total.
    """
    meta = params.get("_meta")
    token = meta.get("progressToken") if isinstance(meta, dict) else None
    if not isinstance(token, str | int) or isinstance(token, bool):
        yield
        return
    doing = status.Status()
    status.current.set(doing)
    telling = asyncio.create_task(_tell(call, token, str(params.get("name", "")), doing))
    try:
        yield
    finally:
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)


async def _tell(call: Call, token: str | int, name: str, doing: status.Status) -> None:
    seconds = 0
    while True:
        await asyncio.sleep(_INTERVAL)
        seconds += 1
        message = f"{doing.words or f'{name} goes on'}, {seconds} s so far"
        params = {"progressToken": token, "progress": seconds, "message": message}
        call.notify("notifications/progress", params)
