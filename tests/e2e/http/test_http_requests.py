"""Streamable HTTP without sessions, since 2026-07-28: which status and error each request gets."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from tests.e2e.support.client import Message
from tests.e2e.support.http_client import (
    META,
    SESSION_VERSION,
    SESSIONLESS_VERSION,
    HttpServer,
    error_of,
    request,
    sessionless_headers,
    sessionless_request,
)

LIST = {"name": "list_screenshots", "arguments": {}}
DISCOVER = sessionless_request("server/discover")
CALL = sessionless_request("tools/call", LIST)
READ = sessionless_request("resources/read", {"uri": "viewpoint://output/ü.txt"})


@pytest.fixture(scope="module")
async def http(listening: HttpServer) -> AsyncIterator[httpx2.AsyncClient]:
    async with listening.http() as client:
        yield client


@pytest.mark.parametrize("message", [DISCOVER, sessionless_request("tools/list"), CALL])
async def test_a_request_without_a_session_is_served(
    http: httpx2.AsyncClient, message: Message
) -> None:
    headers = {**sessionless_headers(message), "mcp-session-id": "x", "last-event-id": "7"}
    response = await http.post("/mcp", json=message, headers=headers)
    assert response.status_code == 200
    assert response.json()["result"]["resultType"] == "complete"
    assert "mcp-session-id" not in response.headers


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_there_are_only_posts(http: httpx2.AsyncClient, method: str) -> None:
    response = await http.request(
        method, "/mcp", headers={"mcp-protocol-version": SESSIONLESS_VERSION}
    )
    assert (response.status_code, response.headers["allow"]) == (405, "POST")


def without_key(message: Message, key: str) -> Message:
    meta = {name: value for name, value in message["params"]["_meta"].items() if key not in name}
    return {**message, "params": {**message["params"], "_meta": meta}}


@pytest.mark.parametrize(
    ("message", "status", "code"),
    [
        (without_key(DISCOVER, "clientCapabilities"), 400, -32602),
        (without_key(DISCOVER, "protocolVersion"), 400, -32602),
        (request("server/discover"), 400, -32602),
        (request("tools/list"), 400, -32602),
        (request("tools/list", {"_meta": 7}), 400, -32602),
        ([DISCOVER], 400, -32600),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, 400, -32600),
        (sessionless_request("server/discover", version="2027-01-01"), 400, -32022),
        (sessionless_request("ping"), 404, -32601),
        (sessionless_request("initialize", {"protocolVersion": SESSIONLESS_VERSION}), 404, -32601),
        (sessionless_request("logging/setLevel"), 404, -32601),
        (sessionless_request("tools/call", {"name": "nothing"}), 400, -32602),
        (sessionless_request("resources/read", {"uri": "viewpoint://output/none"}), 400, -32602),
    ],
)
async def test_an_error_without_a_session_is_one_of_http_too(
    http: httpx2.AsyncClient, message: Any, status: int, code: int
) -> None:
    headers = {"mcp-protocol-version": SESSIONLESS_VERSION, "mcp-method": "tools/list"}
    if isinstance(message, dict) and META + "protocolVersion" in str(message):
        headers = sessionless_headers(message)
    response = await http.post("/mcp", json=message, headers=headers)
    assert (response.status_code, error_of(response)["code"]) == (status, code)


async def test_an_unsupported_version_is_reported_with_the_supported_ones(
    http: httpx2.AsyncClient,
) -> None:
    message = sessionless_request("tools/list", version="2027-01-01")
    response = await http.post("/mcp", json=message, headers=sessionless_headers(message))
    data = error_of(response)["data"]
    assert data["requested"] == "2027-01-01"
    assert data["supported"][0] == SESSIONLESS_VERSION


async def test_wrong_arguments_are_a_result(http: httpx2.AsyncClient) -> None:
    message = sessionless_request("tools/call", {"name": "browser_click", "arguments": {"ref": 7}})
    response = await http.post("/mcp", json=message, headers=sessionless_headers(message))
    assert (response.status_code, response.json()["result"]["isError"]) == (200, True)


@pytest.mark.parametrize("version", [SESSIONLESS_VERSION, "2027-01-01"])
async def test_a_notification_is_accepted_in_versions_that_are_served(
    http: httpx2.AsyncClient, version: str
) -> None:
    message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    response = await http.post("/mcp", json=message, headers={"mcp-protocol-version": version})
    assert response.status_code == (202 if version == SESSIONLESS_VERSION else 400)


def in_base64(text: str) -> str:
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


NAME = LIST["name"]


@pytest.mark.parametrize(
    ("message", "changes", "served"),
    [
        (CALL, {}, True),
        (CALL, {"mcp-name": in_base64(str(NAME))}, True),
        (CALL, {"mcp-name": None}, False),
        (CALL, {"mcp-name": "browser_click"}, False),
        (CALL, {"mcp-name": str(NAME).upper()}, False),
        (CALL, {"mcp-name": "=?base64?####?="}, False),
        (CALL, {"mcp-name": in_base64("browser_click")}, False),
        (CALL, {"mcp-name": [NAME, NAME]}, False),
        (CALL, {"mcp-method": None}, False),
        (CALL, {"mcp-method": "tools/list"}, False),
        (CALL, {"mcp-method": ["tools/call", "tools/call"]}, False),
        (CALL, {"mcp-protocol-version": None}, False),
        (CALL, {"mcp-protocol-version": SESSION_VERSION}, False),
        (CALL, {"mcp-protocol-version": "2027-01-01"}, False),
        (CALL, {"mcp-protocol-version": [SESSIONLESS_VERSION, SESSIONLESS_VERSION]}, False),
        (DISCOVER, {"mcp-name": "anything"}, True),
    ],
)
async def test_headers_must_repeat_the_values_in_the_body(
    http: httpx2.AsyncClient, message: Message, changes: dict[str, Any], served: bool
) -> None:
    result = {**sessionless_headers(message), **changes}
    headers = [
        (name, each)
        for name, value in result.items()
        if value is not None
        for each in (value if isinstance(value, list) else [value])
    ]
    response = await http.post("/mcp", json=message, headers=headers)
    if served:
        assert response.status_code == 200
    else:
        assert (response.status_code, error_of(response)["code"]) == (400, -32020)


async def test_a_name_that_a_header_cannot_contain_is_sent_in_base64(
    http: httpx2.AsyncClient,
) -> None:
    result = {**sessionless_headers(READ), "mcp-name": in_base64(READ["params"]["uri"])}
    response = await http.post("/mcp", json=READ, headers=result)
    assert (response.status_code, error_of(response)["code"]) == (400, -32602)


async def test_the_body_is_checked_before_headers_and_those_before_the_version(
    http: httpx2.AsyncClient,
) -> None:
    wrong = {"mcp-protocol-version": "2027-01-01", "mcp-method": "other"}
    incomplete = without_key(DISCOVER, "clientCapabilities")
    response = await http.post("/mcp", json=incomplete, headers=wrong)
    assert error_of(response)["code"] == -32602
    unserved = sessionless_request("server/discover", version="2027-01-01")
    response = await http.post("/mcp", json=unserved, headers=wrong)
    assert error_of(response)["code"] == -32020
