"""The shell finds the sessions of clients, and acts within the limits of their server."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.e2e.conftest import OpenHttp
from tests.e2e.shell.attaching.conftest import SHOP, Attached, open_session, ref
from tests.e2e.shell.conftest import Shell
from tests.e2e.support.http_client import (
    HttpServer,
    request,
    sessionless_headers,
    sessionless_request,
)
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)


async def test_the_shell_chooses_one_of_several_sessions(
    attached: Attached, server: HttpServer, site: Site
) -> None:
    async with open_session(server) as one, open_session(server) as two:
        await one.call("browser_navigate", url=site.page("<h1>First</h1>"))
        await two.call("browser_navigate", url=site.page("<h1>Second</h1>"))
        listed = await attached.text("sessions")
        names = re.findall(
            r"^  (viewpoint-mcp-tests\S*): viewpoint-mcp tests 0, 1 tab, last call \d+ s ago$",
            listed,
            re.MULTILINE,
        )
        assert len(names) == 2
        unclear = await attached.run("snapshot")
        assert unclear.status == 1
        assert unclear.stderr.startswith("Several sessions are open. Choose one with -s:\n  ")
        assert all(name in unclear.stderr for name in names)
        assert "First" in await attached.text("-s", names[0], "snapshot")
        by_variable = await attached.run("snapshot", VIEWPOINT_SESSION=names[1])
        assert "Second" in by_variable.text
        wrong = await attached.run("-s", "nobody", "snapshot")
        assert wrong.status == 1
        assert wrong.stderr.startswith('No session is called "nobody". Choose one with -s:\n')


async def test_the_server_decides_about_tools_files_and_secrets(
    attached: Attached, server: HttpServer, site: Site
) -> None:
    async with open_session(server) as client:
        opened = await client.call("browser_navigate", url=site.page(SHOP))
        pdf = await attached.run("pdf", "page.pdf")
        assert (pdf.status, pdf.stdout) == (2, "")
        assert "--caps=pdf" in pdf.stderr
        name = ref(opened.text, 'textbox "Name"')
        assert "tea-leaves" not in await attached.text("type", name, "PASSWORD")
        assert await attached.text("eval", "e => e.value", name, "--raw") == (
            "<secret>PASSWORD</secret>\n"
        )
        saved = Path((await attached.text("screenshot", "--filename", "a.png", "--file")).strip())
        assert saved.name == "a.png"
        assert not saved.is_relative_to(attached.shell.workspace)
        assert saved.read_bytes().startswith(b"\x89PNG")  # noqa: ASYNC240 - a small file
        closed = await attached.run("close")
        assert closed.status == 1
        assert "ends with its client" in closed.stderr
        started = await attached.run("start", "--headed")
        assert (started.status, "viewpoint-mcp --shell" in started.stderr) == (1, True)


async def test_clients_without_a_session_and_with_sse_are_listed(
    attached: Attached, server: HttpServer, site: Site
) -> None:
    message = sessionless_request(
        "tools/call", {"name": "browser_navigate", "arguments": {"url": site.page("<h1>Free</h1>")}}
    )
    async with server.http() as http, http.stream("GET", "/sse") as stream:
        lines = stream.aiter_lines()
        endpoint = [await anext(lines) for _ in range(2)][1].removeprefix("data: ")
        client_info = {"name": "Old\x1b[2J client", "version": "7"}
        params = {"protocolVersion": "2024-11-05", "clientInfo": client_info, "capabilities": {}}
        await http.post(endpoint, json=request("initialize", params))
        reply = await http.post("/mcp", json=message, headers=sessionless_headers(message))
        handle = re.search(r'context: \\"(.+?)\\"', reply.text)
        assert handle
        listed = await attached.text("sessions")
        assert "  old-2j-client: Old[2J client 7, 0 tabs, " in listed
        name = re.search(
            r"^  (page:\d+): a client without a session, 1 tab, ", listed, re.MULTILINE
        )
        assert name
        assert handle[1] not in listed
        assert "Free" in await attached.text("-s", name[1], "snapshot")
        assert "true" in await attached.text("-s", name[1], "eval", "() => true", "--raw")
        opened = await attached.text("-s", "old-2j-client", "open", site.page("<h1>Older</h1>"))
        assert "Older" in opened
    while "old-2j-client" in await attached.text("sessions"):
        pass


async def test_clients_that_share_their_contexts_are_one_session(
    open_http: OpenHttp, shell: Shell, tmp_path: Path, site: Site
) -> None:
    flags = ("--shell", "--no-auth", "--shared-browser-context")
    async with (
        open_http(*flags, cwd=tmp_path) as server,
        open_session(server) as one,
        open_session(server),
    ):
        await one.call("browser_navigate", url=site.page("<h1>Ours</h1>"))
        env = {"VIEWPOINT_ATTACH_SERVER": server.url}
        listed = (await shell.run("sessions", env=env)).text
        assert "  shared: viewpoint-mcp tests 0, viewpoint-mcp tests 0, 1 tab, " in listed
        assert "Ours" in (await shell.run("snapshot", env=env)).text
