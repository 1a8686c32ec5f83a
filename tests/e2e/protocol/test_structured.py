"""Structured results: they are valid, and sufficient for a model that sees nothing else."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import OpenHere
from tests.e2e.protocol.answer_shapes import matches
from tests.e2e.support.client import Reply, ServerClient
from tests.site import Site

TOOLS: dict[str, dict[str, Any]] = {
    "browser_tabs": {"action": "list"},
    "browser_context_list": {},
    "browser_network_requests": {},
    "browser_console_messages": {"level": "debug"},
    "list_screenshots": {},
}
PAGE = """<title>Shop</title><h1>Shop</h1>
<script>console.log('one', 1); console.error('two'); fetch('/missing')</script>"""


@pytest.fixture(scope="module")
async def server(
    open_here: OpenHere, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[ServerClient]:
    """Return a server with a budget of 2,000 characters."""
    directory = tmp_path_factory.mktemp("data")
    async with open_here("--snapshot-budget=2000", cwd=directory) as server:
        await server.initialize()
        yield server


async def data(server: ServerClient, tool: str, **arguments: Any) -> tuple[Reply, dict[str, Any]]:
    """Call a tool and return its reply and its data, which is as the tool declares it."""
    schema = (await server.tools())[tool]["outputSchema"]
    assert schema["type"] == "object"
    reply = await server.call(tool, **{**TOOLS[tool], **arguments})
    assert not reply.is_error, reply.text
    found = reply.raw["structuredContent"]
    matches(schema, found)
    return reply, found


async def test_only_tools_with_real_data_declare_some(server: ServerClient) -> None:
    tools = await server.tools()
    assert {name for name, tool in tools.items() if "outputSchema" in tool} == set(TOOLS)
    reply = await server.call("browser_snapshot")
    assert "structuredContent" not in reply.raw


async def test_the_data_equals_the_text(server: ServerClient, site: Site) -> None:
    url = site.page(PAGE)
    await server.call("browser_navigate", url=url)
    await server.call("browser_take_screenshot")
    reply, tabs = await data(server, "browser_tabs")
    assert tabs == {"tabs": [{"index": 0, "title": "Shop", "url": url, "active": True}]}
    assert reply.sections["Result"] == f"- 0: (current) [Shop]({url})"

    reply, found = await data(server, "browser_context_list")
    assert found["contexts"] == json.loads(reply.sections["Result"])

    reply, found = await data(server, "browser_network_requests")
    document, missing = found["requests"]
    assert (document["index"], document["method"], document["url"]) == (1, "GET", url)
    assert (document["status"], document["type"]) == (200, "document")
    assert missing["status"] == 404
    assert len(reply.sections["Result"].splitlines()) == 2

    reply, found = await data(server, "browser_console_messages")
    results = [(each["type"], each["text"]) for each in found["messages"]]
    assert results[:2] == [("log", "one 1"), ("error", "two")]
    assert found["notes"] in reply.sections["Result"]

    reply, found = await data(server, "list_screenshots")
    (shot,) = found["screenshots"]
    link = reply.raw["content"][1]
    assert (shot["name"], shot["uri"], shot["size"]) == (link["name"], link["uri"], link["size"])
    assert (shot["title"], shot["what"], shot["width"]) == ("Shop", "viewport", 1280)


async def test_notes_contain_the_other_sections_of_the_reply(
    server: ServerClient, site: Site
) -> None:
    html = "<title>New</title><h1>New</h1><script>alert('Hello')</script>"
    url = site.page(html, path="/new")
    reply, found = await data(server, "browser_tabs", action="new", url=url)
    for section in ("Page", "Modal state"):
        assert reply.sections[section] in found["notes"]
    assert 'dialog with message "Hello"' in found["notes"]
    await server.call("browser_handle_dialog", accept=True)
    reply, found = await data(server, "browser_tabs", action="close")
    assert [tab["url"] for tab in found["tabs"]] != [url]


async def test_the_data_fits_the_budget_and_says_where_the_rest_is(
    server: ServerClient, site: Site
) -> None:
    script = "for (let i = 0; i < 200; i++) console.log('message', i); "
    many = "".join(f"<iframe src='/frame-{i}'></iframe>" for i in range(60))
    await server.call("browser_navigate", url=site.page(f"<script>{script}</script>{many}"))
    for tool, rows in (
        ("browser_console_messages", "messages"),
        ("browser_network_requests", "requests"),
    ):
        reply, found = await data(server, tool)
        assert found[rows]
        assert len(json.dumps(found, ensure_ascii=False, separators=(",", ":"))) <= 2000
        path = reply.sections["Result"].split(".viewpoint-mcp/")[1].split()[0].rstrip(";")
        assert path in found["notes"]
        assert "are omitted" in found["notes"]
    last = found["requests"][-1]
    assert f"{last['index']}. [GET]" in reply.sections["Result"].splitlines()[-1]


async def test_data_that_was_saved_to_a_file_is_not_repeated(
    server: ServerClient, site: Site, tmp_path: Path
) -> None:
    await server.call("browser_navigate", url=site.page(PAGE))
    for tool, rows in (
        ("browser_console_messages", "messages"),
        ("browser_network_requests", "requests"),
    ):
        reply, found = await data(server, tool, filename=f"{tool}.txt")
        assert found == {rows: [], "notes": reply.sections["Result"]}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("browser_tabs", {"action": "select"}),
        ("browser_network_requests", {"filter": "("}),
        ("list_screenshots", {"cursor": "2"}),
    ],
)
async def test_an_error_fits_the_schema_without_a_list(
    server: ServerClient, tool: str, arguments: dict[str, Any]
) -> None:
    reply = await server.call(tool, **arguments)
    assert reply.is_error
    found = reply.raw["structuredContent"]
    assert found["error"]["code"] == "invalid_argument"
    assert set(found) <= {"error", "notes"}
    matches((await server.tools())[tool]["outputSchema"], found)
