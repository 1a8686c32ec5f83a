"""Access to live views: the key, the host, the headers, and the two servers that have views."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import httpx2
import pytest

from tests.e2e.conftest import OpenHere, OpenHttp, StartServer
from tests.e2e.handoff.viewer import Viewer
from tests.site import Site

RED = "<title>Red</title><body style='background: #d03020'>"
UPDATES = "/view/updates?viewer=0123456789"


class Door(NamedTuple):
    """The address of a live view, and its key."""

    address: str
    key: str

    @classmethod
    def of(cls, url: str) -> Door:
        address, _, key = url.partition("/view#")
        return cls(address, key)

    def http(self, **headers: str) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            base_url=self.address, headers=headers, timeout=10, trust_env=False, verify=False
        )

    @property
    def header(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.key}"}


@pytest.fixture(scope="module")
async def on_demand(
    open_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Door]:
    """Return the view of a server that is not an HTTP server."""
    async with open_server("--caps=handoff", cwd=tmp_path_factory.mktemp("server")) as agent:
        await agent.initialize()
        await agent.call("browser_navigate", url="about:blank")
        yield Door.of((await agent.call("browser_live_view")).sections["Result"])


@pytest.fixture(scope="module")
async def over_http(
    open_http: OpenHttp, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Door]:
    """Return the view of a session of an HTTP server."""
    cwd = tmp_path_factory.mktemp("http")
    async with open_http("--caps=handoff", cwd=cwd) as server, server.client() as agent:
        door = Door.of((await agent.call("browser_live_view")).sections["Result"])
        assert door.address == server.url
        yield door


@pytest.fixture(params=["on_demand", "over_http"])
def door(request: pytest.FixtureRequest, on_demand: Door, over_http: Door) -> Door:
    return {"on_demand": on_demand, "over_http": over_http}[request.param]


async def test_nothing_but_the_empty_page_is_served_without_the_key(door: Door) -> None:
    async with door.http() as http:
        page = await http.get("/view")
        assert page.status_code == 200
        assert door.key not in page.text
        for path in ("/view/view.css", "/view/view.js", "/view/input.js"):
            assert (await http.get(path)).status_code == 200
        for method, path in (("GET", UPDATES), ("POST", "/view/input")):
            assert (await http.request(method, path)).status_code == 401
            for key in (door.key[:-1], door.key.swapcase(), f"{door.key}x"):
                refused = await http.request(
                    method, path, headers={"authorization": f"Bearer {key}"}
                )
                assert refused.status_code == 403
                assert "wrong, or has expired" in refused.text
        by_query = await http.get(f"{UPDATES}&key={door.key}")
        assert by_query.status_code == 401


async def test_the_page_runs_no_foreign_script_and_has_no_referrer(door: Door) -> None:
    async with door.http(**door.header) as http:
        for path in ("/view", UPDATES, "/view/none"):
            headers = (await http.get(path)).headers
            policy = headers["content-security-policy"]
            assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["cache-control"] == "no-store"
            assert headers["x-content-type-options"] == "nosniff"
            assert "set-cookie" not in headers
            assert not [each for each in headers if each.startswith("access-control")]
        page = (await http.get("/view")).text
        assert "<script src=" in page
        assert page.count("<script") == 1
        assert "style=" not in page


@pytest.mark.parametrize(
    "header", [("host", "evil.example:80"), ("origin", "https://evil.example"), ("origin", "null")]
)
async def test_other_hosts_and_sites_are_refused(door: Door, header: tuple[str, str]) -> None:
    async with door.http(**door.header) as http:
        for path in ("/view", UPDATES):
            assert (await http.get(path, headers=dict([header]))).status_code == 403


async def test_malformed_requests_are_refused(door: Door) -> None:
    async with door.http(**door.header) as http:
        assert (await http.get("/view/updates")).status_code == 400
        assert (await http.get(f"{UPDATES}&picture=x")).status_code == 400
        assert (await http.post("/view/updates")).status_code == 405
        assert (await http.post("/view/input", content=b"[")).status_code == 400
        secret = (
            b'{"viewer": "0123456789", "picture": 1, "events": [{"type": "text", "tex": "abc"}]}'
        )
        malformed = await http.post("/view/input", content=secret)
        assert malformed.status_code == 400
        assert "abc" not in malformed.text


async def test_input_needs_control(door: Door) -> None:
    text = '{"type": "text", "text": "x"}'
    async with door.http(**door.header) as http:

        async def send(viewer: str, event: str) -> int:
            body = f'{{"viewer": "{viewer}", "picture": 1, "events": [{event}]}}'
            return (await http.post("/view/input", content=body)).status_code

        assert await send("stranger-1", text) == 409  # it never asked for the picture
        for viewer in ("viewer-one", "viewer-two"):
            assert (await http.get(f"/view/updates?viewer={viewer}")).status_code == 200
        assert await send("viewer-one", text) == 409
        assert await send("viewer-one", '{"type": "take"}') == 204
        assert await send("viewer-one", text) == 204
        assert await send("viewer-two", text) == 409
        assert await send("viewer-two", '{"type": "take"}') == 409
        assert await send("viewer-one", '{"type": "release"}') == 204


async def test_a_server_without_the_capability_has_no_view(
    open_http: OpenHttp, tmp_path: Path
) -> None:
    async with open_http(cwd=tmp_path) as server, server.http() as http:
        assert (await http.get("/view")).status_code == 404


async def test_a_person_watches_a_session_over_http_until_the_server_ends(
    open_http: OpenHttp, open_here: OpenHere, site: Site, tmp_path: Path
) -> None:
    async with open_here(cwd=tmp_path) as person:
        await person.initialize()
        viewer = Viewer(person)
        async with open_http("--caps=handoff", cwd=tmp_path) as server:
            async with server.client() as agent:
                await agent.call("browser_navigate", url=site.page(RED))
                await viewer.open((await agent.call("browser_live_view")).sections["Result"])
                await viewer.wait_for_picture(0xD0, 0x30, 0x20)
            began = time.monotonic()
            await server.stop()
            assert time.monotonic() - began < 5
        await viewer.wait("document.querySelector('#status').innerText.includes('is lost')")


async def test_the_end_of_the_client_ends_the_server_although_a_person_watches(
    open_server: StartServer, open_here: OpenHere, site: Site, tmp_path: Path
) -> None:
    async with open_here(cwd=tmp_path) as person:
        await person.initialize()
        viewer = Viewer(person)
        async with open_server("--caps=handoff", cwd=tmp_path) as agent:
            await agent.initialize()
            await agent.call("browser_navigate", url=site.page(RED))
            await viewer.open((await agent.call("browser_live_view")).sections["Result"])
            await viewer.wait_for_picture(0xD0, 0x30, 0x20)
            began = time.monotonic()
            assert await agent.close() == 0
            assert time.monotonic() - began < 5
