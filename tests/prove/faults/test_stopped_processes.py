"""A process of Chromium stops (SIGSTOP) in the middle of each kind of call, and continues later.

| process | the call in progress | the next call | after SIGCONT |
|---|---|---|---|
| browser | `browser_gone` after 10 to 13 s | starts a browser | |
| renderer | `timeout`, or no snapshot after the action | another tab works | works |
| GPU | a screenshot fails (`timeout`), others succeed | all but screenshots work | works |
| GPU, for which the browser waits | `browser_gone` | starts a browser | |
| network | `timeout`, or reports the pending request | fails if it needs the network | works |

A stopped process stands for one that hangs, waits for a slow disk, or is frozen by the system.
"""

from __future__ import annotations

import asyncio
import signal

import pytest

from tests.e2e.support.client import StdioClient
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
    find_renderer,
    send_signal,
    stop,
)
from tests.site import Site

pytestmark = pytest.mark.time_limit(100)

SILENCE = 30.0  # seconds until a browser without an answer counts as hung, on a busy machine
LONGEST = 60.0  # seconds on a busy machine; evaluate, then its snapshot
NAMES = [kind.name for kind in KINDS]


async def test_the_browser_stops(faulty: StdioClient, calls: Calls, site: Site) -> None:
    await calls.start()
    processes = find_descendants(faulty.process.pid)
    await stop(find_processes(faulty.process.pid, BROWSER))
    for name, (reply, seconds) in (await calls.finish()).items():
        assert error_code(reply) == "browser_gone", f"{name}: {reply.text}"
        assert "The browser hangs: no response for 10 s." in reply.text
        assert "The next call starts it again." in reply.text
        assert seconds < SILENCE, name
    reply = await faulty.call("browser_navigate", url=site.page("<h1>Next</h1>"))
    assert "The browser hung and was started again." in reply.sections["Events"]
    assert await wait_for_all_to_end(processes, END)


async def test_the_renderers_stop(faulty: StdioClient, calls: Calls, site: Site) -> None:
    await faulty.call("browser_navigate", url=site.page("<h1>Other</h1>"))
    others = find_renderers(faulty.process.pid)
    await calls.start()
    stopped = find_processes(faulty.process.pid, RENDERER, except_for=others)
    await stop(stopped)
    calls.gate.open()
    outcomes = await calls.finish()
    for name, (reply, seconds) in outcomes.items():
        if error_code(reply) is None:  # The action is done.
            assert "No snapshot: The page did not answer within" in reply.text, (
                f"{name}: {reply.text}"
            )
        else:
            assert error_code(reply) == "timeout", f"{name}: {reply.text}"
        assert "browser_close" in reply.text or "--timeout-navigation" in reply.text
        assert seconds < LONGEST, name
    assert "Other" in (await faulty.call("browser_snapshot", context="default")).text
    send_signal(stopped, signal.SIGCONT)
    for name in NAMES:
        url = site.page("<button>Next</button>")
        reply = await faulty.call("browser_navigate", url=url, context=name)
        assert "Next" in reply.sections["Snapshot"], reply.text
        assert error_code(await faulty.call("browser_click", ref="button", context=name)) is None


async def test_the_gpu_process_stops(faulty: StdioClient, calls: Calls, site: Site) -> None:
    await calls.start()
    stopped = find_processes(faulty.process.pid, GPU)
    await stop(stopped)
    calls.gate.open()
    outcomes = await calls.finish()
    if any("The browser hangs" in reply.text for reply, _ in outcomes.values()):
        # Seldom, on a busy machine: the main thread of Chromium waits for the GPU process.
        assert all(seconds < SILENCE for _, seconds in outcomes.values())
        reply = await faulty.call("browser_navigate", url=site.page("<h1>Next</h1>"))
        assert "The browser hung and was started again." in reply.sections["Events"]
        return
    for name, (reply, seconds) in outcomes.items():
        if name == "screenshot":
            assert error_code(reply) == "timeout", reply.text
            assert "The page answers, but Chromium did not draw it within" in reply.text
        else:
            assert error_code(reply) is None, f"{name}: {reply.text}"
        assert seconds < LONGEST, name
    reply = await faulty.call("browser_click", ref="button", context="screenshot")
    assert "No snapshot" not in reply.text
    send_signal(stopped, signal.SIGCONT)
    assert error_code(await faulty.call("browser_take_screenshot", context="screenshot")) is None


async def test_the_network_process_stops(faulty: StdioClient, calls: Calls, site: Site) -> None:
    await calls.start()
    stopped = find_processes(faulty.process.pid, NETWORK)
    await stop(stopped)
    calls.gate.open()
    for name, (reply, seconds) in (await calls.finish()).items():
        if error_code(reply) is None:
            assert "waits for a response" in reply.text or "bytes so far" in reply.text, reply.text
        else:
            assert error_code(reply) in ("timeout", "covered"), f"{name}: {reply.text}"
        assert seconds < LONGEST, name
    assert "Go" in (await faulty.call("browser_snapshot", context="idle")).text
    send_signal(stopped, signal.SIGCONT)
    for name in NAMES:
        reply = await faulty.call("browser_navigate", url=site.page("<h1>Next</h1>"), context=name)
        assert "Next" in reply.sections["Snapshot"], reply.text


async def test_a_page_whose_renderer_stops_can_be_replaced(faulty: StdioClient, site: Site) -> None:
    """The agent follows the advice of the replies."""
    await faulty.call("browser_navigate", url=site.page("<button>Go</button>"))
    stopped = await find_renderer(faulty, faulty.process.pid)
    await stop([stopped])
    reply = await faulty.call("browser_click", ref="button")
    assert error_code(reply) == "timeout"
    assert "browser_navigate to leave it, or browser_close" in reply.text
    url = site.page("<h1>Next</h1>")
    reply = await faulty.call("browser_navigate", url=url)
    if reply.is_error:
        assert "browser_close" in reply.text
        assert error_code(await faulty.call("browser_close")) is None
        reply = await faulty.call("browser_navigate", url=url)
    assert "Next" in reply.sections["Snapshot"], reply.text
    send_signal([stopped], signal.SIGCONT)


async def test_a_click_after_a_pause_shows_the_page_again(faulty: StdioClient, site: Site) -> None:
    await faulty.call("browser_navigate", url=site.page("<button>Go</button>"))
    stopped = await find_renderer(faulty, faulty.process.pid)
    await stop([stopped])
    assert error_code(await faulty.call("browser_click", ref="button")) == "timeout"
    send_signal([stopped], signal.SIGCONT)
    reply = await faulty.call("browser_click", ref="button")
    assert "Go" in reply.sections["Snapshot"], reply.text


async def test_server_and_browser_stop_together(faulty: StdioClient, calls: Calls) -> None:
    """A machine that is suspended. Time limits do not count the time of a suspended machine on
    Linux (CLOCK_MONOTONIC), but they count this pause, which is shorter than all of them.
    """
    await calls.start()
    browser = find_processes(faulty.process.pid, BROWSER)
    everything = [*browser, *find_descendants(faulty.process.pid), faulty.process.pid]
    await stop(everything)
    await asyncio.sleep(4)  # longer than the interval of health checks
    send_signal(everything[::-1], signal.SIGCONT)
    calls.gate.open()
    for name, (reply, _) in (await calls.finish()).items():
        # The covering element was there longer than a click waits for it.
        expected = (None, "covered") if name == "click" else (None,)
        assert error_code(reply) in expected, f"{name}: {reply.text}"
    assert find_processes(faulty.process.pid, BROWSER) == browser
