"""The list of checks, which run one after the other, each with a time limit."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from viewpoint_mcp.cli.doctor import browser, directories, fonts, host, network, sandbox, start
from viewpoint_mcp.cli.doctor.finding import Finding, Status, failed
from viewpoint_mcp.config.settings import Settings

_QUICK = 15.0  # seconds; for checks that wait only for disks and small commands
_REPORT = "Report it, with this message: it is a mistake of viewpoint-mcp."

Findings = Sequence[tuple[str, Finding]]


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the doctor.

    Args:
        name: The name in the report. Scripts depend on it, so it must not change.
        work: Runs the check.
        limit: Time limit in seconds.
    """

    name: str
    work: Callable[[Settings], Awaitable[Finding]]
    limit: float = _QUICK


def in_thread(work: Callable[[Settings], Finding]) -> Callable[[Settings], Awaitable[Finding]]:
    """Return a check that runs a blocking function in a daemon thread.

    A function that never returns blocks neither the other checks nor the exit of the process.
    """

    async def check(settings: Settings) -> Finding:
        loop = asyncio.get_running_loop()
        found: asyncio.Future[Finding] = loop.create_future()

        def tell(finding: Finding | None, error: Exception | None) -> None:
            if found.done():
                return
            if finding is not None:
                found.set_result(finding)
            elif error is not None:
                found.set_exception(error)

        def run() -> None:
            try:
                outcome: tuple[Finding | None, Exception | None] = (work(settings), None)
            except Exception as error:  # noqa: BLE001 - it becomes a finding
                outcome = (None, error)
            try:
                loop.call_soon_threadsafe(tell, *outcome)
            except RuntimeError:
                pass  # The loop is closed, because the function took too long.

        threading.Thread(target=run, daemon=True).start()
        return await found

    return check


def checks(settings: Settings) -> list[Check]:
    """Return the checks in the order of the report, without the final start of the browser."""
    return [
        Check("python", in_thread(host.python)),
        Check("browser", browser.executable),
        Check("sandbox", in_thread(sandbox.sandbox)),
        Check("display", in_thread(host.display)),
        Check("shared-memory", in_thread(host.shared_memory)),
        Check("fonts", fonts.fonts),
        Check("profile", in_thread(directories.profile)),
        Check("output-directory", in_thread(directories.output)),
        Check("screenshot-directory", in_thread(directories.screenshots)),
        Check("temporary-directory", in_thread(directories.temporary)),
        Check("disk-space", in_thread(directories.disk_space)),
        Check("proxy", network.proxy, network.PROXY_LIMIT + 1),
        Check("proxy-environment", in_thread(network.environment)),
        Check("endpoint", network.endpoint, settings.timeouts.attach + 5),
    ]


async def examine(settings: Settings) -> Findings:
    """Run all checks and return the name and the finding of each."""
    found = [(check.name, await conclude(check, settings)) for check in checks(settings)]
    broken = [name for name, finding in found if finding.status is Status.FAILED]
    limit = settings.timeouts.launch + settings.timeouts.navigation + _QUICK
    last = Check("start", lambda chosen: start.start(chosen, broken), limit)
    return [*found, (last.name, await conclude(last, settings))]


async def conclude(check: Check, settings: Settings) -> Finding:
    """Run a check and return its finding. A timeout or an exception becomes a failure."""
    try:
        async with asyncio.timeout(check.limit) as limit:
            return await check.work(settings)
    except Exception as error:  # noqa: BLE001 - a check that breaks is a finding
        if isinstance(error, TimeoutError) and limit.expired():
            return failed(
                f"hangs: nothing was found out within {check.limit:g} s",
                fix="Look whether what it asks (a disk, a browser, a server) still answers.",
            )
        return failed(f"could not be checked: {type(error).__name__}: {error}", fix=_REPORT)
