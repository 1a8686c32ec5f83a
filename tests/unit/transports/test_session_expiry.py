"""Work of other callers keeps a session of an HTTP client from expiring."""

from __future__ import annotations

import asyncio
from typing import Any

from viewpoint_mcp.rpc.dispatcher import Call, Dispatcher
from viewpoint_mcp.rpc.messages import Params
from viewpoint_mcp.transports.http.sessions import Sessions

LIFETIME = 0.1  # seconds


class Service:
    """Serves nothing, and reports its end."""

    def __init__(self) -> None:
        self.ended = asyncio.Event()

    async def handle(self, method: str, params: Params, call: Call) -> Any:
        raise AssertionError("No message is sent.")

    async def close(self) -> None:
        self.ended.set()


async def test_a_session_expires_its_lifetime_after_other_work() -> None:
    service = Service()
    sessions = Sessions(Dispatcher(lambda _: service), lifetime=LIFETIME)
    session = sessions.open_session()
    loop = asyncio.get_running_loop()
    with sessions.keep_from_expiring(session):
        pass
    await asyncio.sleep(LIFETIME / 2)
    await session.conversation.run(asyncio.sleep(0))
    worked_at = loop.time()
    await service.ended.wait()
    assert loop.time() - worked_at >= LIFETIME * 0.9
    await sessions.close(grace=0)
