"""Contexts with real proxies on loopback, which log their connections."""

from __future__ import annotations

import asyncio
import shlex
import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from pytest_httpserver import HTTPServer
from websockets.asyncio.server import ServerConnection, serve

from tests.e2e.conftest import StartServer
from tests.e2e.support.certificates import make_certificate
from tests.e2e.support.client import Reply, ServerClient, StdioClient
from tests.e2e.support.processes import find_descendants, wait_until
from tests.e2e.support.proxies import RunningProxy, running_proxy
from tests.site import Site

NAME, PASSWORD, WRONG = "joe@home", "hunter2/&:", "guessed-wrong"
GOOD = {"username": NAME, "password": PASSWORD}


@dataclass(frozen=True)
class Proxies:
    """One proxy of each kind. The last three require the credentials `GOOD`."""

    http: RunningProxy
    socks5: RunningProxy
    http_locked: RunningProxy
    https_locked: RunningProxy
    socks5_locked: RunningProxy

    def given(self, kind: str) -> dict[str, str]:
        """Return a tool's argument for that one."""
        credentials = GOOD if kind.endswith("_locked") else {}
        return {"server": getattr(self, kind).server, **credentials}


KINDS = ["http", "socks5", "http_locked", "https_locked", "socks5_locked"]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("certificate") / "both.pem")


@pytest.fixture(scope="module")
async def proxies(
    tmp_path_factory: pytest.TempPathFactory, certificate: Path
) -> AsyncIterator[Proxies]:
    async with AsyncExitStack() as stack:

        async def run(scheme: str, *given: Any) -> RunningProxy:
            directory = tmp_path_factory.mktemp(scheme)
            return await stack.enter_async_context(running_proxy(directory, scheme, *given))

        locked = f"{NAME}:{PASSWORD}"
        yield Proxies(
            *await asyncio.gather(
                run("http"),
                run("socks5"),
                run("http", locked),
                run("https", locked, certificate),
                run("socks5", locked),
            )
        )


