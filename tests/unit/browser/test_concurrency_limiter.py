"""Browser starts take turns, and a slow start does not block the others for long."""

from __future__ import annotations

import asyncio

from viewpoint_mcp.browser.concurrency_limiter import ConcurrencyLimiter


class Crowd:
    """Many tasks that wait for a turn; each ends when it is released."""

    def __init__(self, turns: ConcurrencyLimiter, size: int) -> None:
        self.begun: list[int] = []
        self.may_end = [asyncio.Event() for _ in range(size)]
        self.tasks = [asyncio.create_task(self._one(turns, number)) for number in range(size)]

    async def _one(self, turns: ConcurrencyLimiter, number: int) -> None:
        async with turns.wait_for_turn():
            self.begun.append(number)
            await self.may_end[number].wait()

    async def wait_until_begun(self, count: int) -> list[int]:
        while len(self.begun) < count:  # noqa: ASYNC110 - plain state of the test
            await asyncio.sleep(0)
        return self.begun

    async def end(self) -> None:
        for event in self.may_end:
            event.set()
        await asyncio.gather(*self.tasks)


async def test_the_allowed_number_begins_at_once_and_the_others_follow_in_order() -> None:
    crowd = Crowd(ConcurrencyLimiter(2, 60), 5)
    assert await crowd.wait_until_begun(2) == [0, 1]
    for _ in range(5):
        await asyncio.sleep(0)
    assert crowd.begun == [0, 1]
    crowd.may_end[1].set()
    assert await crowd.wait_until_begun(3) == [0, 1, 2]
    await crowd.end()
    assert crowd.begun == [0, 1, 2, 3, 4]


async def test_a_turn_that_lasts_too_long_ends_and_is_released_once() -> None:
    crowd = Crowd(ConcurrencyLimiter(1, 0.01), 3)
    assert await crowd.wait_until_begun(3) == [0, 1, 2]
    await crowd.end()


async def test_a_finished_turn_is_released_once() -> None:
    turns = ConcurrencyLimiter(1, 0.01)
    long = Crowd(turns, 2)
    await long.wait_until_begun(2)  # so the first has lasted too long
    await long.end()
    assert turns._free._value == 1


async def test_a_cancelled_task_takes_no_turn() -> None:
    turns = ConcurrencyLimiter(1, 60)
    crowd = Crowd(turns, 2)
    await crowd.wait_until_begun(1)
    crowd.tasks[1].cancel()
    await asyncio.wait([crowd.tasks[1]])
    crowd.may_end[0].set()
    await crowd.tasks[0]
    next_one = Crowd(turns, 1)
    assert await next_one.wait_until_begun(1) == [0]
    await next_one.end()
