"""The server at a recorded browser: the same calls, the same replies, and nothing to run."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from cdp_protocol.recording.file_format import ConnectionEnd, RecordedMessage, read_recording
from cdp_protocol.recording.recorder import Recorder
from tests.e2e.conftest import StartServer
from tests.e2e.support.command import run
from tests.e2e.support.processes import kill_browser
from tests.e2e.support.users_browser import UserBrowser
from tests.replay.recorded_session import RecordedSession
from tests.replay.scenarios import shop
from tests.site import Site


@asynccontextmanager
async def cdp(*arguments: str, cwd: Path, ends: int = 0) -> AsyncIterator[str]:
    """Run a command that listens; it is ended in order."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cdp_protocol", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=cwd,
    )
    assert process.stdout is not None
    try:
        line = (await process.stdout.readline()).decode()
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        if found is None:
            raise AssertionError((await process.communicate())[1].decode())
        yield found[0]
        process.terminate()
        rest = await process.communicate()
        assert process.returncode == ends, rest
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.prove
@pytest.mark.timing  # the replay skips commands that do not come in time
@pytest.mark.time_limit(60)
async def test_a_recording_of_the_proxy_has_the_server_reply_the_same_without_a_browser(
    open_server: StartServer, user_browser: UserBrowser, site: Site, tmp_path: Path
) -> None:
    file = tmp_path / "shop.jsonl"
    async with (
        cdp("record", str(file), "--endpoint", str(user_browser.port), cwd=tmp_path) as endpoint,
        open_server("--cdp-endpoint", endpoint, cwd=tmp_path) as client,
    ):
        await client.initialize()
        recorded = RecordedSession(client.call)
        await shop(recorded, site)

    async with (
        cdp("replay", str(file), "--strict", cwd=tmp_path) as endpoint,
        open_server("--cdp-endpoint", endpoint, cwd=tmp_path) as client,
    ):
        await client.initialize()
        await recorded.replay(client.call)


@pytest.mark.time_limit(60)
@pytest.mark.parametrize("way", ["websocket", "pipe"])
async def test_a_trace_of_a_launched_browser_can_be_replayed_with_the_same_replies(
    open_server: StartServer, site: Site, tmp_path: Path, way: str
) -> None:
    trace = tmp_path / "trace.jsonl"
    flags = (f"--browser-connection={way}", "--no-sandbox")
    async with open_server(*flags, f"--trace-cdp={trace}", cwd=tmp_path) as client:
        await client.initialize()
        recorded = RecordedSession(client.call)
        await shop(recorded, site)

    async with open_server(*flags, "--executable-path", stand_in(trace), cwd=tmp_path) as client:
        await client.initialize()
        await recorded.replay(client.call)


@pytest.mark.prove
async def test_a_trace_of_an_attached_browser_can_be_listed(
    open_server: StartServer, user_browser: UserBrowser, tmp_path: Path
) -> None:
    trace = tmp_path / "trace.jsonl"
    flags = ("--cdp-endpoint", str(user_browser.port), "--trace-cdp", str(trace))
    async with open_server(*flags, cwd=tmp_path) as client:
        await client.initialize()
        await client.call("browser_snapshot")

    recording = read_recording(trace)
    assert recording.header.product.startswith("Chrome/")
    assert recording.header.endpoint == user_browser.websocket_url
    methods = {
        each.message.get("method")
        for each in recording.entries
        if isinstance(each, RecordedMessage)
    }
    assert {"Target.attachToTarget", "Page.enable"} <= methods
    if sys.platform != "win32":
        assert stat.S_IMODE(trace.stat().st_mode) == 0o600


async def test_a_trace_continues_after_the_end_of_a_browser_and_contains_no_secrets(
    open_server: StartServer, site: Site, tmp_path: Path
) -> None:
    (tmp_path / "secrets").write_text("WORD=open sesame!*\n")
    fields = (
        "<label>Name <input name=n></label><label>Password <input name=p type=password></label>"
    )
    url = site.page(f"<form>{fields}</form>", headers={"Set-Cookie": "sid=hush"})
    flags = ("--trace-cdp", "trace.jsonl", "--secrets", "secrets")
    async with open_server(*flags, cwd=tmp_path) as client:
        await client.initialize()
        page = await client.call("browser_navigate", url=url)
        await client.call("browser_type", ref=page.ref("textbox", "Name"), text="WORD")
        password = page.ref("textbox", "Password")
        await client.call("browser_type", ref=password, text="never declared", slowly=True)
        field = {"name": "Password", "type": "textbox", "ref": password, "value": "nor this one"}
        await client.call("browser_fill_form", fields=[field])
        await client.call("browser_evaluate", function="() => console.log('open sesame!*')")
        form = "() => document.forms[0].requestSubmit()"
        await client.call("browser_type", ref=password, text="")
        await client.call("browser_evaluate", function=form)
        await kill_browser(client)
        await client.call("browser_navigate", url=url)

    recording = read_recording(tmp_path / "trace.jsonl")
    assert recording.connection_numbers == [0, 1]
    ends = [each for each in recording.entries if isinstance(each, ConnectionEnd)]
    assert [(end.connection, end.side) for end in ends] == [(0, "browser"), (1, "client")]
    written = "".join(str(each) for each in recording.entries)
    assert "<secret>WORD</secret>" in written
    assert "sesame" not in written
    assert "never declared" not in written
    assert "nor this one" not in written
    assert "hush" not in written


async def test_a_trace_that_cannot_be_written_is_reported_at_the_start(tmp_path: Path) -> None:
    status, _, completed = await run("--trace-cdp", str(tmp_path / "no" / "trace"), cwd=tmp_path)

    assert status == 2
    assert "trace: No such file or directory." in completed


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
async def test_a_trace_into_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")

    status, _, completed = await run("--trace-cdp", str(pipe), cwd=tmp_path)

    assert status == 2
    assert f"{pipe}: it is not a regular file." in completed


async def test_a_second_server_does_not_write_into_the_trace_of_the_first(
    tmp_path: Path,
) -> None:
    trace = tmp_path / "trace"
    recorder = Recorder(trace)

    status, _, completed = await run("--trace-cdp", str(trace), cwd=tmp_path)
    recorder.close()

    assert status == 2
    assert f"{trace}: another recorder writes to it." in completed


def stand_in(trace: Path) -> str:
    """An executable that plays a trace in the place of a browser."""
    script = trace.with_name("replayed-browser")
    command = shlex.join([sys.executable, "-m", "cdp_protocol", "replay", str(trace)])
    script.write_text(f'#!/bin/sh\nexec {command} --as-browser "$@"\n')
    script.chmod(0o755)
    return str(script)
