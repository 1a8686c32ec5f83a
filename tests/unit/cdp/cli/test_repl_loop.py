"""The event loop of `cdp repl`, in its thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextvars import ContextVar

import pytest

from cdp_protocol.cli.repl.loop_thread import LoopThread

VARIABLE: ContextVar[int] = ContextVar("VARIABLE", default=0)


@pytest.fixture
def loop() -> Iterator[LoopThread]:
    with LoopThread() as loop:
        yield loop


def test_the_returned_value_comes_back(loop: LoopThread) -> None:
    assert loop.run(lambda: 1) == 1


def test_an_awaitable_is_awaited_in_the_thread_of_the_loop(loop: LoopThread) -> None:
    async def where() -> str:
        await asyncio.sleep(0)
        return threading.current_thread().name

    assert loop.run(where) == "cdp-repl"


@pytest.mark.parametrize("error", [ValueError("x"), SystemExit(3), KeyboardInterrupt()])
def test_an_exception_comes_back_and_the_loop_continues(
    loop: LoopThread, error: BaseException
) -> None:
    async def fail() -> None:
        await asyncio.sleep(0)
        raise error

    with pytest.raises(type(error)):
        loop.run(fail)
    assert loop.run(lambda: 2) == 2


def test_a_context_variable_stays_set(loop: LoopThread) -> None:
    loop.run(lambda: VARIABLE.set(5))
    assert loop.run(VARIABLE.get) == 5
    assert VARIABLE.get() == 0


def test_tasks_continue_between_calls_and_end_with_the_loop() -> None:
    ended = threading.Event()

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    with LoopThread() as loop:
        task = loop.run(lambda: asyncio.get_running_loop().create_task(work()))
        loop.run(lambda: asyncio.sleep(0))
        assert not task.done()
    assert ended.is_set()
