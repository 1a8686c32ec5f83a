"""The list of checks, which run one after the other, each with a time limit."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from viewpoint_mcp.cli.doctor import (
    browser_executable,
    browser_start,
    directories,
    fonts,
    local_machine,
    proxy_and_endpoint,
    sandbox,
)
from viewpoint_mcp.cli.doctor.finding import Finding, Status, failed_finding
from viewpoint_mcp.config.settings import Settings

_SHORT_TIMEOUT = 15.0  # seconds; for checks that wait only for disks and small commands
_REPORT_BUG = "This is a bug in viewpoint-mcp. Report it with this message."

Findings = Sequence[tuple[str, Finding]]


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the doctor.

    Args:
        name: The name in the report. Scripts depend on it, so it must not change.
        run: Runs the check.
        timeout: Time limit in seconds.
    """

    name: str
    run: Callable[[Settings], Awaitable[Finding]]
    timeout: float = _SHORT_TIMEOUT


def make_async_check(
    blocking_check: Callable[[Settings], Finding],
) -> Callable[[Settings], Awaitable[Finding]]:
    """Return a check that runs a blocking function in a daemon thread.

    A function that never returns blocks neither the other checks nor the exit of the process.
    """

    async def check_in_thread(settings: Settings) -> Finding:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Finding] = loop.create_future()

        def set_future_result_or_error(finding: Finding | None, error: Exception | None) -> None:
            if future.done():
                return
            if finding is not None:
                future.set_result(finding)
            elif error is not None:
                future.set_exception(error)

        def run_blocking_check() -> None:
            try:
                outcome: tuple[Finding | None, Exception | None] = (blocking_check(settings), None)
            except Exception as error:  # noqa: BLE001 - it becomes a finding
                outcome = (None, error)
            try:
                loop.call_soon_threadsafe(set_future_result_or_error, *outcome)
            except RuntimeError:
                pass  # The loop is closed, because the function took too long.

        threading.Thread(target=run_blocking_check, daemon=True).start()
        return await future

    return check_in_thread


def list_checks(settings: Settings) -> list[Check]:
    """Return the checks in the order of the report, without the final start of the browser."""
    return [
        Check("python", make_async_check(local_machine.check_python_packages)),
        Check("browser", browser_executable.check_executable),
        Check("sandbox", make_async_check(sandbox.check_sandbox)),
        Check("display", make_async_check(local_machine.check_display)),
        Check("shared-memory", make_async_check(local_machine.check_shared_memory)),
        Check("fonts", fonts.check_fonts),
        Check("profile", make_async_check(directories.check_profile)),
        Check("output-directory", make_async_check(directories.check_output_directory)),
        Check("screenshot-directory", make_async_check(directories.check_screenshot_directory)),
        Check("temporary-directory", make_async_check(directories.check_temporary_directory)),
        Check("disk-space", make_async_check(directories.check_disk_space)),
        Check(
            "proxy", proxy_and_endpoint.check_proxy_connection, proxy_and_endpoint.PROXY_TIMEOUT + 1
        ),
        Check("proxy-environment", make_async_check(proxy_and_endpoint.check_proxy_variables)),
        Check("endpoint", proxy_and_endpoint.check_endpoint, settings.timeouts.attach + 5),
    ]


async def run_checks(settings: Settings) -> Findings:
    """Run all checks and return the name and the finding of each."""
    findings = [(check.name, await run_check(check, settings)) for check in list_checks(settings)]
    failed_names = [name for name, finding in findings if finding.status is Status.FAILED]
    limit = settings.timeouts.launch + settings.timeouts.navigation + _SHORT_TIMEOUT
    last = Check(
        "start", lambda chosen: browser_start.check_browser_start(chosen, failed_names), limit
    )
    return [*findings, (last.name, await run_check(last, settings))]


async def run_check(check: Check, settings: Settings) -> Finding:
    """Run a check and return its finding. A timeout or an exception becomes a failure."""
    try:
        async with asyncio.timeout(check.timeout) as limit:
            return await check.run(settings)
    except Exception as error:  # noqa: BLE001 - a check that breaks is a finding
        if isinstance(error, TimeoutError) and limit.expired():
            return failed_finding(
                f"no result within {check.timeout:g} s",
                fix="Check that the disk, browser or server that it uses responds.",
            )
        return failed_finding(
            f"the check crashed: {type(error).__name__}: {error}", fix=_REPORT_BUG
        )
