"""Traces of several clients of one server, and of calls that end early."""

from __future__ import annotations

import asyncio
import re
import threading
from functools import partial
from pathlib import Path

from werkzeug import Request, Response

from tests.browser.clients import Server
from tests.e2e.support.client import Reply
from tests.e2e.support.processes import wait_until
from tests.site import Site
from viewpoint_mcp.config.settings import Settings


def list_reports(settings: Settings) -> set[Path]:
    return set(settings.output_dir.glob("trace-*.html"))


def read_calls(report: Path) -> list[str]:
    """Return the headings of the calls in a report."""
    return re.findall("<h2>(.*?)</h2>", report.read_text(encoding="utf-8"))


def find_report(stopped: Reply, settings: Settings) -> Path:
    named = re.search(r"Trace saved to (\S+)", stopped.text)
    assert named is not None, stopped.text
    return settings.working_dir / named[1]


def respond_later(begun: threading.Event, gate: threading.Event, _: Request) -> Response:
    begun.set()
    gate.wait(30)
    return Response("late")


async def test_a_trace_has_the_calls_of_one_client(
    server: Server, settings: Settings, site: Site
) -> None:
    ann, ben = server.session(), server.session()
    await ann.call("browser_start_tracing")
    await ben.go(site.page("<h1>Of Ben</h1>"))
    await ann.go(site.page("<h1>Of Ann</h1>"))
    assert "not started" in (await ben.call("browser_stop_tracing")).text
    report = find_report(await ann.call("browser_stop_tracing"), settings)
    assert read_calls(report) == ["1. browser_navigate"]
    assert "Of Ben" not in report.read_text(encoding="utf-8")
    await ann.runner.close()
    await ben.runner.close()


async def test_the_end_of_a_session_saves_its_trace(
    server: Server, settings: Settings, site: Site
) -> None:
    before = list_reports(settings)
    client = server.session()
    await client.call("browser_start_tracing")
    await client.go(site.page("<h1>Here</h1>"))
    await client.runner.close()
    [report] = list_reports(settings) - before
    assert read_calls(report) == ["1. browser_navigate"]


async def test_a_trace_without_a_call_leaves_no_file(server: Server, settings: Settings) -> None:
    before = list_reports(settings)
    client = server.session()
    await client.call("browser_start_tracing")
    await client.runner.close()
    assert list_reports(settings) == before


async def test_without_a_session_a_trace_belongs_to_a_handle(
    server: Server, settings: Settings, site: Site
) -> None:
    client = server.request()
    handles = []
    for _ in range(2):
        opened = await client.go(site.page("<button>Go</button>"))
        handles += re.findall(r'Pass context: "([^"]+)"', opened.text)
    traced, other = handles
    await client.call("browser_start_tracing", context=traced)
    await client.call("browser_click", ref="button", context=other)
    await client.call("browser_click", ref="button", context=traced)
    await client.call("browser_snapshot", context=traced)
    stopped = await client.call("browser_stop_tracing", context=traced)
    report = find_report(stopped, settings)
    assert read_calls(report) == ["1. browser_click", "2. browser_snapshot"]
    text = report.read_text(encoding="utf-8")
    assert "&lt;handle&gt;, tab 0" in text
    assert traced not in text
    for handle in handles:
        await client.call("browser_context_close", name=handle)


async def test_calls_in_two_contexts_are_recorded_side_by_side(
    server: Server, settings: Settings, site: Site
) -> None:
    client = server.session()
    await client.call("browser_context_create", name="a")
    await client.call("browser_context_create", name="b")
    await client.call("browser_start_tracing")
    urls = {each: site.page(f"<script>console.log('in {each}')</script>") for each in "ab"}
    await asyncio.gather(*(client.go(url, context=name) for name, url in urls.items()))
    report = find_report(await client.call("browser_stop_tracing"), settings)
    sections = report.read_text(encoding="utf-8").split("<section ")[1:]
    for name, url in urls.items():
        [section] = [each for each in sections if f"{name}, tab 0" in each]
        assert url in section
        assert re.findall(r"in ([ab])\b", section) == [name]
    await client.runner.close()


async def test_a_cancelled_call_and_one_that_still_runs_are_in_the_report(
    server: Server, settings: Settings, site: Site
) -> None:
    client, gate = server.session(), threading.Event()
    await client.go(site.page("<h1>Here</h1>"))
    await client.call("browser_start_tracing")
    calls = []
    for path in ("/first", "/second"):
        begun = threading.Event()
        url = site.handle(path, partial(respond_later, begun, gate))
        calls.append(asyncio.create_task(client.call("browser_navigate", url=url)))
        await wait_until(begun.is_set)
        if path == "/first":
            calls[0].cancel()
            await asyncio.gather(calls[0], return_exceptions=True)
    report = find_report(await client.call("browser_stop_tracing"), settings)
    gate.set()
    text = report.read_text(encoding="utf-8")
    assert read_calls(report) == ["1. browser_navigate", "2. browser_navigate"]
    assert "No reply: the call was cancelled" in text
    assert "still running when the report was saved" in text
    await asyncio.gather(*calls, return_exceptions=True)
    await client.runner.close()
