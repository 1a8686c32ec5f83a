from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from typing import Any

import orjson
import pytest

from tests.unit.rpc.peer import Service
from viewpoint_mcp.rpc.dispatcher import Dispatcher
from viewpoint_mcp.rpc.errors import INVALID_REQUEST, PARSE_ERROR, SESSION_ENDED
from viewpoint_mcp.transports.stdio import StdioPipes, StdioTransport


class Client:
    """The other end of two real pipes, and the server's `serve` as a task."""

    def __init__(self) -> None:
        self.service = Service()
        server_in, self.input = os.pipe()
        self.output, server_out = os.pipe()
        self.pipes = StdioPipes(server_in, server_out)
        self._open = {self.input, self.output}
        transport = StdioTransport(
            Dispatcher(self.service.open),
            self.pipes,
            max_line_size=100_000,
            grace=0.2,
            flush_timeout=0.2,
        )
        self.serving = asyncio.create_task(transport.serve())

    async def send(self, data: bytes) -> None:
        await asyncio.to_thread(os.write, self.input, data)

    def hang_up(self, fd: int) -> None:
        self._open.remove(fd)
        os.close(fd)

    async def receive(self, count: int) -> list[Any]:
        """Return that number of answers, or those up to the end."""
        data = b""
        while data.count(b"\n") < count:
            chunk = await asyncio.to_thread(os.read, self.output, 1 << 16)
            if not chunk:
                break
            data += chunk
        return [orjson.loads(line) for line in data.splitlines()]

    async def end(self) -> None:
        for fd in sorted(self._open):
            self.hang_up(fd)
        self.serving.cancel()
        await asyncio.wait({self.serving})


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    client = Client()
    yield client
    await client.end()


def ask(method: str, request_id: int, params: Any = None) -> bytes:
    message = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
    return orjson.dumps(message) + b"\n"


async def test_a_line_in_is_a_line_out(client: Client) -> None:
    await client.send(ask("echo", 1, ["é"]))
    assert await client.receive(1) == [{"jsonrpc": "2.0", "id": 1, "result": ["é"]}]


async def test_garbage_and_overlong_lines_are_answered_and_the_next_is_served(
    client: Client,
) -> None:
    await client.send(b"\xff\n" + b"x" * 300_000 + b"\n\r\n")
    await client.send(ask("echo", 1, []))
    first, second, third = await client.receive(3)
    assert first["error"]["code"] == PARSE_ERROR
    assert second["error"]["code"] == INVALID_REQUEST
    assert "100000 bytes" in second["error"]["message"]
    assert third["result"] == []


async def test_a_last_line_without_a_newline_is_served(client: Client) -> None:
    await client.send(ask("echo", 1, []).rstrip())
    client.hang_up(client.input)
    assert [answer["id"] for answer in await client.receive(1)] == [1]
    await client.serving


async def test_calls_in_progress_at_the_end_of_input_may_finish(client: Client) -> None:
    await client.send(ask("wait", 1))
    await client.service.begun.wait()
    client.hang_up(client.input)
    client.service.gate.set()
    await client.serving
    assert (await client.receive(1))[0]["result"] == "waited"


async def test_calls_that_do_not_finish_get_an_error_when_the_server_stops(client: Client) -> None:
    await client.send(ask("wait", 1))
    client.hang_up(client.input)
    await client.serving
    assert (await client.receive(1))[0]["error"]["code"] == SESSION_ENDED


async def test_a_cancelled_server_answers_its_open_calls(client: Client) -> None:
    await client.send(ask("wait", 1))
    await client.service.begun.wait()
    client.serving.cancel()
    assert (await client.receive(1))[0]["error"]["code"] == SESSION_ENDED
    with pytest.raises(asyncio.CancelledError):
        await client.serving


async def test_a_client_that_closed_its_input_ends_the_server(client: Client) -> None:
    client.hang_up(client.output)
    await client.send(ask("echo", 1, []))
    await client.serving


async def test_a_client_that_does_not_read_blocks_neither_calls_nor_the_end(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(20):
        await client.send(ask("echo", number, ["x" * 50_000]))
    await client.send(ask("wait", 99))
    await client.service.begun.wait()
    client.hang_up(client.input)
    await client.serving
    assert "does not read" in caplog.text


async def test_a_large_answer_arrives_whole(client: Client) -> None:
    await client.send(ask("echo", 1, ["x" * 60_000]))
    await client.send(ask("echo", 2, ["y" * 90_000]))
    answers = await client.receive(2)
    assert [len(answer["result"][0]) for answer in answers] == [60_000, 90_000]


async def test_no_thread_is_left_once_the_client_has_gone(client: Client) -> None:
    await client.send(ask("echo", 1, []))
    await client.receive(1)
    client.hang_up(client.input)
    await client.serving
    workers = [t for t in threading.enumerate() if t.name in {"stdin", "stdout"}]
    for worker in workers:
        await asyncio.to_thread(worker.join, 5)
    assert not [worker for worker in workers if worker.is_alive()]


async def test_non_blocking_descriptors_work_too(client: Client) -> None:
    for fd in client.pipes:
        os.set_blocking(fd, False)
    for number in range(3):
        await client.send(ask("echo", number, ["x" * 90_000]))
    assert [answer["id"] for answer in await client.receive(3)] == [0, 1, 2]
