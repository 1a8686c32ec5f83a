"""Saved files as MCP resources."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.protocol.test_official_client import connect
from tests.e2e.support.client import Message, RpcFailure, ServerClient, StdioClient
from tests.e2e.support.processes import find_descendants

PAGE = (
    "data:text/html,<title>Shop and Co</title><h1>Shop</h1>"
    "<a href='data:image/png;base64,iVBORw0KGgo=' download=photo.png>Photo</a>"
)
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
async def server(
    open_server: StartServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[StdioClient]:
    """Return a server that has saved a download, a snapshot and two screenshots of a page."""
    directory = tmp_path_factory.mktemp("saved")
    async with open_server(cwd=directory) as server:
        await server.initialize()
        page = await server.call("browser_navigate", url=PAGE)
        await server.call("browser_click", ref=page.ref("link", "Photo"))
        await server.call("browser_snapshot", filename=".viewpoint-mcp/page.yml")
        await server.call("browser_take_screenshot", type="jpeg")
        await server.call("browser_take_screenshot", ref="h1")
        yield server


async def resources(server: ServerClient) -> list[Message]:
    listed: list[Message] = (await server.request("resources/list"))["resources"]
    return listed


async def contents(server: ServerClient, uri: str) -> Message:
    (content,) = (await server.request("resources/read", {"uri": uri}))["contents"]
    assert isinstance(content, dict)
    assert content["uri"] == uri
    return content


async def refusal(server: ServerClient, method: str, params: dict[str, Any]) -> RpcFailure:
    with pytest.raises(RpcFailure) as caught:
        await server.request(method, params)
    return caught.value


async def test_the_server_has_the_resources_capability(
    open_server: StartServer, tmp_path: Path
) -> None:
    async with open_server(cwd=tmp_path) as server:
        answer = await server.initialize()
    assert answer["capabilities"]["resources"] == {"subscribe": False, "listChanged": False}


async def test_all_saved_files_except_downloads_are_listed(server: ServerClient) -> None:
    assert (server.cwd / ".viewpoint-mcp" / "photo.png").exists()
    listed = await resources(server)
    assert [(each["title"], each["mimeType"]) for each in listed] == [
        ("Shop and Co (element 'heading \"Shop\"')", "image/png"),
        ("Shop and Co (viewport)", "image/jpeg"),
        ("Shop and Co (snapshot)", "text/yaml"),
    ]
    for each in listed:
        place = ".viewpoint-mcp-screenshots" if "screenshots" in each["uri"] else ".viewpoint-mcp"
        assert each["size"] == (server.cwd / place / each["name"]).stat().st_size
        time = each["annotations"]["lastModified"]
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", time)


async def test_metadata_of_saved_files_is_stored_beside_them(server: ServerClient) -> None:
    shot = (await resources(server))[0]["name"]
    for directory, name in ((".viewpoint-mcp-screenshots", shot), (".viewpoint-mcp", "page.yml")):
        record = json.loads((server.cwd / directory / ".about" / f"{name}.json").read_text())
        assert record["about"]["url"].startswith("data:text/html,")
        assert record["about"]["title"] == "Shop and Co"
        assert record["about"]["context"] == "default"


async def test_saved_files_are_read_unchanged(server: ServerClient) -> None:
    shot, _, snapshot = await resources(server)
    picture = await contents(server, shot["uri"])
    saved = server.cwd / ".viewpoint-mcp-screenshots" / shot["name"]
    assert picture["mimeType"] == "image/png"
    assert base64.b64decode(picture["blob"]) == saved.read_bytes()
    text = await contents(server, snapshot["uri"])
    assert snapshot["uri"] == "viewpoint://output/page.yml"
    assert text["text"] == (server.cwd / ".viewpoint-mcp" / "page.yml").read_text()
    assert 'heading "Shop"' in text["text"]


async def test_a_later_server_has_the_same_and_needs_no_browser(
    server: ServerClient, open_server: StartServer
) -> None:
    listed = await resources(server)
    async with open_server(cwd=server.cwd) as later:
        assert await resources(later) == listed
        blob = (await contents(later, listed[0]["uri"]))["blob"]
        assert base64.b64decode(blob).startswith(PNG)
        assert (await later.request("resources/templates/list"))["resourceTemplates"]
        assert find_descendants(later.process.pid) == {}


@pytest.mark.parametrize(
    "name",
    ["../server-stderr.txt", "%2e%2e/server-stderr.txt", "link.png", ".about/page.yml.json", "x"],
)
async def test_other_files_cannot_be_read(server: ServerClient, name: str) -> None:
    link = server.cwd / ".viewpoint-mcp-screenshots" / "link.png"
    if not link.is_symlink():
        link.symlink_to(server.cwd / "server-stderr.txt")
    for place in ("screenshots", "output"):
        uri = f"viewpoint://{place}/{name}"
        error = await refusal(server, "resources/read", {"uri": uri})
        assert (error.code, error.data) == (-32002, {"uri": uri})


async def test_wrong_params_are_refused(server: ServerClient) -> None:
    assert (await refusal(server, "resources/read", {})).code == -32602
    assert (await refusal(server, "resources/list", {"cursor": "2"})).code == -32602
    assert (await refusal(server, "resources/templates/list", {"cursor": "2"})).code == -32602


async def test_a_file_that_was_removed_is_no_resource(
    server: ServerClient, open_server: StartServer
) -> None:
    page = server.cwd / ".viewpoint-mcp" / "page.yml"
    await server.call("browser_snapshot", filename=".viewpoint-mcp/other.yml")
    newest = (await resources(server))[0]
    assert newest["name"] == "other.yml"
    page.with_name("other.yml").unlink()
    assert "other.yml" not in [each["name"] for each in await resources(server)]
    assert (await refusal(server, "resources/read", {"uri": newest["uri"]})).code == -32002


async def test_the_official_client_reads_them(server: ServerClient, executable: str) -> None:
    for mode in ("auto", "legacy"):
        async with connect(executable, server.cwd, mode) as client:
            templates = await client.list_resource_templates()
            listed = await client.list_resources()
            shot = next(each for each in listed.resources if each.mime_type == "image/png")
            (content,) = (await client.read_resource(shot.uri)).contents
    assert [each.uri_template for each in templates.resource_templates] == [
        "viewpoint://screenshots/{+name}",
        "viewpoint://output/{+name}",
    ]
    blob = content.model_dump()["blob"]
    assert base64.b64decode(blob).startswith(PNG)
