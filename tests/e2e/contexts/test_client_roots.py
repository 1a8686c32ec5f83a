"""Roots of the client, in both protocol eras: its files can be read and written."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import OpenHere, StartServer
from tests.e2e.protocol.revision_client import envelope
from tests.e2e.support.client import Reply, ServerClient
from tests.site import Site

FIELD = "<input type=file onchange='document.body.append(this.files[0].name)'>"


async def initialize(server: ServerClient) -> None:
    """Initialize a session of a client that has roots."""
    await server.request(
        "initialize",
        {
            "protocolVersion": "2025-11-25",
            "capabilities": {"roots": {"listChanged": True}},
            "clientInfo": {"name": "tests", "version": "0"},
        },
    )
    await server.notify("notifications/initialized")


async def call_with_roots(
    server: ServerClient, roots: list[Path], tool: str, **arguments: Any
) -> Reply:
    """Call a tool, answer the server's question for the roots, and return the reply."""
    calling = asyncio.create_task(server.call(tool, **arguments))
    asked = await server.receive()
    assert asked["method"] == "roots/list"
    listed = [{"uri": path.as_uri(), "name": path.name} for path in roots]
    await server.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": listed}})
    return await calling


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a root with a file, beside the working directory of the server."""
    (tmp_path / "server").mkdir()
    (tmp_path / "root").mkdir()
    (tmp_path / "root/a.txt").write_text("data")
    return tmp_path / "root"


async def test_files_of_a_root_are_read_and_written(
    open_here: OpenHere, tmp_path: Path, root: Path, site: Site
) -> None:
    async with open_here(cwd=tmp_path / "server") as server:
        await initialize(server)
        await server.call("browser_navigate", url=site.page(FIELD))
        upload = {"paths": [str(root / "a.txt")]}
        reply = await call_with_roots(server, [root], "browser_file_upload", **upload)
        assert "a.txt" in reply.sections["Snapshot"]

        saved = str(root / "page.yml")
        reply = await call_with_roots(server, [root], "browser_snapshot", filename=saved)
        assert not reply.is_error
        assert "a.txt" in (root / "page.yml").read_text()

        steps = [{"tool": "browser_snapshot", "arguments": {"filename": str(root / "b.yml")}}]
        reply = await call_with_roots(server, [root], "browser_batch", calls=steps)
        assert not reply.is_error
        assert (root / "b.yml").exists()


async def test_changed_roots_count_from_the_next_call_on(
    open_here: OpenHere, tmp_path: Path, root: Path, site: Site
) -> None:
    async with open_here(cwd=tmp_path / "server") as server:
        await initialize(server)
        await server.call("browser_navigate", url=site.page(FIELD))
        upload = {"paths": [str(root / "a.txt")]}
        refused = await call_with_roots(
            server, [tmp_path / "elsewhere"], "browser_file_upload", **upload
        )
        assert refused.raw["structuredContent"]["error"]["code"] == "blocked"
        assert f"{tmp_path}/server, " in refused.sections["Error"]
        assert f"{tmp_path}/elsewhere." in refused.sections["Error"]
        await server.notify("notifications/roots/list_changed")
        reply = await call_with_roots(server, [root], "browser_file_upload", **upload)
        assert not reply.is_error


async def test_a_client_that_refuses_to_list_its_roots_has_none(
    open_here: OpenHere, tmp_path: Path, root: Path, site: Site
) -> None:
    async with open_here(cwd=tmp_path / "server") as server:
        await initialize(server)
        await server.call("browser_navigate", url=site.page(FIELD))
        calling = asyncio.create_task(
            server.call("browser_file_upload", paths=[str(root / "a.txt")])
        )
        asked = await server.receive()
        refusal = {"code": -32601, "message": "No roots"}
        await server.send({"jsonrpc": "2.0", "id": asked["id"], "error": refusal})
        reply = await calling
        assert "is outside the directories that the server may read from" in reply.sections["Error"]


async def test_a_client_is_not_asked_for_files_of_the_server(
    open_here: OpenHere, tmp_path: Path, root: Path, site: Site
) -> None:
    async with open_here(cwd=tmp_path / "server") as server:
        await initialize(server)
        await server.call("browser_navigate", url=site.page(FIELD))
        reply = await server.call("browser_snapshot", filename="page.yml")
        assert not reply.is_error


async def test_a_newer_client_repeats_the_call_with_its_roots(
    open_server: StartServer, tmp_path: Path, root: Path, site: Site
) -> None:
    url = site.page(FIELD)
    meta = envelope()
    meta["io.modelcontextprotocol/clientCapabilities"] = {"roots": {}}
    async with open_server(cwd=tmp_path / "server") as server:

        async def call(tool: str, **params: Any) -> dict[str, Any]:
            return await server.request("tools/call", {"name": tool, "_meta": meta, **params})

        await call("browser_navigate", arguments={"url": url})
        saved = {"filename": str(root / "page.yml")}
        asked = await call("browser_snapshot", arguments=saved)
        assert asked["resultType"] == "input_required"
        ((name, question),) = asked["inputRequests"].items()
        assert question["method"] == "roots/list"
        answers = {name: {"roots": [{"uri": root.as_uri()}]}}
        state = {"inputResponses": answers, "requestState": asked["requestState"]}
        done = await call("browser_snapshot", arguments=saved, **state)
        assert not done.get("isError")
        assert (root / "page.yml").exists()
