"""Signals and other events that end the server."""

from __future__ import annotations

import asyncio
import signal

import pytest

from viewpoint_mcp.cli.serve import cancel_on_signal, list_stop_signals


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_on_posix_these_are_interrupt_and_terminate(platform: str) -> None:
    assert list_stop_signals(platform) == [signal.SIGINT, signal.SIGTERM]


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
