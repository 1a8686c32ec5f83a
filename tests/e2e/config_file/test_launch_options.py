"""Options of Playwright that only a configuration file has, and their effects on the browser."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug import Response

from tests.e2e.conftest import StartServer
from tests.e2e.support.client import StdioClient
from tests.e2e.support.processes import wait_until
from tests.site import Site

FILE = {"Content-Disposition": "attachment; filename=report.bin"}
STATE = {
    "cookies": [
        {"name": "id", "value": "7", "domain": "127.0.0.1", "path": "/", "expires": -1}
        | {"httpOnly": False, "secure": False, "sameSite": "Lax"}
    ]
}
NEEDED = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
CONFIG: dict[str, Any] = {
    "browser": {
        "launchOptions": {
            "env": {**NEEDED, "TZ": "Asia/Tokyo"},
            "ignoreDefaultArgs": ["--hide-scrollbars", "--blink-settings"],
            "downloadsPath": "inbox",
            "timeout": 60_000,
        },
        "contextOptions": {"storageState": STATE},
    },
    "timeouts": {"expect": 3000},
    "capabilities": ["testing"],
}


def flag_for(directory: Path, config: dict[str, Any]) -> str:
    path = directory / "playwright-mcp.json"
    path.write_text(json.dumps(config))
    return f"--config={path}"


@pytest.fixture(scope="module")
async def configured(
    open_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[StdioClient]:
    cwd = tmp_path_factory.mktemp("configured")
    async with open_server(flag_for(cwd, CONFIG), cwd=cwd) as client:
        await client.initialize()
        yield client


async def value(server: StdioClient, script: str) -> str:
    reply = await server.call("browser_evaluate", function=script)
    assert not reply.is_error, reply.text
    return reply.sections["Result"]


async def test_the_browser_gets_its_environment_and_only_the_wanted_switches(
    configured: StdioClient, site: Site
) -> None:
    await configured.call("browser_navigate", url=site.page("<body style='height:9000px'>"))
    assert await value(configured, "new Date(0).getHours()") == "9"
    assert await value(configured, "innerWidth > document.documentElement.clientWidth") == "true"
    assert await value(configured, "matchMedia('(hover: hover)').matches") == "false"


async def test_a_storage_state_in_the_file_becomes_that_of_the_default_context(
    configured: StdioClient, site: Site
) -> None:
    await configured.call("browser_navigate", url=site.page("<h1>Shop</h1>"))
    assert await value(configured, "document.cookie") == "id=7"


async def test_verifications_wait_as_long_as_the_file_requires(
    configured: StdioClient, site: Site
) -> None:
    script = "setTimeout(() => { document.body.append('Done'); box.checked = true }, 600)"
    html = f"<body>Busy <input type=checkbox aria-label=Ready id=box><script>{script}</script>"
    await configured.call("browser_navigate", url=site.page(html))
    box: dict[str, Any] = {"type": "checkbox", "ref": "getByLabel('Ready')"}
    held = await configured.call("browser_verify_value", **box, value="true")
    shown = await configured.call("browser_verify_text_visible", text="Done")
    assert (held.is_error, shown.is_error) == (False, False)


async def test_unfinished_downloads_are_in_their_directory(
    configured: StdioClient, site: Site
) -> None:
    inbox = configured.cwd / "inbox"
    can_end = threading.Event()

    def drip() -> Iterator[bytes]:
        yield b"0" * 100_000
        can_end.wait(20)
        yield b"1"

    headers = {**FILE, "Content-Length": "100001", "Content-Type": "application/x-x"}
    url = site.handle("/slow", lambda _: Response(drip(), headers=headers))
    call = asyncio.create_task(configured.call("browser_navigate", url=url))
    await wait_until(lambda: any(inbox.glob("*/*.crdownload")))
    can_end.set()
    reply = await call
    assert 'Downloaded file report.bin to ".viewpoint-mcp/report.bin"' in reply.text


async def test_a_browser_without_default_switches_starts_and_can_refuse_downloads(
    open_server: StartServer, tmp_path: Path, site: Site
) -> None:
    url = site.respond("/file", "content", headers=FILE)
    browser = {
        "launchOptions": {"ignoreDefaultArgs": True, "args": ["--lang=de"]},
        "contextOptions": {"acceptDownloads": False},
    }
    async with open_server(flag_for(tmp_path, {"browser": browser}), cwd=tmp_path) as server:
        await server.call("browser_navigate", url=site.page(f"<a href={url}>Get</a>"))
        assert await value(server, "navigator.webdriver") == "true"
        reply = await server.call("browser_click", target="getByText('Get')")
    assert "File report.bin was not downloaded: acceptDownloads is false" in reply.text
    assert not (tmp_path / ".viewpoint-mcp" / "report.bin").exists()


async def test_a_browser_that_is_slower_than_the_timeout_is_reported(
    open_server: StartServer, tmp_path: Path
) -> None:
    config = {"browser": {"launchOptions": {"timeout": 1}}}
    async with open_server(flag_for(tmp_path, config), cwd=tmp_path) as server:
        reply = await server.call("browser_navigate", url="about:blank")
    assert reply.is_error
    assert "within 0.001 s" in reply.text
