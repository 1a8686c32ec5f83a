"""Flags and configuration files, and their effects on a server and its browser."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import ServerClient, StdioClient
from tests.e2e.support.command import run
from tests.site import Site

BUTTON = "<title>Shop</title><body style='margin:0'><button style='height:20px'>Buy</button>"
SIZE = "innerWidth + 'x' + innerHeight"


async def test_replies_name_files_in_the_configured_form(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    async with open_server("--file-paths=absolute", cwd=tmp_path) as server:
        await server.call("browser_navigate", url=site.page(BUTTON))
        reply = await server.call("browser_snapshot", filename="page.yml")
    assert reply.sections["Snapshot"] == f"- [Snapshot]({tmp_path}/page.yml)"


async def test_snapshots_contain_boxes_with_the_flag(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    async with open_server("--snapshot-boxes", cwd=tmp_path) as server:
        reply = await server.call("browser_navigate", url=site.page(BUTTON))
    assert 'button "Buy" [ref=e1] [box=0,0,' in reply.sections["Snapshot"]


async def test_console_messages_are_reported_from_the_configured_level_on(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    words = "<script>console.error('bad'); console.log('small')</script>"
    async with open_server("--console-level=error", cwd=tmp_path) as server:
        await server.call("browser_navigate", url=site.page(words))
        usual = await server.call("browser_console_messages")
        asked = await server.call("browser_console_messages", level="info")
    assert ("bad" in usual.text, "small" in usual.text) == (True, False)
    assert ("bad" in asked.text, "small" in asked.text) == (True, True)


async def test_only_the_chosen_tools_are_listed_and_known(
    open_server: StartServer, tmp_path: Path
) -> None:
    async with open_server("--tools=slim,-browser_tabs", cwd=tmp_path) as server:
        await server.initialize()
        assert "browser_click" in await server.tools()
        assert "browser_tabs" not in await server.tools()
        with pytest.raises(Exception, match="Unknown tool: browser_tabs"):
            await server.call("browser_tabs", action="list")


async def test_a_switch_of_the_users_reaches_the_browser(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    async with open_server("--browser-arg=--js-flags=--expose-gc", cwd=tmp_path) as server:
        await server.call("browser_navigate", url=site.page(BUTTON))
        reply = await server.call("browser_evaluate", function="typeof gc")
    assert reply.sections["Result"] == "function"


async def test_a_session_is_written_for_people_to_read(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    secrets = tmp_path / "secrets.env"
    secrets.write_text("CODE=hunter22")
    flags = ("--save-session", f"--secrets={secrets}")
    async with open_server(*flags, cwd=tmp_path) as server:
        await server.call("browser_navigate", url=site.page("<input aria-label=hunter22>"))
        await server.call("browser_find", text="hunter22")
        await server.call("browser_click")
    (session,) = (tmp_path / ".viewpoint-mcp").glob("session-*.md")
    text = session.read_text()
    assert text.count("### Tool call: ") == 3
    assert '"text": "<secret>CODE</secret>"' in text
    assert "> - Page Title" in text or "> - Page URL: http://127.0.0.1" in text
    assert "- Result (error)\n> ### Error" in text
    assert "hunter22" not in text
    assert session.stat().st_mode & 0o777 == 0o600


async def test_a_session_file_that_cannot_be_written_is_reported_and_calls_continue(
    open_server: StartServer, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    async with open_server("--save-session", "--output-dir=file/out", cwd=tmp_path) as server:
        assert not (await server.call("browser_close")).is_error
        assert not (await server.call("browser_context_list")).is_error
        assert server.stderr.count("The session log cannot be written") == 1


# ---- set-ups written for playwright-mcp


async def size_told(server: ServerClient, site: Site) -> str:
    await server.call("browser_navigate", url=site.page(BUTTON))
    return (await server.call("browser_evaluate", function=SIZE)).sections["Result"]


async def test_a_desktop_client_s_configuration_works(
    executable: str, tmp_path: Path, site: Site
) -> None:
    """`mcpServers.playwright.args` and `.env`, as desktop clients have them."""
    entry: Mapping[str, Any] = json.loads(
        """{"args": ["--isolated", "--viewport-size=700x500", "--caps=vision",
            "--output-dir", "out", "--no-webmcp", "--save-trace", "--image-responses", "omit"],
            "env": {"PLAYWRIGHT_MCP_HEADLESS": "true", "PLAYWRIGHT_MCP_TIMEOUT_ACTION": "7000"}}"""
    )
    env = {**entry["env"], "PLAYWRIGHT_MCP_EXECUTABLE_PATH": executable}
    async with StdioClient.open(*entry["args"], cwd=tmp_path, env=env) as server:
        assert await size_told(server, site) == "700x500"
        assert "browser_mouse_click_xy" in await server.tools()
        shot = await server.call("browser_take_screenshot")
        ignored = "Ignored, because it has no effect here:\n  --save-trace: Nothing is recorded"
        assert server.stderr.count(ignored) == 1
        assert "webmcp" not in server.stderr
    assert shot.text.endswith("Screenshot captured (viewport)")


async def test_the_arguments_of_a_container_work(
    executable: str, tmp_path: Path, site: Site
) -> None:
    flags = ("--headless", "--browser", "chromium", "--no-sandbox", "--executable-path", executable)
    async with StdioClient.open(*flags, cwd=tmp_path) as server:
        assert await size_told(server, site) == "1280x720"


async def test_a_configuration_file_works(executable: str, tmp_path: Path, site: Site) -> None:
    config = tmp_path / "playwright-mcp.json"
    content = {
        "browser": {
            "browserName": "chromium",
            "isolated": True,
            "launchOptions": {
                "headless": True,
                "executablePath": executable,
                "slowMo": 10,
                "args": ["--lang=fr"],
            },
            "contextOptions": {"viewport": {"width": 640, "height": 480}, "userAgent": "Me/1"},
        },
        "capabilities": ["core", "pdf"],
        "outputDir": "out",
        "secrets": {"PASSWORD": "correct horse"},
        "timeouts": {"action": 6000},
        "imageResponses": "allow",
        "snapshot": {"mode": "full"},
        "saveTrace": True,
    }
    config.write_text(json.dumps(content))
    async with StdioClient.open("--config", str(config), cwd=tmp_path) as server:
        assert await size_told(server, site) == "640x480"
        answer = await server.call(
            "browser_evaluate", function="navigator.userAgent + ' ' + 'correct horse'"
        )
        shot = await server.call("browser_take_screenshot")
        assert "browser_pdf_save" in await server.tools()
        assert f"\n  browser.launchOptions.slowMo of {config}: An agent needs no" in server.stderr
        assert f"\n  saveTrace of {config}: Nothing is recorded" in server.stderr
    assert answer.sections["Result"] == "Me/1 <secret>PASSWORD</secret>"
    assert len(shot.images) == 1


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ('{"browser": {"isolated": "perhaps"}}', "It comes from browser.isolated of config.json."),
        ('{"sever": {"host": "x"}}', "Unknown key sever in config.json."),
        ("[1", "config.json as JSON"),
    ],
)
async def test_a_mistake_in_a_configuration_file_ends_the_command(
    tmp_path: Path, config: str, expected: str
) -> None:
    (tmp_path / "config.json").write_text(config)
    status, stdout, stderr = await run("--config=config.json", cwd=tmp_path)
    assert (status, stdout) == (2, "")
    assert expected in stderr.splitlines()[-1]
