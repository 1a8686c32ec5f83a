"""`cdp listen`."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import click
import pytest

from cdp_protocol import Session
from tests.e2e.cdp_cli.conftest import Cli, Command, OpenPage
from tests.e2e.support.users_browser import run_browser
from tests.site import Site

LISTENING = "Ctrl+C ends it."


async def log(page: Session, *words: object) -> None:
    """Have the page write these to its console."""
    for word in words:
        await page.Runtime.evaluate(expression=f"console.log({word!r})")


@pytest.fixture
async def page(open_page: OpenPage, site: Site) -> Session:
    """Return a page that commands know as "Talker"."""
    return await open_page(site.page("<title>Talker</title>"))


async def test_events_of_a_domain_are_lines_that_name_target_and_values(
    cdp: Cli, page: Session, site: Site
) -> None:
    url = site.page("<h1>Next</h1>")
    async with cdp.start("listen", "Page", "-t", "talker", "-n", "40") as command:
        await command.wait_for_stderr(LISTENING)
        await page.Page.navigate(url=url)
        line = ""
        while "Page.frameNavigated" not in line:
            line = await command.line()
    clock, kind, target, name, *values = line.split()
    assert (len(clock), kind, name) == (len("12:00:00.000"), "page", "Page.frameNavigated")
    assert target == page.target_info["targetId"][:8]
    assert f"url: {url}," in " ".join(values)
    assert "\x1b" not in line


async def test_for_programs_each_event_is_a_whole_line_of_json(cdp: Cli, page: Session) -> None:
    words = ("listen", "Runtime.consoleAPICalled", "-t", "talker", "--json", "--count", "1")
    async with cdp.start(*words) as command:
        await command.wait_for_stderr(LISTENING)
        await log(page, "ü" * 100_000)
        ended = await command.end()
    (event,) = ended.json
    assert (ended.status, event["method"], event["type"]) == (0, "Runtime.consoleAPICalled", "page")
    assert event["target"] == page.target_info["targetId"]
    assert event["params"]["args"][0]["value"] == "ü" * 100_000
    assert event["time"].endswith("Z")


async def test_a_pattern_selects_events_and_conditions_filter_them(cdp: Cli, page: Session) -> None:
    words = ("listen", "Runtime.console*", "-t", "talker", "--json", "-n", "2")
    wanted = ("--where", "args.0.value~^two", "-w", "args.*.value!=two times")
    async with cdp.start(*words, *wanted) as command:
        await command.wait_for_stderr(LISTENING)
        await log(page, "one", "two", "two times", "two!", "two?")
        ended = await command.end()
    assert [event["params"]["args"][0]["value"] for event in ended.json] == ["two", "two!"]


async def test_too_few_events_in_that_time_end_with_1(cdp: Cli, page: Session) -> None:
    words = ("listen", "Runtime.consoleAPICalled", "-t", "talker", "--for", "0.3")
    enough = await cdp(*words)
    assert (enough.status, enough.out) == (0, "")
    few = await cdp(*words, "--count", "3")
    assert (few.status, few.out) == (1, "")
    assert few.err.endswith("Error: Only 0 of 3 events arrived within 0.3 s.\n")


async def test_a_target_that_closes_ends_it_with_the_reason(cdp: Cli, page: Session) -> None:
    async with cdp.start("listen", "Page.frameDetached", "-t", "talker") as command:
        await command.wait_for_stderr(LISTENING)
        await page.Page.close()
        ended = await command.end()
    assert (ended.status, "Traceback" in ended.err) == (1, False)
    assert ended.err.splitlines()[-1].endswith(
        "is closed: the browser detached it from its target."
    )


async def test_a_browser_that_dies_ends_it_with_the_reason(
    cdp: Cli, executable: str, tmp_path: Path
) -> None:
    async with run_browser(executable, tmp_path / "dying", "about:blank") as user_browser:
        words = ("-e", str(user_browser.port), "listen", "Network", "--all-targets")
        async with cdp.start(*words) as command:
            await command.wait_for_stderr(LISTENING)
            user_browser.process.kill()
            ended = await command.end()
    assert (ended.status, "Traceback" in ended.err) == (1, False)
    assert "Error: The connection ended: " in ended.err


async def test_ctrl_c_is_how_it_ends_well(cdp: Cli, page: Session) -> None:
    async with cdp.start("listen", "Runtime", "-t", "talker") as command:
        await command.wait_for_stderr(LISTENING)
        command.interrupt()
        ended = await asyncio.wait_for(command.end(), 5)
    assert (ended.status, "Traceback" in ended.err) == (0, False)


async def test_it_ends_with_its_reader_although_no_event_comes(cdp: Cli, page: Session) -> None:
    async with cdp.start("listen", "Runtime.consoleAPICalled", "-t", "talker") as command:
        await command.wait_for_stderr(LISTENING)
        await log(page, "one")
        assert "value: one" in await command.line()
        await close_stdout(command)


async def test_it_ends_with_its_reader_during_a_burst_of_events(cdp: Cli, page: Session) -> None:
    async with cdp.start("listen", "Runtime", "-t", "talker", "--json") as command:
        await command.wait_for_stderr(LISTENING)
        saying = asyncio.create_task(log(page, *(["x" * 10_000] * 200)))
        await command.line()
        await close_stdout(command)
        await saying


async def close_stdout(command: Command) -> None:
    """Read no more, as `head` does when it has enough."""
    out, err = command.process.stdout, command.process.stderr
    assert out is not None
    assert err is not None
    out._transport.close()  # type: ignore[attr-defined]
    result = await asyncio.wait_for(err.read(), 5)
    assert (await command.process.wait(), result) == (0, b"")


async def test_all_targets_includes_later_targets(
    cdp: Cli, open_page: OpenPage, site: Site
) -> None:
    worker = site.respond(
        "/worker.js", "console.log('from the worker')", content_type="text/javascript"
    )
    words = ("listen", "Runtime.consoleAPICalled", "--all-targets", "--json", "-n", "2")
    # Other pages repeat their earlier events.
    async with cdp.start(*words, "-w", "args.0.value~^at once|worker$") as command:
        await command.wait_for_stderr(LISTENING)
        await open_page(
            site.page(f"<script>console.log('at once'); new Worker('{worker}')</script>")
        )
        ended = await command.end()
    fields = {event["type"]: event["params"]["args"][0]["value"] for event in ended.json}
    assert fields == {"page": "at once", "worker": "from the worker"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no terminals of ours")
@pytest.mark.parametrize(("no_colour", "is_coloured"), [("", True), ("1", False)])
async def test_lines_are_coloured_and_cut_for_a_terminal(
    cdp: Cli, page: Session, no_colour: str, is_coloured: bool
) -> None:
    ours, theirs = os.openpty()
    words = ("listen", "Runtime.consoleAPICalled", "-t", "talker", "-n", "1")
    env = {"NO_COLOR": no_colour, "COLUMNS": "70"}
    async with cdp.start(*words, stdout=theirs, **env) as command:
        os.close(theirs)
        await command.wait_for_stderr(LISTENING)
        await log(page, "x" * 70)
        line = (await asyncio.to_thread(os.read, ours, 4096)).decode().rstrip()
        await command.end()
    os.close(ours)
    assert ("\x1b[36mRuntime.consoleAPICalled\x1b[0m" in line) is is_coloured
    assert (len(click.unstyle(line)), line[-1]) == (70, "…")


async def test_the_browser_reports_its_targets(cdp: Cli, open_page: OpenPage) -> None:
    words = ("listen", "Target.targetInfoChanged", "-w", "~second", "--json", "-n", "1")
    async with cdp.start(*words) as command:
        await command.wait_for_stderr("Listening to browser;")
        await open_page("data:text/html,first")
        page = await open_page("data:text/html,second")
        ended = await command.end()
    (event,) = ended.json
    assert event["params"]["targetInfo"]["targetId"] == page.target_info["targetId"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("Netwrk",), "Netwrk is not an event or domain of Chrome/"),
        (("Page.frameNavigatd",), "Did you mean Page.frameNavigated?"),
        (("Page.navigate",), "is a command, not an event"),
        (("Fetch.requestPaused",), "Fetch pauses each request until a client continues it"),
        (("Page", "--where", "a b"), '"a b" is not a condition. Use path=value'),
        (("Page", "-t", "1", "--all-targets"), "exclude each other"),
        ((), "Missing argument"),
    ],
)
async def test_a_wrong_argument_is_named(cdp: Cli, words: tuple[str, ...], expected: str) -> None:
    ended = await cdp("listen", *words)
    assert (ended.status, ended.out) == (2, "")
    assert expected in ended.err
    assert "Traceback" not in ended.err


async def test_a_domain_that_cannot_be_enabled_is_reported(cdp: Cli, page: Session) -> None:
    ended = await cdp("listen", "Input", "-t", "talker", "--for", "0.1")
    assert ended.status == 0
    assert "Input has no command to enable it. Other commands cause its events." in ended.err
