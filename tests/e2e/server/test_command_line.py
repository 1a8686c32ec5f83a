"""Flags: a wrong one ends the command with one sentence before anything is served."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

import viewpoint_mcp
from tests.e2e.conftest import StartServer
from tests.e2e.support.client import StdioClient
from tests.e2e.support.command import run
from tests.site import Site


@pytest.mark.parametrize(
    ("flag", "named"),
    [
        ("--no-such-flag", "--no-such-flag"),
        ("--viewport-size=big", '"big" is not a size. Write it like 1280x720.'),
        ("--viewport-size=0x100", '"0x100" is not a size. Write it like 1280x720.'),
        ("--browser=netscape", 'Unknown browser "netscape". Use chrome,'),
        ("--timeout-navigation=soon", "'soon' is not a valid integer"),
        ("--timeout-navigation=-1", "-1 is not in the range"),
        ("--snapshot-mode=holographic", "'holographic' is not one of"),
        ("--snapshot-budget=10", "10 is not in the range"),
        ("--cdp-header=nonsense", 'A header is malformed. Write "Name: value".'),
        ("stray-word", "stray-word"),
    ],
)
async def test_a_bad_flag_is_named_and_the_status_is_2(
    tmp_path: Path, flag: str, named: str
) -> None:
    status, stdout, stderr = await run(flag, cwd=tmp_path)
    assert status == 2
    assert stdout == ""
    assert named in stderr.splitlines()[-1]
    assert "Traceback" not in stderr


async def test_in_a_terminal_the_command_prints_what_it_waits_for(tmp_path: Path) -> None:
    terminal, stdin = os.openpty()
    with os.fdopen(terminal, "wb", buffering=0), os.fdopen(stdin, "rb") as pipe:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "viewpoint_mcp"),
            stdin=pipe,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=tmp_path,
        )
        assert process.stderr is not None
        notice = await process.stderr.readline()
        process.send_signal(signal.SIGINT)
        stdout, _ = await process.communicate()
    assert notice.startswith(b"Waiting for an MCP client on stdin.")
    assert (process.returncode, stdout) == (0, b"")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "cannot be read: No such file or directory."),
        ("hush", "is not JSON: Expecting value in line 1, column 1."),
        ('{"cookies": [{"name": "hush"}]}', "Object missing required field value at cookies[0]."),
    ],
)
async def test_a_storage_state_that_is_wrong_ends_it_too(
    tmp_path: Path, content: str | None, expected: str
) -> None:
    if content is not None:
        (tmp_path / "state.json").write_text(content)
    status, stdout, stderr = await run("--storage-state=state.json", cwd=tmp_path)
    assert (status, stdout) == (2, "")
    assert expected in stderr.splitlines()[-1]
    assert "hush" not in stderr
    assert "Traceback" not in stderr


@pytest.mark.parametrize("prefix", ["VIEWPOINT_MCP", "PLAYWRIGHT_MCP"])
async def test_a_bad_value_from_the_environment_is_refused_too(tmp_path: Path, prefix: str) -> None:
    status, stdout, stderr = await run(cwd=tmp_path, **{f"{prefix}_VIEWPORT_SIZE": "big"})
    assert status == 2
    assert stdout == ""
    assert '"big" is not a size' in stderr


async def test_without_input_the_command_exits_with_0_and_prints_nothing(tmp_path: Path) -> None:
    assert await run("--headless", cwd=tmp_path) == (0, "", "")


async def test_the_version_is_printed(tmp_path: Path) -> None:
    status, stdout, _ = await run("--version", cwd=tmp_path)
    assert status == 0
    assert viewpoint_mcp.__version__ in stdout


async def test_help_names_the_flags(tmp_path: Path) -> None:
    status, stdout, _ = await run("--help", cwd=tmp_path)
    assert status == 0
    assert "--cdp-endpoint" in stdout
    assert "VIEWPOINT_MCP_<NAME>" in stdout


@pytest.mark.parametrize("prefix", ["VIEWPOINT_MCP", "PLAYWRIGHT_MCP"])
async def test_a_flag_is_read_from_the_environment(
    open_server: StartServer, tmp_path: Path, site: Site, prefix: str
) -> None:
    env = {f"{prefix}_VIEWPORT_SIZE": "640x480"}
    async with open_server(cwd=tmp_path, env=env) as server:
        await server.call("browser_navigate", url=site.page("<p>x</p>"))
        reply = await server.call("browser_evaluate", function="innerWidth + 'x' + innerHeight")
    assert reply.sections["Result"] == "640x480"


async def test_a_flag_overrides_the_environment(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    env = {"VIEWPOINT_MCP_VIEWPORT_SIZE": "640x480"}
    async with open_server("--viewport-size=500x400", cwd=tmp_path, env=env) as server:
        await server.call("browser_navigate", url=site.page("<p>x</p>"))
        reply = await server.call("browser_evaluate", function="innerWidth + 'x' + innerHeight")
    assert reply.sections["Result"] == "500x400"


async def test_without_a_display_the_browser_is_headless_and_the_log_says_so(
    executable: str, tmp_path: Path, site: Site
) -> None:
    env = {"DISPLAY": "", "WAYLAND_DISPLAY": ""}
    flags = ("--executable-path", executable)
    async with StdioClient.open(*flags, cwd=tmp_path, env=env) as server:
        reply = await server.call("browser_navigate", url=site.page("<h1>Here</h1>"))
        assert "Here" in reply.sections["Snapshot"]
        assert "Chromium runs headless without a display." in server.stderr
