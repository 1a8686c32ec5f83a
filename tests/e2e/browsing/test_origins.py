"""Lists of origins: a page cannot reach a forbidden origin in any way."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from werkzeug import Request, Response

from tests.e2e.conftest import StartServer
from tests.e2e.support.certificates import make_certificate
from tests.e2e.support.client import StdioClient
from tests.e2e.support.processes import (
    find_descendants,
    profiles_of,
    wait_for_all_to_end,
    wait_until,
)
from tests.e2e.support.proxies import running_proxy
from tests.e2e.support.unreachable_sites import UnreachableServers, run_unreachable_servers
from tests.site import Site

WAYS_OUT = Path(__file__).with_name("ways-out.html")
# Requests of these kinds have no path, or Chromium sends none of them with any proxy.
UNSEEN = {"preconnect", "dns-prefetch", "stun", "turn-tcp", "webtransport"}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("certificate") / "both.pem")


@pytest.fixture(scope="module")
def trusting(executable: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Chromium that takes any certificate."""
    wrapper = tmp_path_factory.mktemp("trusting") / "chromium"
    wrapper.write_text(
        f'#!/bin/sh\nexec {shlex.quote(executable)} --ignore-certificate-errors "$@"\n'
    )
    wrapper.chmod(0o755)
    return str(wrapper)


@pytest.fixture
async def forbidden(certificate: Path) -> AsyncIterator[UnreachableServers]:
    async with run_unreachable_servers(certificate) as place:
        yield place


@pytest.fixture
async def reachable(certificate: Path) -> AsyncIterator[UnreachableServers]:
    async with run_unreachable_servers(certificate) as place:
        yield place


def serve_ways_out(site: Site) -> str:
    """Serve the page that tries them all; returns its URL."""

    def redirect(request: Request) -> Response:
        return Response(status=307, headers={"Location": request.args["to"]})

    def service_worker(request: Request) -> Response:
        script = f"fetch({request.args['to']!r}, {{mode: 'no-cors'}}).catch(() => 0)"
        return Response(script, mimetype="text/javascript")

    def reporting(request: Request) -> Response:
        policy = f"img-src 'none'; report-uri {request.args['to']}"
        headers = {"Content-Security-Policy": policy}
        return Response("<img src=/x.png>", mimetype="text/html", headers=headers)

    site.handle("/redirect", redirect)
    site.handle("/service-worker.js", service_worker)
    site.handle("/reporting", reporting)
    return site.page(WAYS_OUT.read_text(encoding="utf-8"), path="/ways-out")


def ways_to(place: UnreachableServers) -> str:
    return urlencode({"http": place.http, "https": place.https, "udp": place.udp})


@pytest.mark.prove
@pytest.mark.parametrize("through", [None, "http"])
async def test_a_page_reaches_no_forbidden_server_and_every_allowed_one(
    open_server: StartServer,
    trusting: str,
    forbidden: UnreachableServers,
    reachable: UnreachableServers,
    site: Site,
    tmp_path: Path,
    through: str | None,
) -> None:
    url = serve_ways_out(site)
    may = ";".join([urlsplit(url).netloc, reachable.http, reachable.https, reachable.udp])
    flags = ["--executable-path", trusting, "--allowed-origins", may]
    async with AsyncExitStack() as stack:
        proxy = None
        if through is not None:
            proxy = await stack.enter_async_context(running_proxy(tmp_path, through))
            flags += ["--proxy-server", proxy.server]
        server = await stack.enter_async_context(open_server(*flags, cwd=tmp_path))
        await server.initialize()
        held = await server.call("browser_navigate", url=f"{url}?{ways_to(forbidden)}")
        assert "Ways out" in held.text, held.text
        tried = await server.call("browser_evaluate", function="Object.keys(tried).join()")
        free = await server.call("browser_navigate", url=f"{url}?{ways_to(reachable)}")
        assert "Ways out" in free.text, free.text
        ways = set(tried.sections["Result"].split(",")) - UNSEEN
        await wait_until(lambda: ways <= reachable.paths)
        # After that time nothing has arrived here, and no proxy was asked to connect here.
        assert (forbidden.paths, forbidden.arrived) == (set(), 0)
        if proxy is not None:
            assert any(reachable.http in line for line in proxy.lines)
            assert not any(forbidden.http in line for line in proxy.lines)
        assert len(ways) == 53
        text = held.sections["Events"].partition("- Refused by --allowed-origins: ")[2]
        assert f"{forbidden.http} (" in text.splitlines()[0]


