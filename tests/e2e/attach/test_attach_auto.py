"""--auto-connect: the user's running browser is found by its profile, and may ask its user."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from pathlib import Path

import pytest

from tests.e2e.attach.gateway import Relay, relaying
from tests.e2e.conftest import StartServer
from tests.e2e.support.processes import wait_until
from tests.e2e.support.users_browser import ANY_PORT, UserBrowser, make_profile, run_browser
from tests.site import Site


async def test_a_running_browser_is_found_by_its_profile(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser
) -> None:
    flags = ("--auto-connect", f"--user-data-dir={user_browser.profile}")
    async with open_server(*flags, cwd=tmp_path) as server:
        shown = await server.call("browser_snapshot")
    assert "My own page" in shown.sections["Snapshot"]
    assert [page["url"] for page in await user_browser.pages()] == [user_browser.url]


async def test_a_running_browser_is_found_in_the_usual_place_of_its_kind(
    open_server: StartServer, executable: str, tmp_path: Path, site: Site
) -> None:
    url = site.page("<h1>My own page</h1>")
    env = {"XDG_CONFIG_HOME": str(tmp_path), "CHROME_CONFIG_HOME": ""}
    async with run_browser(executable, tmp_path / "chromium", url, ANY_PORT):
        flags = ("--auto-connect", "--browser=chromium")
        async with open_server(*flags, cwd=tmp_path, env=env) as server:
            await server.call("browser_wait_for", text="My own page")
        async with open_server(
            "--auto-connect", "--browser=msedge", cwd=tmp_path, env=env
        ) as server:
            other = await server.call("browser_snapshot")
    assert f"{tmp_path}/microsoft-edge: it has no DevToolsActivePort" in other.sections["Error"]


async def test_the_stale_port_file_of_a_closed_browser_is_recognised(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser
) -> None:
    user_browser.process.kill()
    await user_browser.process.wait()
    flags = ("--auto-connect", f"--user-data-dir={user_browser.profile}")
    async with open_server(*flags, cwd=tmp_path) as server:
        reply = await server.call("browser_snapshot", within=10)
    assert reply.is_error
    assert "which is closed; a browser that has ended left the file" in reply.sections["Error"]
    assert "chrome://inspect/#remote-debugging" in reply.sections["Error"]


def as_found(relay: Relay, tmp_path: Path) -> str:
    """Write the gateway's port into a profile; return the flag that names the profile."""
    profile = tmp_path / "asking"
    profile.mkdir()
    (profile / "DevToolsActivePort").write_text(f"{relay.port}\n/devtools/browser/1")
    return f"--user-data-dir={profile}"


async def test_a_browser_that_asks_its_user_is_waited_for_with_one_question(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser
) -> None:
    async with relaying(Relay(user_browser.websocket_url), is_open=False) as asking:
        flag = as_found(asking, tmp_path)
        async with open_server("--auto-connect", flag, cwd=tmp_path) as server:
            call = asyncio.create_task(server.call("browser_snapshot"))
            await wait_until(lambda: "click Allow" in server.stderr)
            asking.let_in.set()
            assert "My own page" in (await call).sections["Snapshot"]
            await server.call("browser_snapshot")
    assert [path for path in asking.requested_paths if path.startswith("/devtools")] == [
        "/devtools/browser/1"
    ]


@pytest.mark.prove
async def test_a_refusal_by_the_user_is_reported_as_one(
    open_server: StartServer, tmp_path: Path, user_browser: UserBrowser
) -> None:
    denying = Relay(user_browser.websocket_url, denial=HTTPStatus.FORBIDDEN)
    async with (
        relaying(denying),
        open_server("--auto-connect", as_found(denying, tmp_path), cwd=tmp_path) as server,
    ):
        reply = await server.call("browser_snapshot")
    assert reply.is_error
    assert "If the browser asked you, call again and click Allow." in reply.sections["Error"]


@pytest.mark.prove
@pytest.mark.time_limit(90)
async def test_attaching_times_out_while_chrome_asks_its_user(
    open_server: StartServer, executable: str, tmp_path: Path
) -> None:
    """As after chrome://inspect/#remote-debugging: no discovery, and Chrome asks for each
    WebSocket.
    """
    profile = make_profile(
        tmp_path / "asking", devtools={"remote_debugging": {"user-enabled": True}}
    )
    async with run_browser(executable, profile, "about:blank", "--no-first-run") as asking:
        for flags in (
            ("--auto-connect", f"--user-data-dir={profile}"),
            (f"--cdp-endpoint=127.0.0.1:{asking.port}",),
        ):
            async with open_server(*flags, "--cdp-timeout=1500", cwd=tmp_path) as server:
                reply = await server.call("browser_snapshot", within=10)
                assert reply.is_error
                assert "no response within 1.5 s" in reply.sections["Error"]
                assert "click Allow, then call again" in reply.sections["Error"]
                assert "click Allow" in server.stderr
