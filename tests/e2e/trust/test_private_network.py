"""Addresses of this machine and its network: public pages do not lead there, the agent may."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from werkzeug import Request, Response

from tests.e2e.conftest import StartServer
from tests.e2e.support.certificates import make_certificate
from tests.e2e.support.client import StdioClient
from tests.e2e.support.unreachable_sites import UnreachableServers, run_unreachable_servers
from tests.site import Site

WAYS_OUT = Path(__file__).parents[1] / "browsing" / "ways-out.html"
SUBMIT = """Object.assign(document.body.appendChild(document.createElement('form')),
  {method: 'post', action: TO}).submit()"""
ESCAPES = {
    "script": "void(location = TO)",
    "redirect": "void(location = '/redirect?to=' + encodeURIComponent(TO))",
    "form": SUBMIT,
    "refresh": "void(document.body.innerHTML = `<meta http-equiv=refresh content='0;url=${TO}'>`)",
    "popup": "void(open(TO))",
    "popup without opener": "void(open(TO, '_blank', 'noopener'))",
    "popup of a popup": "void(open('about:blank').location = TO)",
    "user name": "void(location = TO.replace('//', '//ada:pw@'))",
}


def redirect(request: Request) -> Response:
    return Response(status=302, headers={"Location": request.args["to"]})


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("certificate") / "both.pem")


@pytest.fixture
async def router(certificate: Path) -> AsyncIterator[UnreachableServers]:
    """Servers at private addresses."""
    async with run_unreachable_servers(certificate) as place:
        yield place


class PublicSite:
    """The site of the test under a public name, which Chromium treats as a public address."""

    def __init__(self, site: Site) -> None:
        self.address = urlsplit(site.url()).netloc
        self._site = site
        site.handle("/redirect", redirect)

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags for a server whose browser finds the site."""
        rules = f"MAP public.test {self.address},MAP *.test ~NOTFOUND"
        return (
            f"--browser-arg=--host-resolver-rules={rules}",
            f"--browser-arg=--ip-address-space-overrides={self.address}=public",
        )

    def page(self, html: str) -> str:
        path = urlsplit(self._site.page(html)).path
        return f"http://public.test{path}"


@pytest.fixture
def public(site: Site) -> PublicSite:
    return PublicSite(site)


@asynccontextmanager
async def open_public_page(
    open_server: StartServer, public: PublicSite, cwd: Path, *flags: str
) -> AsyncIterator[StdioClient]:
    async with open_server(*public.flags, *flags, cwd=cwd) as server:
        await server.initialize()
        await server.call("browser_navigate", url=public.page("<h1>Public</h1>"))
        yield server


async def test_a_public_page_leads_a_tab_to_no_private_address(
    open_server: StartServer, public: PublicSite, router: UnreachableServers, tmp_path: Path
) -> None:
    target = f"http://{router.http}/"
    async with open_public_page(open_server, public, tmp_path) as server:
        for name, script in ESCAPES.items():
            source = f"{{ const TO = '{target}x'; {script} }}"
            reply = await server.call("browser_evaluate", function=source)
            assert f"leads to {target[:-1]}, an address of this machine" in reply.text, name
            await server.call("browser_tabs", action="select", index=0)
            place = await server.call("browser_evaluate", function="location.host")
            assert place.sections["Result"] == "public.test", name  # the page stays
    assert router.paths == set()


async def test_the_page_reports_a_link_that_was_refused(
    open_server: StartServer, public: PublicSite, router: UnreachableServers, tmp_path: Path
) -> None:
    async with open_public_page(open_server, public, tmp_path) as server:
        link = public.page(f"<a href='http://{router.http}/'>Router</a>")
        page = await server.call("browser_navigate", url=link)
        reply = await server.call("browser_click", ref=page.ref("link", "Router"))
        assert f"{link} leads to http://{router.http}, an address" in reply.sections["Events"]
        again = await server.call("browser_snapshot")
    assert "leads to" not in again.text
    assert router.paths == set()


async def test_scripts_frames_and_workers_of_a_public_page_reach_no_private_address(
    open_server: StartServer,
    public: PublicSite,
    router: UnreachableServers,
    site: Site,
    tmp_path: Path,
) -> None:
    page = public.page(WAYS_OUT.read_text(encoding="utf-8"))
    where = urlencode({"http": router.http, "https": router.https, "udp": router.udp})
    async with open_public_page(open_server, public, tmp_path) as server:
        await server.call("browser_navigate", url=f"{page}?{where}")
        tried = await server.call("browser_evaluate", function="Object.keys(tried).length")
    assert int(tried.sections["Result"]) > 50
    # Chromium asks a STUN server before it knows the address; it sends no content of the page.
    assert router.paths <= {"stun"}


async def test_the_agent_opens_a_private_address_and_a_public_page_may_return_there(
    open_server: StartServer, public: PublicSite, router: UnreachableServers, tmp_path: Path
) -> None:
    target = f"http://{router.http}/"
    async with open_public_page(open_server, public, tmp_path) as server:
        opened = await server.call("browser_navigate", url=f"{target}mine")
        assert not opened.is_error
        login = public.page(f"<script>location = '{target}callback?code=1'</script>")
        returned = await server.call("browser_navigate", url=login)
    assert not returned.is_error
    assert router.paths >= {"mine", "callback?code=1"}


async def test_a_redirect_of_an_opened_public_address_is_refused(
    open_server: StartServer, public: PublicSite, router: UnreachableServers, tmp_path: Path
) -> None:
    leads = f"http://public.test/redirect?to=http://{router.http}/x"
    async with open_server(*public.flags, cwd=tmp_path) as server:
        await server.initialize()
        reply = await server.call("browser_navigate", url=leads)
    assert reply.is_error
    assert f"{leads} leads to http://{router.http}, an address" in reply.sections["Error"]
    assert reply.raw["structuredContent"]["error"]["code"] == "blocked"
    assert router.paths == set()


async def test_a_private_page_may_lead_to_private_addresses(
    open_server: StartServer, router: UnreachableServers, site: Site, tmp_path: Path
) -> None:
    page = site.page(f"<a href='http://{router.http}/other'>Other</a>")
    async with open_server(cwd=tmp_path) as server:
        await server.initialize()
        reply = await server.call("browser_navigate", url=page)
        await server.call("browser_click", ref=reply.ref("link", "Other"))
    assert router.paths >= {"other"}


async def test_the_flag_permits_everything(
    open_server: StartServer, public: PublicSite, router: UnreachableServers, tmp_path: Path
) -> None:
    flag = "--allow-private-network"
    async with open_public_page(open_server, public, tmp_path, flag) as server:
        fetching = f"fetch('http://{router.http}/script').then(answer => answer.status)"
        fetched = await server.call("browser_evaluate", function=fetching)
        await server.call("browser_evaluate", function=f"location = 'http://{router.http}/tab'")
        metadata = await server.call("browser_navigate", url="http://metadata.goog.test/")
    assert fetched.sections["Result"] == "200"
    assert router.paths >= {"script", "tab"}
    assert "ERR_NAME_NOT_RESOLVED" in metadata.text


@pytest.mark.parametrize(
    "url", ["http://169.254.169.254/latest/meta-data/", "http://0xa9fea9fe/", "metadata.goog"]
)
async def test_the_agent_opens_no_metadata_service(shared_server: StdioClient, url: str) -> None:
    reply = await shared_server.call("browser_navigate", url=url)
    assert "it is a metadata service" in reply.sections["Error"]
    assert reply.raw["structuredContent"]["error"]["code"] == "blocked"