@pytest.mark.prove
async def test_without_a_list_the_page_also_sends_udp(
    open_server: StartServer,
    trusting: str,
    reachable: UnreachableServers,
    site: Site,
    tmp_path: Path,
) -> None:
    url = serve_ways_out(site)
    async with open_server("--executable-path", trusting, cwd=tmp_path) as server:
        await server.initialize()
        await server.call("browser_navigate", url=f"{url}?{ways_to(reachable)}")
        await wait_until(lambda: {"stun", "webtransport"} <= reachable.paths)


@pytest.mark.prove
@pytest.mark.parametrize("how", ["prefetch", "prerender"])
async def test_speculative_requests_obey_the_lists(
    open_server: StartServer,
    forbidden: UnreachableServers,
    reachable: UnreachableServers,
    site: Site,
    tmp_path: Path,
    how: str,
) -> None:
    # In a separate page: a page that a popup hides does not speculate.
    async with open_server("--blocked-origins", forbidden.http, cwd=tmp_path) as server:
        await server.initialize()
        urls = [f"http://{place.http}/x" for place in (forbidden, reachable)]
        rules = json.dumps({how: [{"urls": urls, "eagerness": "immediate"}]})
        page = site.page(f'<h1>Guess</h1><script type="speculationrules">{rules}</script>')
        went = await server.call("browser_navigate", url=page)
        await wait_until(lambda: "x" in reachable.paths)
        later = await server.call("browser_snapshot")
    assert forbidden.arrived == 0
    assert "- Refused by --blocked-origins: " in went.text + later.text


@pytest.mark.prove
async def test_no_request_leaves_when_the_server_is_killed(
    open_server: StartServer, forbidden: UnreachableServers, site: Site, tmp_path: Path
) -> None:
    site.respond("/alive")
    script = f"""setInterval(() => {{
        fetch("http://{forbidden.http}/", {{ mode: "no-cors" }}).catch(() => 0);
        fetch("/alive");
    }}, 10)"""
    page = site.page(f"<script>{script}</script>")
    async with open_server("--blocked-origins", forbidden.http, cwd=tmp_path) as server:
        await server.initialize()
        await server.call("browser_navigate", url=page)
        await wait_until(lambda: len(site.requests("/alive")) > 10)
        running = find_descendants(server.process.pid)
        server.process.kill()
        assert await wait_for_all_to_end(running, 20)
        for path in profiles_of(server):  # The next server would delete them, if there is one.
            shutil.rmtree(path)
    assert forbidden.arrived == 0


@pytest.mark.prove
async def test_a_click_on_a_link_that_chromium_would_open_itself_is_reported(
    open_server: StartServer, site: Site, tmp_path: Path
) -> None:
    async with open_server("--allowed-origins=127.0.0.1", cwd=tmp_path) as client:
        await client.initialize()
        link = '<a href="https://accounts.google.com/signin">Go</a>'
        page = await client.call("browser_navigate", url=site.page(link))
        reply = await client.call("browser_click", ref=page.ref("link", "Go"))
    expected = "- Refused by --allowed-origins: https://accounts.google.com ("
    assert expected not in page.text
    assert expected in reply.sections["Events"]


