"""Access to an HTTP server: address, Host, Origin and key; and the lines that it logs at its
start.
"""

from __future__ import annotations

import json
import re
import signal
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx2
import pytest

from tests.e2e.conftest import OpenHttp
from tests.e2e.support.command import run
from tests.e2e.support.http_client import (
    HttpServer,
    request,
    sessionless_headers,
    sessionless_request,
)
from tests.e2e.support.processes import find_browser
from viewpoint_mcp import __version__

DISCOVER = sessionless_request("server/discover")
GUARDED = [("GET", "/mcp"), ("POST", "/mcp"), ("DELETE", "/mcp"), ("GET", "/sse")]
GUARDED += [("POST", "/messages?sessionId=x")]


@pytest.fixture(scope="module")
async def http(listening: HttpServer) -> AsyncIterator[httpx2.AsyncClient]:
    async with listening.http(**sessionless_headers(DISCOVER)) as client:
        yield client


# ---- the key


@pytest.fixture(scope="module")
async def http_without_key(listening: HttpServer) -> AsyncIterator[httpx2.AsyncClient]:
    async with listening.http_without_key() as client:
        yield client


@pytest.mark.parametrize("given", [None, "", "Bearer", "Basic c2VzYW1l", "sesame"])
async def test_without_a_key_nothing_is_served(
    http_without_key: httpx2.AsyncClient, given: str | None
) -> None:
    headers = {} if given is None else {"authorization": given}
    for method, path in GUARDED:
        response = await http_without_key.request(method, path, headers=headers)
        assert response.status_code == 401
        assert response.headers["www-authenticate"].startswith("Bearer")
        assert "Authorization" in response.json()["error"]["message"]


@pytest.mark.parametrize("change", [str.swapcase, lambda key: key + "x", lambda key: key[:-1]])
async def test_a_wrong_key_is_refused(
    http_without_key: httpx2.AsyncClient, listening: HttpServer, change: Callable[[str], str]
) -> None:
    headers = {"authorization": f"Bearer {change(str(listening.key))}"}
    for method, path in GUARDED:
        assert (await http_without_key.request(method, path, headers=headers)).status_code == 403


async def test_a_request_with_two_keys_is_refused(
    http_without_key: httpx2.AsyncClient, listening: HttpServer
) -> None:
    keys = [("authorization", f"Bearer {each}") for each in (listening.key, "x")]
    for headers in (keys, keys[::-1]):
        assert (await http_without_key.get("/mcp", headers=headers)).status_code == 400


async def test_a_key_that_is_no_text_is_wrong(http_without_key: httpx2.AsyncClient) -> None:
    response = await http_without_key.get("/mcp", headers=[(b"authorization", b"Bearer \xff\xfe")])
    assert response.status_code == 403


async def test_the_name_of_the_scheme_may_be_written_in_any_case(
    http: httpx2.AsyncClient, listening: HttpServer
) -> None:
    headers = {"authorization": f"bearer {listening.key}"}
    assert (await http.post("/mcp", json=DISCOVER, headers=headers)).status_code == 200


async def test_health_needs_no_key_and_contains_no_secret(
    http_without_key: httpx2.AsyncClient,
) -> None:
    response = await http_without_key.get("/health")
    elsewhere = await http_without_key.get("/health", headers={"host": "evil.test"})
    assert response.json() == {"status": "ok", "name": "viewpoint-mcp", "version": __version__}
    assert elsewhere.status_code == 403


# ---- Host and Origin

OURS = ["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:80", "127.1.2.3", "[::1]", "[::1]:80"]
STRANGE = [
    *("evil.test", "localhost.evil.test", "evil.test:80", "127.0.0.1.evil.test", "10.0.0.1"),
    *("[::2]", "user@localhost", "localhost:x", "localhost/x", "0.0.0.0"),
]


@pytest.mark.parametrize(
    ("host", "status"), [*((each, 200) for each in OURS), *((each, 403) for each in STRANGE)]
)
async def test_the_host_header_must_name_loopback(
    http: httpx2.AsyncClient, host: str, status: int
) -> None:
    response = await http.post("/mcp", json=DISCOVER, headers={"host": host})
    assert response.status_code == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        *((f"http://{each}", 200) for each in OURS),
        *((f"http://{each}", 403) for each in STRANGE),
        ("https://localhost", 200),
        ("https://evil.test", 403),
        ("null", 403),
        ("", 403),
        ("localhost", 403),
        ("file://", 403),
        ("chrome-extension://abcdef", 403),
    ],
)
async def test_a_page_that_asks_is_one_of_loopback(
    http: httpx2.AsyncClient, origin: str, status: int
) -> None:
    response = await http.post("/mcp", json=DISCOVER, headers={"origin": origin})
    assert response.status_code == status
    assert "access-control-allow-origin" not in response.headers


