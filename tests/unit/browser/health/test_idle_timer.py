"""Something is done some time after the last call ended, and not before."""

from __future__ import annotations

import asyncio

from viewpoint_mcp.browser.health.idle_timer import IdleTimer


class Ended:
    """Notes how often the end came."""

    def __init__(self) -> None:
        self.times = 0
        self.came = asyncio.Event()

    async def __call__(self) -> None:
        self.times += 1
        self.came.set()


async def test_the_idle_time_starts_after_the_last_call() -> None:
    ended = Ended()
    idleness = IdleTimer(0.01, ended)
    with idleness.pause():
        with idleness.pause():
            pass
        await asyncio.sleep(0.05)
        assert (idleness.has_running_calls, ended.times) == (True, 0)
    assert (idleness.has_running_calls, ended.times) == (False, 0)
    await ended.came.wait()
    await idleness.close()
    assert ended.times == 1


async def test_a_call_puts_it_off() -> None:
    ended = Ended()
    idleness = IdleTimer(0.05, ended)
    with idleness.pause():
        pass
    with idleness.pause():
        await asyncio.sleep(0.1)
        assert ended.times == 0
    await idleness.close()


async def test_without_a_limit_the_browser_is_never_idle() -> None:
    ended = Ended()
    idleness = IdleTimer(None, ended)
    with idleness.pause():
        pass
    await asyncio.sleep(0.02)
    await idleness.close()
    assert ended.times == 0


async def test_closing_waits_for_calls_in_progress() -> None:
    begun, done = asyncio.Event(), []

    async def slow() -> None:
        begun.set()
        await asyncio.sleep(0.05)
        done.append("all")

    idleness = IdleTimer(0.001, slow)
    with idleness.pause():
        pass
    await begun.wait()
    await idleness.close()
    assert done == ["all"]