@pytest.fixture(scope="module")
async def secretive(
    open_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[StdioClient]:
    """Return a server that blocks `localhost` on every port, but not 127.0.0.1."""
    directory = tmp_path_factory.mktemp("server")
    async with open_server("--blocked-origins", "localhost;*.localhost", cwd=directory) as client:
        await client.initialize()
        yield client


def at_localhost(url: str) -> str:
    return url.replace("127.0.0.1", "localhost")


async def test_a_navigation_to_a_blocked_origin_is_refused_with_a_message(
    secretive: StdioClient, site: Site
) -> None:
    url = at_localhost(site.page("<h1>Secret</h1>", path="/secret"))
    reply = await secretive.call("browser_navigate", url=url)
    assert reply.is_error
    assert (
        f"{url.removesuffix('/secret')} was not opened: --blocked-origins blocks it "
        "(localhost). Only the user who started this server can change that."
    ) in reply.sections["Error"]
    assert not site.requests("/secret")


async def test_the_dot_at_the_end_of_a_name_makes_no_other_place(
    secretive: StdioClient, site: Site
) -> None:
    url = site.page("<h1>Secret</h1>", path="/secret").replace("127.0.0.1", "localhost.")
    reply = await secretive.call("browser_navigate", url=url)
    assert "--blocked-origins blocks it" in reply.sections["Error"]


async def test_a_redirect_to_a_blocked_origin_is_refused_with_a_message(
    secretive: StdioClient, site: Site
) -> None:
    secret = at_localhost(site.page("<h1>Secret</h1>", path="/secret"))
    url = site.respond("/leads-there", status=302, headers={"Location": secret})
    reply = await secretive.call("browser_navigate", url=url)
    origin = secret.removesuffix("/secret")
    assert f"It led to {origin}, where --blocked-origins blocks it" in reply.sections["Error"]
    assert not site.requests("/secret")


@pytest.mark.prove
async def test_a_block_is_reported_even_if_other_tabs_load_meanwhile(
    secretive: StdioClient, site: Site
) -> None:
    site.page("", path="/news")
    poll = "<script>(async () => { for (;;) await fetch('/news', {cache: 'no-store'}) })()</script>"
    await secretive.call("browser_navigate", url=site.page(f"<h1>News</h1>{poll}"))
    secret = at_localhost(site.page("<h1>Secret</h1>", path="/secret"))
    url = site.respond("/leads-there", status=302, headers={"Location": secret})
    for _ in range(5):
        reply = await secretive.call("browser_tabs", action="new", url=url)
        assert "where --blocked-origins blocks it" in reply.sections["Error"]
    assert not site.requests("/secret")


async def test_a_click_on_a_link_to_a_blocked_origin_is_reported(
    secretive: StdioClient, site: Site
) -> None:
    secret = at_localhost(site.page("<h1>Secret</h1>", path="/secret"))
    page = await secretive.call("browser_navigate", url=site.page(f'<a href="{secret}">Go</a>'))
    reply = await secretive.call("browser_click", ref=page.ref("link", "Go"))
    origin = secret.removesuffix("/secret").removeprefix("http://")
    assert f"- Refused by --blocked-origins: {origin} (" in reply.sections["Events"]
    assert not site.requests("/secret")


@pytest.mark.prove
async def test_chromium_sends_no_data_about_forms_to_its_maker(
    open_server: StartServer, site: Site, tmp_path: Path
) -> None:
    async with open_server("--allowed-origins=127.0.0.1", cwd=tmp_path) as client:
        await client.initialize()
        form = "<form><input name=email><input name=name><input type=password></form>"
        page = await client.call("browser_navigate", url=site.page(form))
        typed = await client.call("browser_type", ref="input[name=name]", text="x")
    assert "Events" not in page.sections
    assert "Events" not in typed.sections


async def test_an_allowed_origin_is_reached(secretive: StdioClient, site: Site) -> None:
    await secretive.call("browser_navigate", url="about:blank")  # an error page would try again
    site.respond("/data", "the data", headers={"Access-Control-Allow-Origin": "*"})
    reply = await secretive.call("browser_navigate", url=site.page("<h1>Open</h1>"))
    assert 'heading "Open"' in reply.sections["Snapshot"]
    assert "Events" not in reply.sections
    answer = await secretive.call(
        "browser_evaluate", function=f"fetch({site.url('/data')!r}).then((r) => r.text())"
    )
    assert answer.sections["Result"] == "the data"


async def test_a_refused_connection_to_an_allowed_origin_is_reported_as_such(
    secretive: StdioClient,
) -> None:
    reply = await secretive.call("browser_navigate", url="http://127.0.0.1:1/nobody")
    assert reply.is_error
    reply = await secretive.call("browser_navigate", url="http://127.0.0.1:9/nobody")
    assert "blocked-origins" not in reply.sections["Error"]


async def test_other_contexts_keep_to_the_lists_too(secretive: StdioClient, site: Site) -> None:
    secret = at_localhost(site.page("<h1>Secret</h1>", path="/secret"))
    await secretive.call("browser_context_create", name="second")
    url = site.page(f'<h1>Second</h1><img src="{secret}">')
    reply = await secretive.call("browser_navigate", url=url, context="second")
    await secretive.call("browser_context_close", name="second")
    assert 'heading "Second"' in reply.sections["Snapshot"]
    assert "- Refused by --blocked-origins: " in reply.sections["Events"]
    assert not site.requests("/secret")


@pytest.mark.prove
@pytest.mark.parametrize("scheme", ["http", "socks5"])
async def test_a_context_with_a_proxy_keeps_to_the_lists_and_to_its_proxy(
    secretive: StdioClient, site: Site, tmp_path: Path, scheme: str
) -> None:
    secret = at_localhost(site.page("<h1>Secret</h1>", path="/secret"))
    url = site.page(f'<h1>Shop</h1><img src="{secret}">').replace("127.0.0.1", "shop.test")
    async with running_proxy(tmp_path, scheme) as proxy:
        given = {"server": proxy.server}
        await secretive.call("browser_context_create", name=scheme, proxy=given)
        reply = await secretive.call("browser_navigate", url=url, context=scheme)
        hosts = proxy.hosts
        refused = await secretive.call("browser_navigate", url=secret, context=scheme)
    await secretive.call("browser_context_close", name=scheme)
    assert 'heading "Shop"' in reply.sections["Snapshot"]
    assert "- Refused by --blocked-origins: " in reply.sections["Events"]
    assert "--blocked-origins blocks it" in refused.sections["Error"]
    assert set(hosts) == {"shop.test"}
    assert not site.requests("/secret")


async def test_a_proxy_with_a_bypass_cannot_be_combined_with_lists(secretive: StdioClient) -> None:
    proxy = {"server": "http://127.0.0.1:1", "bypass": "localhost"}
    reply = await secretive.call("browser_context_create", name="around", proxy=proxy)
    assert reply.is_error
    assert "has lists of origins" in reply.sections["Error"]


async def test_the_scheme_must_match_if_the_list_names_one(
    open_server: StartServer,
    trusting: str,
    reachable: UnreachableServers,
    site: Site,
    tmp_path: Path,
) -> None:
    page = site.page("<h1>Schemes</h1>")
    # To the port of http by https, and the other way round.
    allowed = f"{page};https://{reachable.http};http://{reachable.https}".replace("/page-1", "")
    async with open_server(
        "--executable-path", trusting, "--allowed-origins", allowed, cwd=tmp_path
    ) as server:
        await server.initialize()
        await server.call("browser_navigate", url=page)
        for url in (f"http://{reachable.http}/x", f"https://{reachable.https}/x"):
            function = f"fetch({url!r}, {{mode: 'no-cors'}}).catch(() => 'refused')"
            reply = await server.call("browser_evaluate", function=function)
            assert reply.sections["Result"] == "refused"
            origin = url.removesuffix("/x")
            assert f"- Refused by --allowed-origins: {origin} (" in reply.sections["Events"]
    assert reachable.arrived == 0


@pytest.mark.parametrize("around", ["--no-proxy-server", "--proxy-server=http://{}"])
async def test_a_browser_that_does_not_use_the_relay_is_not_used(
    open_server: StartServer,
    executable: str,
    reachable: UnreachableServers,
    tmp_path: Path,
    around: str,
) -> None:
    # As when a policy of the machine or an extension overrides the server's proxy setting.
    wrapper = tmp_path / "chromium"
    switch = around.format(reachable.http)
    # The last of a switch's values holds, and Debian's launcher begins with those behind a URL.
    wrapper.write_text(
        "#!/bin/sh\n"
        'for each; do shift; [ "$each" = about:blank ] || set -- "$@" "$each"; done\n'
        f'exec {shlex.quote(executable)} "$@" {switch} about:blank\n'
    )
    wrapper.chmod(0o755)
    flags = ("--executable-path", str(wrapper), "--blocked-origins", "secret.test")
    async with open_server(*flags, cwd=tmp_path) as server:
        await server.initialize()
        reply = await server.call("browser_navigate", url=f"http://{reachable.https}/secret")
        assert "Chromium ignores --allowed-origins" in reply.sections["Error"]
    assert "secret" not in reachable.paths
