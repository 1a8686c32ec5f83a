"""Replies to calls without a session that need no browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.clients import Client, Server
from viewpoint_mcp.config.settings import Settings


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(Settings(working_dir=tmp_path, screenshot_dir=tmp_path / "shots"))


@pytest.fixture
def client(server: Server) -> Client:
    return server.request()


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("browser_snapshot", {}),
        ("browser_click", {"ref": "e1"}),
        ("browser_tabs", {"action": "list"}),
        ("browser_close", {}),
        ("browser_context_save_storage", {"path": "state.json"}),
        ("browser_storage_state", {}),
        ("browser_set_storage_state", {"filename": "state.json"}),
        ("browser_cookie_list", {}),
        ("browser_cookie_get", {"name": "c"}),
        ("browser_cookie_set", {"name": "c", "value": "1"}),
        ("browser_cookie_delete", {"name": "c"}),
        ("browser_cookie_clear", {}),
        ("browser_localstorage_clear", {}),
        ("browser_route", {"pattern": "**"}),
        ("browser_route_list", {}),
        ("browser_unroute", {}),
        ("browser_network_state_set", {"state": "offline"}),
        ("browser_emulate", {"device": "Pixel 7"}),
        ("browser_network_export_har", {}),
        ("browser_export_script", {}),
        ("browser_start_tracing", {}),
        ("browser_stop_tracing", {}),
        ("browser_live_view", {}),
    ],
)
async def test_a_call_that_acts_must_name_a_context(
    server: Server, client: Client, tool: str, arguments: dict[str, str]
) -> None:
    reply = await client.call(tool, **arguments)
    assert reply.is_error
    assert f"{tool} needs a context" in reply.text
    assert "Pass the handle from the reply of browser_context_create" in reply.text
    assert server.supervisor.running_browser is None


async def test_there_is_nothing_to_switch_to(client: Client) -> None:
    reply = await client.call("browser_context_switch", name="work")
    assert reply.is_error
    assert "Pass the handle as context in each call." in reply.text


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("browser_snapshot", {"context": "default"}),
        ("browser_tabs", {"action": "new", "context": "default"}),
        ("browser_context_close", {"name": "default"}),
        ("browser_context_save_storage", {"name": "default", "path": "state.json"}),
    ],
)
async def test_an_unknown_handle_is_refused(
    server: Server, client: Client, tool: str, arguments: dict[str, str]
) -> None:
    reply = await client.call(tool, **arguments)
    assert reply.is_error
    assert "No context has this handle" in reply.text
    assert server.supervisor.running_browser is None


async def test_a_tool_without_a_context_accepts_none(client: Client) -> None:
    assert (await client.call("browser_context_list")).sections["Result"] == "[]"
    reply = await client.call("list_screenshots")
    assert not reply.is_error


async def test_wrong_arguments_are_reported_before_anything_is_opened(
    server: Server, client: Client
) -> None:
    reply = await client.call("browser_navigate")
    assert reply.is_error
    assert "'url'" in reply.text
    assert server.supervisor.running_browser is None


@pytest.mark.parametrize("shared_context", [False, True])
async def test_sessions_are_isolated_unless_they_share_contexts(
    tmp_path: Path, shared_context: bool
) -> None:
    server = Server(Settings(working_dir=tmp_path, shared_context=shared_context))
    clients = [server.session(), server.session(), server.request()]
    for client in clients:
        await client.call("list_screenshots")
    opened = [client.runner._executor_with_log for client in clients]
    executors = {id(each.executor) for each in opened if each is not None}
    assert len(executors) == (1 if shared_context else len(clients))
