"""Commands that an MCP server refuses, and commands that end early."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.e2e.conftest import OpenHttp
from tests.e2e.shell.attaching.conftest import Attached, SlowPage, open_session
from tests.e2e.shell.conftest import Printed, Shell, finish
from tests.e2e.support.http_client import (
    HttpServer,
)
from tests.e2e.support.processes import wait_until
from tests.site import Site

pytestmark = pytest.mark.time_limit(60)

JSON = {"content-type": "application/json"}


async def test_a_wrong_key_and_other_refusals_are_explained(
    attached: Attached, server: HttpServer, site: Site
) -> None:
    async def fail(*argv: str, **env: str) -> Printed:
        printed = await attached.run(*argv, **env)
        assert printed.stdout == ""
        return printed

    wrong = await fail("snapshot", VIEWPOINT_MCP_API_KEY="wrong")
    assert wrong.status == 1
    assert "The key is wrong. Set VIEWPOINT_MCP_API_KEY to its key." in wrong.stderr
    missing = await fail("sessions", VIEWPOINT_MCP_API_KEY="")
    assert "An API key is required." in missing.stderr
    malformed = await fail("sessions", VIEWPOINT_MCP_API_KEY="a\nb")
    assert malformed.stderr.startswith("VIEWPOINT_MCP_API_KEY is not valid")
    absent = await fail("--attach-server", "http://127.0.0.1:9", "snapshot")
    assert absent.status == 1
    assert "No server can be reached at http://127.0.0.1:9: " in absent.stderr
    other = await fail("--attach-server", site.page("<h1>Hello"), "snapshot")
    assert "It is no viewpoint-mcp server." in other.stderr
    for address in ("127.0.0.1:8931", "http://", "http://h:port", "http://key@h"):
        assert (await fail(f"--attach-server={address}", "snapshot")).status == 2
    nobody = await fail("snapshot")
    assert (nobody.status, nobody.stderr) == (1, "No MCP client has a session here.\n")
    assert "no session" in (await attached.text("sessions", "--attach-server", f"{server.url}/mcp"))


async def test_the_endpoint_is_behind_the_key_and_refuses_pages(server: HttpServer) -> None:
    async with server.http() as http, server.http_without_key() as without_key:
        body = {"version": "1", "argv": ["sessions"], "cwd": "", "session": "", "stdin": ""}
        assert (await http.post("/shell", json=body)).status_code == 200
        assert (await without_key.post("/shell", json=body)).status_code == 401
        page = await http.post("/shell", json=body, headers={"origin": "https://example.com"})
        assert page.status_code == 403
        assert (await http.get("/shell")).status_code == 405
        assert (await http.post("/shell", json={"argv": ["sessions"]})).status_code == 400
        assert (await http.post("/shell", content=b"{", headers=JSON)).status_code == 400


async def test_without_the_flag_the_sessions_are_not_offered(
    shell: Shell, listening: HttpServer
) -> None:
    env = {"VIEWPOINT_MCP_API_KEY": listening.key or ""}
    refused = await shell.run("--attach-server", listening.url, "sessions", env=env)
    assert refused.status == 1
    assert "does not offer its sessions. Start it with --shell." in refused.stderr


async def test_a_client_of_another_version_is_refused_but_may_list(
    attached: Attached, server: HttpServer
) -> None:
    code = (
        "import sys, viewpoint_mcp.shell.client as client; client.__version__ = '99'; "
        "sys.argv[1:] = ['{}']; client.main()"
    )
    shell, env = attached.shell, attached.env
    refused = await finish(await shell.start_python("-c", code.format("snapshot"), env=env))
    assert refused.status == 1
    assert refused.stderr.startswith("This is viewpoint 99, and the MCP server is version ")
    listed = await finish(await shell.start_python("-c", code.format("sessions"), env=env))
    assert listed.status == 0


async def test_a_session_that_ends_ends_the_command_in_it(
    attached: Attached, server: HttpServer, site: Site, slow: SlowPage
) -> None:
    async with open_session(server) as client:
        await client.call("browser_navigate", url=site.page("<h1>Waiting</h1>"))
        waiting = await attached.shell.start("open", slow.url, env=attached.env)
        await wait_until(slow.has_begun.is_set)
        await client.http.delete("/mcp", headers=client.headers)
        ended = await finish(waiting)
    assert (ended.status, ended.stdout) == (1, "")
    assert "ended while the command ran. The command may have taken effect." in ended.stderr


async def test_a_command_that_is_killed_does_not_block_the_client(
    attached: Attached, server: HttpServer, site: Site, slow: SlowPage
) -> None:
    async with open_session(server) as client:
        await client.call("browser_navigate", url=site.page("<h1>Waiting</h1>"))
        waiting = await attached.shell.start("open", slow.url, env=attached.env)
        await wait_until(slow.has_begun.is_set)
        waiting.kill()
        await waiting.wait()
        assert "Waiting" in (await client.call("browser_snapshot", within=10)).text


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_a_server_that_stops_ends_the_command(
    open_http: OpenHttp,
    shell: Shell,
    tmp_path: Path,
    slow: SlowPage,
    number: signal.Signals,
) -> None:
    async with open_http("--shell", "--no-auth", cwd=tmp_path) as server, open_session(server):
        env = {"VIEWPOINT_ATTACH_SERVER": server.url}
        waiting = await shell.start("open", slow.url, env=env)
        await wait_until(slow.has_begun.is_set)
        await server.stop(number)
        ended = await finish(waiting)
    assert (ended.status, ended.stdout) == (1, "")
    assert "while" in ended.stderr, ended
    assert "may have taken effect" in ended.stderr
