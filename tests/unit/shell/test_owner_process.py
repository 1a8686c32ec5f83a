"""The end of a process is noticed."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE

import pytest

from viewpoint_mcp.shell.background.owner_process import end_with_process


@pytest.mark.parametrize("platform", ["linux", "darwin"])
async def test_the_end_of_the_process_is_noticed(
    platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewpoint_mcp.shell.background.owner_process._CHECK_INTERVAL", 0.02)
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "input()", stdin=PIPE)
    has_ended = asyncio.Event()
    monkeypatch.setattr("viewpoint_mcp.shell.background.owner_process.sys.platform", platform)
    with end_with_process(process.pid, has_ended.set):
        await asyncio.sleep(0.1)
        assert not has_ended.is_set()
        await process.communicate(b"\n")
        await asyncio.wait_for(has_ended.wait(), 5)


async def test_no_process_ends_nothing() -> None:
    with end_with_process(None, pytest.fail):
        await asyncio.sleep(0)
