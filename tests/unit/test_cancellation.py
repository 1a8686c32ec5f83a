"""Work that finishes although its caller is cancelled."""

from __future__ import annotations

import asyncio

import pytest

from cdp_protocol.cancellation import wait_despite_cancellation


class Broken(Exception):
    pass


async def wait_for(allowed: asyncio.Event, failure: Exception | None) -> None:
    await allowed.wait()
    if failure is not None:
        raise failure


@pytest.mark.parametrize("failure", [None, Broken()])
async def test_a_cancelled_caller_waits_for_the_task_and_is_cancelled_then(
    failure: Exception | None,
) -> None:
    allowed = asyncio.Event()
    task = asyncio.ensure_future(wait_for(allowed, failure))
    caller = asyncio.ensure_future(wait_despite_cancellation(task))
    await asyncio.sleep(0)  # the caller waits now
    caller.cancel()
    await asyncio.sleep(0)
    was_waiting = not caller.done()
    allowed.set()
    await asyncio.wait({caller})
    assert was_waiting
    assert task.done()
    assert caller.cancelled()


async def test_a_caller_that_is_not_cancelled_gets_the_exception_of_the_task() -> None:
    allowed = asyncio.Event()
    allowed.set()
    with pytest.raises(Broken):
        await wait_despite_cancellation(asyncio.ensure_future(wait_for(allowed, Broken())))
