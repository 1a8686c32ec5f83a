"""Running checks: a check that hangs or raises is a failed check."""

from __future__ import annotations

import asyncio
import threading

import pytest

from viewpoint_mcp.cli.doctor.check_runner import Check, make_async_check, run_check
from viewpoint_mcp.cli.doctor.finding import Finding, Status, ok_finding
from viewpoint_mcp.cli.doctor.subprocesses import CommandTimeout, read_command_output, run_command
from viewpoint_mcp.config.settings import Settings


async def test_a_check_that_waits_for_ever_is_reported_as_hanging() -> None:
    async def wait(_settings: Settings) -> Finding:
        await asyncio.Event().wait()
        return ok_finding("never")

    finding = await run_check(Check("slow", wait, 0.01), Settings())
    assert finding.status is Status.FAILED
    assert "no result within 0.01 s" in finding.summary


async def test_a_check_whose_thread_waits_for_ever_is_reported_as_hanging() -> None:
    release = threading.Event()

    def wait(_settings: Settings) -> Finding:
        release.wait()
        return ok_finding("too late")

    finding = await run_check(Check("slow", make_async_check(wait), 0.01), Settings())
    release.set()
    assert finding.status is Status.FAILED
    assert "no result within" in finding.summary


async def test_a_check_that_raises_has_failed_with_the_exceptions_message() -> None:
    def divide(_settings: Settings) -> Finding:
        return ok_finding(str(1 / 0))

    finding = await run_check(Check("broken", make_async_check(divide)), Settings())
    assert finding.status is Status.FAILED
    assert "the check crashed: ZeroDivisionError: division by zero" in finding.summary
    assert finding.fix


async def test_a_timeout_inside_a_check_is_not_confused_with_the_timeout_of_the_check() -> None:
    def give_up(_settings: Settings) -> Finding:
        raise TimeoutError("its own")

    finding = await run_check(Check("other", make_async_check(give_up)), Settings())
    assert "the check crashed: TimeoutError: its own" in finding.summary


async def test_a_command_that_hangs_is_killed_with_its_child_processes() -> None:
    # Both have stdout open; it ends only when both have ended.
    with pytest.raises(CommandTimeout):
        await run_command("/bin/sh", "-c", "sleep 1000 & sleep 1000", timeout=0.05)


async def test_a_command_that_fails_or_is_not_there_has_no_output() -> None:
    assert await read_command_output("/bin/sh", "-c", "echo words; exit 3") is None
    assert await read_command_output("/nowhere/command") is None
    assert await read_command_output("/bin/sh", "-c", "echo words") == "words\n"
