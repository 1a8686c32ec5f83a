"""Signals and other events that end the server."""

from __future__ import annotations

import asyncio
import signal

import pytest

from viewpoint_mcp.cli.serve import cancel_on_signal, list_stop_signals


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_on_posix_these_are_interrupt_terminate_and_hangup(platform: str) -> None:
    assert list_stop_signals(platform) == [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


async def test_a_hangup_cancels_the_task_unless_it_is_ignored() -> None:
    loop, ignored = asyncio.get_running_loop(), asyncio.create_task(forever())
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        cancel_on_signal(ignored, "linux")
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        task = asyncio.create_task(forever())
        cancel_on_signal(task, "linux")
        signal.raise_signal(signal.SIGHUP)
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not ignored.done()
    finally:
        for number in list_stop_signals("linux"):
            loop.remove_signal_handler(number)
        signal.signal(signal.SIGHUP, before)
        ignored.cancel()
        await asyncio.wait({ignored})


def test_on_windows_the_signals_are_interrupt_and_break() -> None:
    breaks = [signal.SIGBREAK] if hasattr(signal, "SIGBREAK") else []
    assert list_stop_signals("win32") == [signal.SIGINT, *breaks]


async def test_without_signal_handlers_of_the_loop_the_task_is_cancelled_too() -> None:
    before = signal.getsignal(signal.SIGINT)
    task = asyncio.create_task(forever())
    try:
        cancel_on_signal(task, "win32")
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(asyncio.CancelledError):
            await task
    finally:
        signal.signal(signal.SIGINT, before)


async def forever() -> None:
    await asyncio.Event().wait()
