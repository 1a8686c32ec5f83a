"""Finished calls leave no memory behind."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import orjson
import pytest
from websockets.asyncio.server import ServerConnection, serve

from cdp_protocol import CallTimeout, Connection, ProtocolError
from cdp_protocol.wire.pending_calls import PendingCall

CALLS = 2_000
FEW = 100  # the memory that a warm interpreter may allocate, whatever the number of calls


async def serve_socket(socket: ServerConnection) -> None:
    """Answer, refuse, or answer nothing."""
    async for message in socket:
        call = orjson.loads(message)
        match call["method"]:
            case "Test.refuse":
                answer = {"id": call["id"], "error": {"code": -32000, "message": "no"}}
            case "Test.ignore":
                continue
            case _:
                answer = {"id": call["id"], "result": {"echo": call["params"]}}
        await socket.send(orjson.dumps(answer), text=True)


@pytest.fixture
async def connection() -> AsyncIterator[Connection]:
    async with serve(serve_socket, "127.0.0.1", 0, compression=None) as server:
        port = server.sockets[0].getsockname()[1]
        async with Connection.open(f"ws://127.0.0.1:{port}") as connection:
            yield connection


async def make_answered_call(connection: Connection) -> None:
    await connection.root.Browser.getVersion()


async def make_refused_call(connection: Connection) -> None:
    with suppress(ProtocolError):
        await connection.root.send("Test.refuse")


async def make_expired_call(connection: Connection) -> None:
    with suppress(CallTimeout):
        await connection.root.send("Test.ignore", timeout=0.001)


async def make_cancelled_call(connection: Connection) -> None:
    task = asyncio.ensure_future(connection.root.send("Test.ignore"))
    await asyncio.sleep(0)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def make_expectation(connection: Connection) -> None:
    async with connection.root.expect("Target.targetCreated"):
        await make_answered_call(connection)


@pytest.mark.parametrize(
    "call",
    [
        make_answered_call,
        make_refused_call,
        make_expired_call,
        make_cancelled_call,
        make_expectation,
    ],
)
async def test_thousands_of_calls_leave_no_object_behind(
    connection: Connection, call: Callable[[Connection], Awaitable[None]]
) -> None:
    async def burst(count: int) -> None:
        for _ in range(0, count, 20):
            await asyncio.gather(*(call(connection) for _ in range(20)))

    await burst(CALLS // 10)
    before = count_objects()
    await burst(CALLS)
    after = count_objects()

    assert connection.pending_call_count == 0
    assert not [each for each in gc.get_objects() if isinstance(each, PendingCall)]
    assert after - before < FEW
    assert count_timers() <= 2  # the alarm, and the one that it replaced


def count_objects() -> int:
    gc.collect()
    return len(gc.get_objects())


def count_timers() -> int:
    scheduled = asyncio.get_running_loop()._scheduled  # type: ignore[attr-defined]
    return sum(1 for timer in scheduled if "Connection" in repr(timer) and not timer.cancelled())
