"""Streamable HTTP: which status and which error each message gets, in every revision."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import httpx2
import pytest

from tests.e2e.support.client import Message
from tests.e2e.support.http_client import (
    SESSION_VERSION,
    SESSIONLESS_VERSION,
    HttpServer,
    error_of,
    events,
    request,
    sessionless_headers,
    sessionless_request,
)

INITIALIZE = request("initialize", {"protocolVersion": SESSION_VERSION, "capabilities": {}})
PING = request("ping")
TOLD = {"jsonrpc": "2.0", "method": "notifications/initialized"}
DISCOVER = sessionless_request("server/discover")


@pytest.fixture(scope="module")
async def http(listening: HttpServer) -> AsyncIterator[httpx2.AsyncClient]:
    async with listening.http() as client:
        yield client


@pytest.fixture
async def session(http: httpx2.AsyncClient) -> dict[str, str]:
    """Return the headers of a session of 2025-11-25."""
    return await begin(http, SESSION_VERSION)


async def begin(http: httpx2.AsyncClient, version: str) -> dict[str, str]:
    message = request("initialize", {"protocolVersion": version, "capabilities": {}})
    response = await http.post("/mcp", json=message)
    assert response.json()["result"]["protocolVersion"] == version
    return {"mcp-session-id": response.headers["mcp-session-id"], "mcp-protocol-version": version}


# ---- sessions


async def test_initialize_begins_a_session_with_an_unguessable_id(http: httpx2.AsyncClient) -> None:
    ids = [(await begin(http, SESSION_VERSION))["mcp-session-id"] for _ in range(2)]
    assert len(set(ids)) == 2
    assert all(len(each) >= 32 and each.isascii() and each.isprintable() for each in ids)


async def test_a_session_that_is_refused_does_not_begin(http: httpx2.AsyncClient) -> None:
    response = await http.post("/mcp", json=request("initialize", {}))
    assert error_of(response)["code"] == -32602
    assert "mcp-session-id" not in response.headers


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
async def test_every_revision_with_sessions_is_served(
    http: httpx2.AsyncClient, version: str
) -> None:
    response = await http.post("/mcp", json=PING, headers=await begin(http, version))
    assert (response.status_code, response.json()["result"]) == (200, {})


async def test_without_a_version_header_a_session_is_served(
    http: httpx2.AsyncClient, session: dict[str, str]
) -> None:
    del session["mcp-protocol-version"]
    assert (await http.post("/mcp", json=PING, headers=session)).status_code == 200


async def test_batches_are_of_one_revision_alone(http: httpx2.AsyncClient) -> None:
    batch = [request("ping", id=1), TOLD, request("nothing", id=2)]
    served = await http.post("/mcp", json=batch, headers=await begin(http, "2025-03-26"))
    assert [each["id"] for each in served.json()] == [1, 2]
    refused = await http.post("/mcp", json=batch, headers=await begin(http, "2025-06-18"))
    assert (refused.status_code, error_of(refused)["code"]) == (400, -32600)


@pytest.mark.parametrize(
    "message",
    [
        TOLD,
        {"jsonrpc": "2.0", "id": 5, "result": {}},
        {"jsonrpc": "2.0", "method": "notifications/unheard_of"},
    ],
)
async def test_a_message_without_an_answer_is_accepted(
    http: httpx2.AsyncClient, session: dict[str, str], message: Message
) -> None:
    response = await http.post("/mcp", json=message, headers=session)
    assert (response.status_code, response.content) == (202, b"")


async def test_a_batch_of_notifications_is_accepted(http: httpx2.AsyncClient) -> None:
    headers = await begin(http, "2025-03-26")
    response = await http.post("/mcp", json=[TOLD, TOLD], headers=headers)
    assert (response.status_code, response.content) == (202, b"")


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (request("nothing"), -32601),
        (request("tools/call", {"name": "nothing"}), -32601),
        (request("tools/call", {}), -32602),
        (request("resources/read", {"uri": "viewpoint://output/none"}), -32002),
    ],
)
async def test_an_error_of_a_session_is_no_error_of_http(
    http: httpx2.AsyncClient, session: dict[str, str], message: Message, code: int
) -> None:
    response = await http.post("/mcp", json=message, headers=session)
    assert (response.status_code, error_of(response)["code"]) == (200, code)


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
async def test_a_session_must_be_named_and_known(http: httpx2.AsyncClient, method: str) -> None:
    body = PING if method == "POST" else None
    assert (await http.request(method, "/mcp", json=body)).status_code == 400
    stranger = {"mcp-session-id": "x"}
    assert (await http.request(method, "/mcp", headers=stranger, json=body)).status_code == 404


async def test_a_deleted_session_is_unknown(
    http: httpx2.AsyncClient, session: dict[str, str]
) -> None:
    assert (await http.delete("/mcp", headers=session)).status_code == 204
    response = await http.post("/mcp", json=PING, headers=session)
    assert response.status_code == 404
    assert "Begin with initialize" in error_of(response)["message"]


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
async def test_an_unknown_version_is_refused(
    http: httpx2.AsyncClient, session: dict[str, str], method: str
) -> None:
    session["mcp-protocol-version"] = "1999-01-01"
    body = PING if method == "POST" else None
    assert (await http.request(method, "/mcp", headers=session, json=body)).status_code == 400


# ---- forms


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("application/json, text/event-stream", "application/json"),
        ("text/event-stream;q=1, APPLICATION/JSON; q=0.5", "application/json"),
        ("application/json", "application/json"),
        ("application/*", "application/json"),
        ("*/*", "application/json"),
        ("", "application/json"),
        ("text/event-stream", "text/event-stream"),
        ("text/*", "text/event-stream"),
    ],
)
@pytest.mark.parametrize("message", [INITIALIZE, DISCOVER], ids=["initialize", "discover"])
async def test_an_answer_has_a_form_that_the_client_accepts(
    http: httpx2.AsyncClient, message: Message, accept: str, kind: str
) -> None:
    headers = {"accept": accept, **(sessionless_headers(message) if message is DISCOVER else {})}
    async with http.stream("POST", "/mcp", json=message, headers=headers) as response:
        assert response.headers["content-type"] == kind
        if kind == "application/json":
            answers = [json.loads(await response.aread())]
        else:
            answers = [each async for each in events(response)]
    assert [each["id"] for each in answers] == [1]


@pytest.mark.parametrize(
    ("method", "path", "accept"),
    [
        ("POST", "/mcp", "text/html"),
        ("POST", "/mcp", "image/*"),
        ("GET", "/mcp", "application/json"),
        ("GET", "/sse", "application/json"),
    ],
)
async def test_a_request_that_accepts_no_served_type_is_refused(
    http: httpx2.AsyncClient, session: dict[str, str], method: str, path: str, accept: str
) -> None:
    headers = {**session, "accept": accept}
    body = PING if method == "POST" else None
    assert (await http.request(method, path, headers=headers, json=body)).status_code == 406


@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": ""},
        {},
    ],
)
async def test_a_message_without_the_type_of_json_is_refused(
    http: httpx2.AsyncClient, headers: dict[str, str]
) -> None:
    response = await http.post("/mcp", content=json.dumps(INITIALIZE), headers=headers)
    assert response.status_code == 415


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", -32700),
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b"7", -32600),
        (b'{"id":1,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
    ],
)
@pytest.mark.parametrize("version", [SESSION_VERSION, SESSIONLESS_VERSION])
async def test_an_invalid_message_is_refused(
    http: httpx2.AsyncClient, body: bytes, code: int, version: str
) -> None:
    headers = {"content-type": "application/json", "mcp-protocol-version": version}
    response = await http.post("/mcp", content=body, headers=headers)
    assert (response.status_code, error_of(response)["code"]) == (400, code)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("PUT", "/mcp", 405),
        ("OPTIONS", "/mcp", 405),
        ("POST", "/sse", 405),
        ("GET", "/messages", 405),
        ("POST", "/health", 405),
        ("GET", "/", 404),
        ("PUT", "/mcp/", 405),
        ("POST", "/mcp/x", 404),
        ("GET", "/.well-known/oauth-protected-resource", 404),
    ],
)
async def test_other_methods_and_paths_are_refused(
    http: httpx2.AsyncClient, method: str, path: str, status: int
) -> None:
    response = await http.request(method, path)
    assert response.status_code == status
    assert ("allow" in response.headers) == (status == 405)
    assert error_of(response)["message"]
