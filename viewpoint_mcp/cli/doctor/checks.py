"""The list of checks, and how they are run: one after the other, each with a limit of time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from viewpoint_mcp.cli.doctor import browser, directories, fonts, host, network, sandbox, start
from viewpoint_mcp.cli.doctor.finding import Finding, Status, failed
from viewpoint_mcp.config.settings import Settings

_QUICK = 15.0  # seconds; what they wait for are disks and small commands
_REPORT = "Report it, with this message: it is a mistake of viewpoint-mcp."

Findings = Sequence[tuple[str, Finding]]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that is looked at.

    Args:
        name: Stable, for scripts.
        limit: Seconds that it may take.
    """

    name: str
    work: Callable[[Settings], Awaitable[Finding]]
    limit: float = _QUICK


def in_thread(work: Callable[[Settings], Finding]) -> Callable[[Settings], Awaitable[Finding]]:
    """Make a check of a function that may wait for a disk. One that never returns holds up nobody,
    not even the end of the process.
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
                pass  # the loop is closed: it took too long

        threading.Thread(target=run, daemon=True).start()
        return await found

    return check


def checks(settings: Settings) -> list[Check]:
    """Return what is looked at, in the order of the report; the start comes after them."""
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
    """Make all checks; returns each one's name and what it found."""
    found = [(check.name, await conclude(check, settings)) for check in checks(settings)]
    broken = [name for name, finding in found if finding.status is Status.FAILED]
    limit = settings.timeouts.launch + settings.timeouts.navigation + _QUICK
    last = Check("start", lambda chosen: start.start(chosen, broken), limit)
    return [*found, (last.name, await conclude(last, settings))]


async def conclude(check: Check, settings: Settings) -> Finding:
    """Return what a check finds, or that it found nothing in time, or broke."""
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
