"""Requests of 2026-07-28, alone and beside those of earlier revisions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mcp_types._v2026_07_28 as schema  # the schema of that revision, as classes
import pytest
from pydantic import BaseModel

from tests.unit.server.conftest import Client
from viewpoint_mcp.rpc.errors import INVALID_PARAMS, METHOD_NOT_FOUND
from viewpoint_mcp.server.sessionless_protocol import UNSUPPORTED_VERSION

VERSION = "2026-07-28"


def meta(version: object = VERSION) -> dict[str, Any]:
    """The `_meta` of a request."""
    prefix = "io.modelcontextprotocol/"
    return {f"{prefix}protocolVersion": version, f"{prefix}clientCapabilities": {}}


@pytest.mark.parametrize(
    ("method", "params", "kind"),
    [
        ("server/discover", {}, schema.DiscoverResult),
        ("tools/list", {}, schema.ListToolsResult),
        ("tools/call", {"name": "say", "arguments": {}}, schema.CallToolResult),
        ("resources/list", {}, schema.ListResourcesResult),
        ("resources/templates/list", {}, schema.ListResourceTemplatesResult),
        ("resources/read", {"uri": "viewpoint://screenshots/a.png"}, schema.ReadResourceResult),
    ],
)
async def test_a_result_matches_the_schema(
    client: Client, tmp_path: Path, method: str, params: dict[str, Any], kind: type[BaseModel]
) -> None:
    (tmp_path / "shots").mkdir()
    (tmp_path / "shots" / "a.png").write_bytes(b"x")
    result = await client.result(method, {**params, "_meta": meta()})
    kind.model_validate(result)
    assert result["resultType"] == "complete"
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["version"] == "1.2.3"
    assert ("ttlMs" in result, "cacheScope" in result) == ((method != "tools/call"),) * 2


async def test_discovery_lists_all_versions_and_capabilities(client: Client) -> None:
    result = await client.result("server/discover", {"_meta": meta()})
    assert result["supportedVersions"][:2] == [VERSION, "2025-11-25"]
    assert result["capabilities"] == {"tools": {}, "resources": {}}
    assert "browser_snapshot" in result["instructions"]


async def test_a_version_that_is_not_served_is_refused_with_those_that_are(client: Client) -> None:
    error = await client.error("tools/list", {"_meta": meta("2031-01-01")})
    assert error["code"] == UNSUPPORTED_VERSION
    assert error["data"]["requested"] == "2031-01-01"
    assert VERSION in error["data"]["supported"]


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("server/discover", None),
        ("server/discover", {"_meta": {}}),
        ("tools/list", {"_meta": {"io.modelcontextprotocol/protocolVersion": VERSION}}),
        ("tools/list", {"_meta": meta(7)}),
        ("subscriptions/listen", {"notifications": {}}),
    ],
)
async def test_each_request_must_have_the_required_fields(
    client: Client, method: str, params: dict[str, Any] | None
) -> None:
    error = await client.error(method, params)
    assert error["code"] == INVALID_PARAMS
    assert "clientCapabilities" in error["message"]


@pytest.mark.parametrize("method", ["ping", "logging/setLevel", "nothing"])
async def test_methods_that_the_revision_does_not_have_are_unknown(
    client: Client, method: str
) -> None:
    assert (await client.error(method, {"_meta": meta()}))["code"] == METHOD_NOT_FOUND


async def test_initialize_is_always_of_the_earlier_revisions(client: Client) -> None:
    params = {"protocolVersion": VERSION, "_meta": meta()}
    assert (await client.result("initialize", params))["protocolVersion"] == "2025-11-25"


async def test_both_kinds_are_served_side_by_side(client: Client) -> None:
    await client.result("initialize", {"protocolVersion": "2025-06-18"})
    assert "resultType" in await client.result("tools/list", {"_meta": meta()})
    assert "resultType" not in await client.result("tools/list")


@pytest.mark.parametrize(
    ("method", "params"),
    [("tools/call", {"name": "fly"}), ("resources/read", {"uri": "viewpoint://screenshots/no"})],
)
async def test_an_unknown_name_is_an_error_of_the_params(
    client: Client, method: str, params: dict[str, Any]
) -> None:
    assert (await client.error(method, {**params, "_meta": meta()}))["code"] == INVALID_PARAMS
    assert (await client.error(method, params))["code"] in (METHOD_NOT_FOUND, -32002)


async def test_a_subscription_is_acknowledged_and_stays_open_until_it_is_cancelled(
    client: Client,
) -> None:
    client.send("subscriptions/listen", {"notifications": {}, "_meta": meta()}, id="s")
    message = await client.receive()
    schema.SubscriptionsAcknowledgedNotification.model_validate(message)
    assert message["params"]["_meta"] == {"io.modelcontextprotocol/subscriptionId": "s"}
    client.send("notifications/cancelled", {"requestId": "s"})
    assert await client.result("ping") == {}
    assert client.sent.empty()


async def test_a_subscription_ends_in_order_with_the_server(client: Client) -> None:
    client.send("subscriptions/listen", {"notifications": {}, "_meta": meta()}, id="s")
    await client.receive()
    await client.conversation.close()
    answer = await client.receive()
    schema.SubscriptionsListenResult.model_validate(answer["result"])


async def test_a_subscription_must_name_its_notifications(client: Client) -> None:
    error = await client.error("subscriptions/listen", {"_meta": meta()})
    assert error["code"] == INVALID_PARAMS
