"""A process of Chromium ends in the middle of each kind of call.

| process | the call in progress | the next call | other contexts |
|---|---|---|---|
| browser | `browser_gone` at once | starts a browser | lost, as the reply states |
| renderer | `page_crashed` at once | `browser_navigate` loads the page again | unaffected |
| GPU | succeeds | succeeds | unaffected |
| network | succeeds, or fails because its request is lost | succeeds | unaffected |

The processes get SIGKILL, or SIGTERM. The kinds of calls are in `calls.KINDS`.
"""

from __future__ import annotations

import signal

import pytest

from tests.e2e.support.client import Reply, StdioClient
from tests.e2e.support.processes import find_descendants, find_renderers, wait_for_all_to_end
from tests.prove.faults.calls import KINDS, Calls
from tests.prove.faults.processes import (
    BROWSER,
    END,
    GPU,
    NETWORK,
    RENDERER,
    error_code,
    find_processes,
    send_signal,
)
from tests.site import Site

pytestmark = pytest.mark.time_limit(100)

AT_ONCE = 20.0  # seconds on a busy machine
NUMBERS = pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
NAMES = [kind.name for kind in KINDS]


async def end(server: StdioClient, pids: list[int], number: signal.Signals) -> None:
    """End processes of a server, and return when they have ended."""
    assert pids
    commands = find_descendants(server.process.pid)
    send_signal(pids, number)
    assert await wait_for_all_to_end({pid: commands[pid] for pid in pids}, END)


async def navigate(server: StdioClient, site: Site, context: str) -> Reply:
    return await server.call("browser_navigate", url=site.page("<h1>Next</h1>"), context=context)


@NUMBERS
async def test_the_browser_ends(
    faulty: StdioClient, calls: Calls, site: Site, number: signal.Signals
) -> None:
    await calls.start()
    processes = find_descendants(faulty.process.pid)
    await end(faulty, find_processes(faulty.process.pid, BROWSER), number)
    outcomes = await calls.finish()
    for name, (reply, seconds) in outcomes.items():
        if name == "pdf" and number == signal.SIGTERM:
            # Chromium cancels the print before it exits.
            assert "The browser is gone." in reply.text or "The browser exited." in reply.text
        else:
            assert error_code(reply) == "browser_gone", f"{name}: {reply.text}"
            assert "The next call starts it again." in reply.text
        assert all(f'"{each}"' in reply.text for each in NAMES)
        assert seconds < AT_ONCE, name
    assert await wait_for_all_to_end(processes, END)
    for name in NAMES:
        reply = await faulty.call("browser_snapshot", context=name)
        assert error_code(reply) == "invalid_argument"
        assert f'Context "{name}" was lost' in reply.text
    reply = await navigate(faulty, site, "default")
    assert "Next" in reply.sections["Snapshot"]


@NUMBERS
async def test_the_renderers_end(
    faulty: StdioClient, calls: Calls, site: Site, number: signal.Signals
) -> None:
    await faulty.call("browser_navigate", url=site.page("<h1>Other</h1>"))
    others = find_renderers(faulty.process.pid)
    await calls.start()
    await end(faulty, find_processes(faulty.process.pid, RENDERER, except_for=others), number)
    for name, (reply, seconds) in (await calls.finish()).items():
        assert error_code(reply) == "page_crashed", f"{name}: {reply.text}"
        assert "Use browser_navigate to load it or another page." in reply.text
        assert seconds < AT_ONCE, name
    assert "Other" in (await faulty.call("browser_snapshot", context="default")).text
    for name in NAMES:
        assert "Page status: crashed" in (await faulty.call("browser_snapshot", context=name)).text
        reply = await navigate(faulty, site, name)
        assert "Next" in reply.sections["Snapshot"]
        assert "crashed" not in reply.text


@NUMBERS
async def test_the_gpu_process_ends(
    faulty: StdioClient, calls: Calls, site: Site, number: signal.Signals
) -> None:
    await calls.start()
    await end(faulty, find_processes(faulty.process.pid, GPU), number)
    calls.gate.open()
    for name, (reply, _) in (await calls.finish()).items():
        assert error_code(reply) is None, f"{name}: {reply.text}"
    for name in NAMES:
        assert error_code(await faulty.call("browser_take_screenshot", context=name)) is None


@NUMBERS
async def test_the_network_process_ends(
    faulty: StdioClient, calls: Calls, site: Site, number: signal.Signals
) -> None:
    await calls.start()
    await end(faulty, find_processes(faulty.process.pid, NETWORK), number)
    outcomes = await calls.finish()
    for name, (reply, _) in outcomes.items():
        expected = "navigation_failed" if name == "navigate" else None
        assert error_code(reply) == expected, f"{name}: {reply.text}"
    assert "Chromium's network process ended" in outcomes["navigate"].reply.text
    for name in NAMES:
        assert "Next" in (await navigate(faulty, site, name)).sections["Snapshot"]
