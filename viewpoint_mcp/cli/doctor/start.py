"""Check that starts the browser and opens a page in it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from time import monotonic

from msgspec.structs import replace

from viewpoint_mcp.accessibility.render import render
from viewpoint_mcp.browser.connect.launch import LAST_OUTPUT
from viewpoint_mcp.browser.supervisor import BrowserSupervisor
from viewpoint_mcp.cli.doctor.finding import Finding, failed, ok, skipped
from viewpoint_mcp.config.settings import Settings
from viewpoint_mcp.errors import BrowserError, ViewpointError

_PAGE = "data:text/html,<title>Doctor</title><button>It works</button>"
_SHOWN = 'button "It works"'
_NEEDED = ("browser", "profile", "temporary-directory")
_TRY = "Try the same executable by hand, or name another with --executable-path."


async def start(settings: Settings, broken: Sequence[str]) -> Finding:
    """Start the browser, open a page, read it, and close the browser. Leave no files behind.

    Args:
        settings: The settings of the server.
        broken: The names of the checks that failed. After some failures the start is skipped.
    """
    if settings.attaches:
        return skipped("none is started: the server attaches to one")
    if missing := [name for name in _NEEDED if name in broken]:
        return skipped(f"not tried, as this failed: {', '.join(missing)}")
    profile = settings.user_data_dir
    if profile is not None and not profile.exists():
        settings = replace(settings, user_data_dir=None)  # The new profile would stay on disk.
    host = BrowserSupervisor(replace(settings, trace_cdp=None))
    try:
        return await _tried(host)
    except ViewpointError as error:
        advice, _, words = (error.hint or "").partition(LAST_OUTPUT)
        fix = advice.strip() or _TRY
        return failed(error.message, *words.splitlines(), fix=fix)
    finally:
        await host.close()


async def _tried(host: BrowserSupervisor) -> Finding:
    times = [monotonic()]
    context = await host.workspace().context()
    times.append(monotonic())
    page = await context.new_page()
    await page.navigate(_PAGE)
    times.append(monotonic())
    text = render((await page.snapshot()).nodes)
    times.append(monotonic())
    if _SHOWN not in text:
        raise BrowserError(f"The page was not shown as it is, but as: {text[:200]}", _TRY)
    started, opened, read = (
        f"{(after - before) * 1000:.0f} ms" for before, after in pairwise(times)
    )
    return ok(f"the browser started in {started}, opened a page in {opened}, read it in {read}")