async def test_other_hosts_can_be_allowed(open_http: OpenHttp, tmp_path: Path) -> None:
    flags = ("--allowed-hosts=a.test, b.test:8080", "--api-key=sesame")
    async with (
        open_http(*flags, cwd=tmp_path, key="sesame") as server,
        server.http(**sessionless_headers(DISCOVER)) as http,
    ):
        for host, status in [
            ("a.test", 200),
            ("a.test:1", 200),
            ("A.TEST.", 200),
            ("b.test:8080", 200),
            ("b.test", 403),
            ("b.test:8081", 403),
            ("c.a.test", 403),
            ("localhost", 200),
        ]:
            for headers in ({"host": host}, {"origin": f"http://{host}"}):
                response = await http.post("/mcp", json=DISCOVER, headers=headers)
                assert (headers, response.status_code) == (headers, status)


# ---- the start


async def test_the_log_names_the_address_and_how_to_connect(listening: HttpServer) -> None:
    output = listening.stderr
    assert output.startswith(f"Listening on {listening.url}\n")
    client = json.loads(output[output.index("{") : output.rindex("}") + 1])["mcpServers"][
        "viewpoint"
    ]
    assert client == {
        "type": "http",
        "url": f"{listening.url}/mcp",
        "headers": {"Authorization": f"Bearer {listening.key}"},
    }
    assert f"{listening.url}/sse" in output
    assert output.count(str(listening.key)) == 1


async def test_a_given_key_is_neither_logged_nor_returned(
    open_http: OpenHttp, tmp_path: Path
) -> None:
    env = {"VIEWPOINT_MCP_API_KEY": "open-sesame"}
    async with open_http("--log-level=debug", cwd=tmp_path, env=env, key="open-sesame") as server:
        async with server.http(**sessionless_headers(DISCOVER)) as http:
            assert (await http.post("/mcp", json=DISCOVER)).status_code == 200
        async with server.client() as client:
            await client.call("browser_navigate", url="about:blank")
        environment = Path(f"/proc/{find_browser(server.process.pid)}/environ")
        assert b"sesame" not in environment.read_bytes()  # noqa: ASYNC240 - a few lines
        assert await server.stop(signal.SIGINT) == 0
    assert "sesame" not in server.stderr
    assert "Bearer YOUR_API_KEY" in server.stderr
    assert server.process.stdout is not None
    assert await server.process.stdout.read() == b""


async def test_without_keys_any_client_and_host_name_is_accepted(
    open_http: OpenHttp, tmp_path: Path
) -> None:
    async with open_http("--no-auth", "--host=localhost", cwd=tmp_path) as server:
        assert server.key is None
        assert "every program on this machine" in server.stderr
        for address in {str(each[4][0]) for each in socket.getaddrinfo("localhost", server.port)}:
            try:
                socket.create_connection((address, server.port), timeout=5).close()
            except OSError:
                assert ":" in address, "only IPv6 may be switched off"
        async with server.http() as http:
            response = await http.post("/mcp", json=request("initialize", {"protocolVersion": "x"}))
    assert response.json()["result"]["protocolVersion"] == "2025-11-25"


async def test_a_port_in_use_is_one_sentence(listening: HttpServer, tmp_path: Path) -> None:
    status, stdout, stderr = await run(f"--port={listening.port}", "--headless", cwd=tmp_path)
    assert (status, stdout) == (2, "")
    words = " ".join(stderr.split())
    assert f"Cannot listen on 127.0.0.1:{listening.port}: Address already in use" in words
    assert not re.search("Traceback|Bearer|Listening", stderr)


async def test_a_host_that_is_not_here_is_one_sentence(tmp_path: Path) -> None:
    status, _, stderr = await run("--port=0", "--host=192.0.2.1", cwd=tmp_path)
    assert status == 2
    assert "Cannot assign requested address" in " ".join(stderr.split())
