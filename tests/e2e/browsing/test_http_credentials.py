"""User names and passwords for servers with HTTP authentication: --http-credentials and its key."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from werkzeug import Request, Response

from tests.browser.network.workers import asking, serve_workers
from tests.e2e.conftest import StartServer
from tests.e2e.support.client import StdioClient
from tests.e2e.support.proxies import running_proxy
from tests.site import Site

USER, PASSWORD = "ada", "s3cret:l0ng"
Protect = Callable[..., str]


@pytest.fixture
def protect(site: Site) -> Protect:
    """Return `protect(path, body)`: a URL that asks for the user name and the password."""

    def protect(path: str, body: str = "inside", password: str = PASSWORD, **headers: str) -> str:
        def respond(request: Request) -> Response:
            given = request.authorization
            if given is None or (given.username, given.password) != (USER, password):
                challenge = {"WWW-Authenticate": 'Basic realm="Inside"'}
                return Response("<h1>Denied</h1>", 401, challenge, mimetype="text/html")
            return Response(body, headers=headers, mimetype="text/html")

        return site.handle(path, respond)

    return protect


@pytest.fixture(scope="module")
async def trusted(
    open_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[StdioClient]:
    """Return a server that knows the credentials, for all tests of the module."""
    cwd = tmp_path_factory.mktemp("trusted")
    environment = {"VIEWPOINT_MCP_HTTP_CREDENTIALS": f"{USER}:{PASSWORD}"}
    async with open_server("--caps=network", cwd=cwd, env=environment) as client:
        await client.initialize()
        yield client


async def read(server: StdioClient, url: str) -> str:
    reply = await server.call("browser_evaluate", function=f"fetch('{url}').then(r => r.text())")
    return reply.text


async def test_pages_frames_popups_and_files_get_the_credentials(
    trusted: StdioClient, site: Site, protect: Protect
) -> None:
    inner = protect("/inner", "<p>In the frame</p>")
    protect("/popup", "<title>Popup</title><p>Opened</p>")
    protect("/file", "content", **{"Content-Disposition": "attachment; filename=report.txt"})
    url = protect(
        "/top",
        f"<h1>Top</h1><iframe src='{inner}'></iframe><a href=/popup target=_blank>Open</a>"
        "<a href=/file>Report</a>",
    )
    shown = await trusted.call("browser_navigate", url=url)
    assert 'heading "Top"' in shown.text
    assert "In the frame" in (await trusted.call("browser_snapshot")).text
    saved = await trusted.call("browser_click", target="getByText('Report')")
    assert 'Downloaded file report.txt to "' in saved.text
    opened = await trusted.call("browser_click", target="getByText('Open')")
    assert "Popup" in opened.text
    await trusted.call("browser_close")
    # The password is sent only to a server that asks for it.
    assert [each.authorization is None for each in site.requests("/top")] == [True, False]


@pytest.mark.parametrize("place", ["dedicated worker", "shared worker", "service worker"])
async def test_workers_get_the_credentials(
    trusted: StdioClient, site: Site, protect: Protect, place: str
) -> None:
    page = serve_workers(site)
    url = protect("/data", "for workers")
    await trusted.call("browser_navigate", url=page)
    reply = await trusted.call("browser_evaluate", function=asking(place, url))
    assert "for workers" in reply.text


async def test_each_context_gets_them_also_with_routes(
    trusted: StdioClient, site: Site, protect: Protect
) -> None:
    url = protect("/both", "<h1>Both</h1>")
    await trusted.call("browser_context_create", name="second")
    await trusted.call("browser_route", pattern="**/mock", body="mocked")
    await trusted.call("browser_route", pattern="**/both", headers=["X-Extra: 1"])
    assert 'heading "Both"' in (await trusted.call("browser_navigate", url=url)).text
    assert site.requests("/both")[-1].headers["X-Extra"] == "1"
    assert "mocked" in await read(trusted, "/mock")
    await trusted.call("browser_unroute")
    later = protect("/later", "after the routes")
    assert "after the routes" in await read(trusted, later)
    await trusted.call("browser_context_close", name="second")


async def test_a_wrong_password_ends_on_the_page_of_the_refusal(
    trusted: StdioClient, site: Site, protect: Protect
) -> None:
    url = protect("/wrong", "never", password="another")
    reply = await trusted.call("browser_navigate", url=url)
    assert 'heading "Denied"' in reply.text
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(url))
    assert f"{origin} refused the user name or password of --http-credentials." in reply.text
    assert len(site.requests("/wrong")) == 2
    details = await trusted.call("browser_network_requests", static=True)
    assert PASSWORD not in details.text


async def test_the_key_can_name_an_origin_and_works_through_a_proxy_with_a_password(
    open_server: StartServer, tmp_path: Path, protect: Protect
) -> None:
    url = protect("/origin", "<h1>Welcome</h1>")
    credentials = {"username": USER, "password": PASSWORD, "origin": url.removesuffix("/origin")}
    async with running_proxy(tmp_path, "http", "joe:hunter2") as proxy:
        options: dict[str, Any] = {
            "httpCredentials": credentials,
            "proxy": {"server": proxy.server, "username": "joe", "password": "hunter2"},
        }
        config = {"browser": {"contextOptions": options}}
        (tmp_path / "config.json").write_text(json.dumps(config))
        flags = ("--config=config.json", "--trace-cdp=trace.json", "--log-level=debug")
        async with open_server(*flags, cwd=tmp_path) as server:
            assert "Welcome" in (await server.call("browser_navigate", url=url)).text
            other = url.replace("127.0.0.1", "localhost")
            refused = await server.call("browser_navigate", url=other)
            assert PASSWORD not in server.stderr
        assert proxy.hosts
    assert "it requires a user name and password, which only --http-credentials" in refused.text
    recorded = (tmp_path / "trace.json").read_text()
    assert "continueWithAuth" in recorded
    assert PASSWORD not in recorded