@pytest.fixture(scope="module")
async def proxied(
    open_server: StartServer,
    executable: str,
    certificate: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[StdioClient]:
    """Return a server with a Chromium that accepts any certificate; the server trusts only the
    test's certificate.
    """
    directory = tmp_path_factory.mktemp("server")
    wrapper = directory / "chromium"
    wrapper.write_text(
        f'#!/bin/sh\nexec {shlex.quote(executable)} --ignore-certificate-errors "$@"\n'
    )
    wrapper.chmod(0o755)
    flags = ("--executable-path", str(wrapper), "--log-level", "debug")
    env = {"SSL_CERT_FILE": str(certificate)}
    async with open_server(*flags, cwd=directory, env=env) as client:
        await client.initialize()
        yield client
        output = client.stderr
    # The log of the server, after all tests of this module.
    assert "Target.createBrowserContext" in output
    for secret in (NAME, PASSWORD, WRONG):
        assert secret not in output


async def create(to: StdioClient, name: str, **proxy: str) -> None:
    reply = await to.call("browser_context_create", name=name, proxy=proxy)
    assert not reply.is_error, reply.text
    line = reply.sections["Result"].splitlines()[1]
    assert line.startswith("Proxy: ")
    assert line.endswith(", with user name and password") == ("password" in proxy)
    assert all(secret not in line for secret in (NAME, PASSWORD, WRONG))


async def go(server: ServerClient, url: str, context: str) -> Reply:
    return await server.call("browser_navigate", url=url, context=context)


def with_host(url: str, host: str) -> str:
    """The URL with another host, at the same port."""
    return url.replace("127.0.0.1", host)


# ---- requests through proxies


@pytest.mark.parametrize("kind", KINDS)
async def test_a_page_is_loaded_through_the_proxy_which_resolves_its_host(
    proxied: StdioClient, proxies: Proxies, site: Site, kind: str
) -> None:
    await create(proxied, f"page-{kind}", **proxies.given(kind))
    url = with_host(site.page("<h1>Goods</h1>"), f"page-{kind.replace('_', '-')}.test")
    reply = await go(proxied, url, f"page-{kind}")
    assert 'heading "Goods"' in reply.sections["Snapshot"]
    proxy: RunningProxy = getattr(proxies, kind)
    assert urlsplit(url).hostname in proxy.hosts
    assert proxy.refusals == 0


@pytest.mark.prove
@pytest.mark.parametrize("kind", KINDS)
async def test_a_page_with_tls_is_loaded_through_the_proxy(
    proxied: StdioClient, proxies: Proxies, certificate: Path, kind: str
) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    await create(proxied, f"tls-{kind}", **proxies.given(kind))
    with HTTPServer(host="127.0.0.1", ssl_context=context) as secure:
        url = Site(secure).page("<h1>Safe</h1>")
        host = f"tls-{kind.replace('_', '-')}.test"
        reply = await go(proxied, with_host(url, host), f"tls-{kind}")
    assert 'heading "Safe"' in reply.sections["Snapshot"]
    assert host in getattr(proxies, kind).hosts


async def test_this_machine_is_reached_through_the_proxy_too(
    proxied: StdioClient, proxies: Proxies, site: Site
) -> None:
    await create(proxied, "loopback", **proxies.given("http"))
    url = site.page("<h1>Here</h1>")
    for host in ("127.0.0.1", "localhost"):
        before = len(proxies.http.hosts)
        await go(proxied, with_host(url, host), "loopback")
        assert host in proxies.http.hosts[before:]


@pytest.mark.parametrize("kind", ["http", "socks5_locked"])
async def test_a_host_in_the_bypass_list_is_reached_without_the_proxy(
    proxied: StdioClient, proxies: Proxies, site: Site, kind: str
) -> None:
    bypass = "direct.test, 127.0.0.1"
    await create(proxied, f"bypass-{kind}", **proxies.given(kind), bypass=bypass)
    proxy: RunningProxy = getattr(proxies, kind)
    url = site.page("<h1>Here</h1>")
    before = len(proxy.hosts)
    reply = await go(proxied, url, f"bypass-{kind}")
    assert 'heading "Here"' in reply.sections["Snapshot"]
    assert "127.0.0.1" not in proxy.hosts[before:]
    await go(proxied, with_host(url, "not-left-out.test"), f"bypass-{kind}")
    assert "not-left-out.test" in proxy.hosts[before:]


async def test_two_contexts_use_two_proxies_at_once_each_with_its_own_credentials(
    proxied: StdioClient, tmp_path: Path, site: Site
) -> None:
    url = site.page("<h1>Goods</h1>")
    async with AsyncExitStack() as stack:
        running = []
        for number, scheme in enumerate(("http", "socks5", "http")):
            (tmp_path / str(number)).mkdir()
            starting = running_proxy(tmp_path / str(number), scheme, f"user{number}:pass{number}")
            running.append(await stack.enter_async_context(starting))
            credentials = {"username": f"user{number}", "password": f"pass{number}"}
            await create(proxied, f"own-{number}", server=running[-1].server, **credentials)
        await asyncio.gather(
            *(
                go(proxied, with_host(url, f"shop-{turn}-{number}.test"), f"own-{number}")
                for turn in range(3)
                for number in range(3)
            )
        )
        for number, proxy in enumerate(running):
            sites = {host for host in proxy.hosts if host.startswith("shop-")}
            assert sites == {f"shop-{turn}-{number}.test" for turn in range(3)}
            assert proxy.refusals == 0


EVERYTHING = """<h1>Everything</h1><iframe src="{frame}"></iframe><img src="/image">
<a href="/file" download>Download</a>
<script>
  fetch('/fetched')
  new Worker('/worker.js')
  new SharedWorker('/shared.js')
  navigator.serviceWorker.register('/service.js')
  new WebSocket('{socket}').onmessage = event => document.title = event.data
</script>"""
PATHS = ["fetched", "image", "framed", "from-worker", "from-shared", "from-service", "file"]


@pytest.mark.prove
@pytest.mark.parametrize("kind", ["http_locked", "socks5_locked"])
async def test_requests_of_every_kind_have_the_credentials(
    proxied: StdioClient, proxies: Proxies, site: Site, kind: str
) -> None:
    async def greet(connection: ServerConnection) -> None:
        await connection.send("Greeted")

    await create(proxied, f"all-{kind}", **proxies.given(kind))
    for path in PATHS:
        site.respond(f"/{path}", "text")
    for script in ("worker", "shared", "service"):
        code = f"fetch('/from-{script}')"
        site.respond(f"/{script}.js", code, content_type="text/javascript")
    proxy: RunningProxy = getattr(proxies, kind)
    before = len(proxy.hosts)
    async with serve(greet, "127.0.0.1", 0) as socket:
        port = socket.sockets[0].getsockname()[1]
        html = EVERYTHING.format(
            frame=with_host(site.url("/framed"), "framed.test"), socket=f"ws://greeter.test:{port}"
        )
        # localhost, which may have service workers, has no name that the proxy alone knows.
        url = with_host(site.page(html), "localhost")
        reply = await go(proxied, url, f"all-{kind}")
        ref = reply.ref("link", "Download")
        done = await proxied.call("browser_click", ref=ref, context=f"all-{kind}")
        assert not done.is_error, done.text
        await wait_until(lambda: all(site.requests(f"/{path}") for path in PATHS))
        waiting = "await new Promise(done => setTimeout(done, 20))"
        title = f"async () => {{ while (document.title !== 'Greeted') {waiting} }}"
        greeted = await proxied.call("browser_evaluate", function=title, context=f"all-{kind}")
        assert not greeted.is_error, greeted.text
    assert {"localhost", "framed.test", "greeter.test"} <= set(proxy.hosts[before:])
    assert proxy.refusals == 0


# ---- failures


@pytest.mark.parametrize(
    ("scheme", "path"), [("http", "http"), ("http", "https"), ("socks5", "http")]
)
async def test_wrong_credentials_are_an_error_that_names_proxy_and_context(
    proxied: StdioClient, tmp_path: Path, site: Site, scheme: str, path: str
) -> None:
    context = f"wrong-{scheme}-{path}"
    async with running_proxy(tmp_path, scheme, f"{NAME}:{PASSWORD}") as proxy:
        await create(proxied, context, server=proxy.server, username=NAME, password=WRONG)
        url = with_host(site.page("<h1>Goods</h1>"), "shop.test").replace("http:", f"{path}:")
        reply = await go(proxied, url, context)
        assert reply.is_error
        error = reply.sections["Error"]
        assert f'the proxy {proxy.address} of context "{context}"' in error
        assert "refused the user name and password" in error
        assert "browser_context_create" in error
        assert WRONG not in reply.text
        # Chromium retries a closed connection once, and its preconnects are refused too. It does
        # not retry without limit.
        assert 1 <= proxy.refusals <= 4


@pytest.mark.prove
@pytest.mark.parametrize("scheme", ["http", "socks5"])
async def test_wrong_credentials_of_one_context_do_not_hinder_another(
    proxied: StdioClient, proxies: Proxies, site: Site, scheme: str, tmp_path: Path
) -> None:
    async with running_proxy(tmp_path, scheme, f"{NAME}:{PASSWORD}") as proxy:
        await create(proxied, f"bad-{scheme}", server=proxy.server, username=NAME, password=WRONG)
        await create(proxied, f"good-{scheme}", server=proxy.server, **GOOD)
        url = with_host(site.page("<h1>Goods</h1>"), "shop.test")
        bad, good = await asyncio.gather(
            go(proxied, url, f"bad-{scheme}"), go(proxied, url, f"good-{scheme}")
        )
    assert bad.is_error
    assert 'heading "Goods"' in good.sections["Snapshot"]


@pytest.mark.parametrize("kind", ["http_locked", "socks5_locked"])
async def test_missing_credentials_are_an_error_that_names_the_proxy(
    proxied: StdioClient, proxies: Proxies, site: Site, kind: str
) -> None:
    proxy: RunningProxy = getattr(proxies, kind)
    await create(proxied, f"none-{kind}", server=proxy.server)
    before = proxy.refusals
    reply = await go(proxied, with_host(site.page("x"), "shop.test"), f"none-{kind}")
    assert f'the proxy {proxy.address} of context "none-{kind}"' in reply.sections["Error"]
    assert proxy.refusals > before


@pytest.mark.parametrize("scheme", ["http", "https", "socks5"])
@pytest.mark.parametrize("credentials", [{}, GOOD], ids=["open", "locked"])
async def test_a_proxy_that_is_not_there_is_named(
    proxied: StdioClient, site: Site, scheme: str, credentials: dict[str, str]
) -> None:
    async with await asyncio.start_server(lambda r, w: None, "127.0.0.1", 0) as gone:
        address = f"127.0.0.1:{gone.sockets[0].getsockname()[1]}"
    context = f"gone-{scheme}-{len(credentials)}"
    await create(proxied, context, server=f"{scheme}://{address}", **credentials)
    reply = await go(proxied, with_host(site.page("x"), "shop.test"), context)
    assert reply.is_error
    expected = f'the proxy {address} of context "{context}" cannot be reached'
    assert expected in reply.sections["Error"]


async def test_a_site_that_the_proxy_does_not_reach_is_no_fault_of_the_credentials(
    proxied: StdioClient, proxies: Proxies
) -> None:
    await create(proxied, "far", **proxies.given("socks5_locked"))
    reply = await go(proxied, "http://shop.invalid/", "far")
    assert reply.is_error
    assert "refused" not in reply.text


async def test_a_site_that_requires_a_password_is_not_mistaken_for_the_proxy(
    proxied: StdioClient, proxies: Proxies, site: Site
) -> None:
    await create(proxied, "asked", **proxies.given("http_locked"))
    headers = {"WWW-Authenticate": 'Basic realm="site"'}
    url = with_host(site.page("Who?", status=401, headers=headers, path="/asked"), "shop.test")
    reply = await go(proxied, url, "asked")
    assert "401" in reply.text
    assert "the proxy" not in reply.text
    assert all("Authorization" not in request.headers for request in site.requests("/asked"))


# ---- the server's proxy, and reports


@pytest.mark.prove
async def test_contexts_without_a_proxy_use_the_proxy_of_the_server(
    open_server: StartServer, tmp_path: Path, proxies: Proxies, site: Site
) -> None:
    proxy = proxies.socks5_locked
    url = proxy.server.replace("://", "://joe%40home:hunter2%2F%26%3A@")
    env = {"PLAYWRIGHT_MCP_PROXY_SERVER": url}
    flags = ("--proxy-bypass", "127.0.0.1", "--log-level", "debug")
    async with open_server(*flags, cwd=tmp_path, env=env) as server:
        await server.initialize()
        before = await server.call("browser_context_list")
        assert f'"proxy": "{proxy.server}"' in before.sections["Result"]
        page = site.page("<h1>Goods</h1>")
        await server.call("browser_navigate", url=with_host(page, "first.test"))
        await server.call("browser_context_create", name="second")
        await server.call("browser_navigate", url=with_host(page, "second.test"))
        await create(server, "third", **proxies.given("http"))
        await server.call("browser_navigate", url=with_host(page, "third.test"))
        await server.call("browser_navigate", url=page, context="second")
        listed = (await server.call("browser_context_list")).sections["Result"].splitlines()
        commands = "\n".join(find_descendants(server.process.pid).values())
    assert {"first.test", "second.test"} <= set(proxy.hosts)
    assert "third.test" not in proxy.hosts
    assert "third.test" in proxies.http.hosts
    assert "127.0.0.1" not in proxy.hosts
    assert [each.partition('"proxy": ')[2].strip('"}],') for each in listed] == [
        proxy.server,
        proxy.server,
        proxies.http.server,
    ]
    for secret in (NAME, PASSWORD, url):
        assert secret not in server.stderr + commands + "".join(listed)
