"""Check that starts the browser and opens a page in it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from time import monotonic

from msgspec.structs import replace

from viewpoint_mcp.accessibility.printing.snapshot_yaml import render_tree
from viewpoint_mcp.browser.connect.launch import LAST_OUTPUT
from viewpoint_mcp.browser.supervisor import BrowserSupervisor
from viewpoint_mcp.cli.doctor.finding import Finding, failed_finding, ok_finding, skipped_finding
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import BrowserError, ViewpointError

_PAGE_URL = "data:text/html,<title>Doctor</title><button>It works</button>"
_EXPECTED_TEXT = 'button "It works"'
_REQUIRED_CHECKS = ("browser", "profile", "temporary-directory")
_FIX = "Run the same executable by hand, or choose another with --executable-path."


async def check_browser_start(settings: Settings, failed_checks: Sequence[str]) -> Finding:
    """Start the browser, open a page, read it, and close the browser. Leave no files behind.

    Args:
        settings: The settings of the server.
        failed_checks: The names of the checks that failed. Some failures skip the start.
    """
    if settings.should_attach:
        return skipped_finding("the server attaches to a running browser")
    if missing := [name for name in _REQUIRED_CHECKS if name in failed_checks]:
        return skipped_finding(f"not tried, because these checks failed: {', '.join(missing)}")
    profile = settings.user_data_dir
    if profile is not None and not profile.exists():
        settings = replace(settings, user_data_dir=None)  # The new profile would stay on disk.
    supervisor = BrowserSupervisor(replace(settings, trace_cdp=None, keeps_profile=False))
    try:
        return await _open_test_page(supervisor)
    except ViewpointError as error:
        advice, _, words = (error.hint or "").partition(LAST_OUTPUT)
        fix = advice.strip() or _FIX
        return failed_finding(error.message, *words.splitlines(), fix=fix)
    finally:
        await supervisor.close()


async def _open_test_page(supervisor: BrowserSupervisor) -> Finding:
    times = [monotonic()]
    context = await supervisor.make_workspace().get_context()
    times.append(monotonic())
    page = await context.new_page()
    await page.navigate(_PAGE_URL)
    times.append(monotonic())
    text = render_tree((await page.snapshot()).nodes)
    times.append(monotonic())
    if _EXPECTED_TEXT not in text:
        raise BrowserError(f"The test page was read wrongly: {text[:200]}", _FIX)
    start_duration, open_duration, read_duration = (
        f"{(after - before) * 1000:.0f} ms" for before, after in pairwise(times)
    )
    return ok_finding(
        f"the browser started in {start_duration}, opened a page in {open_duration}, "
        f"read it in {read_duration}"
    )
