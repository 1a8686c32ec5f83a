"""Which clients' roots count as directories that they may use."""

from __future__ import annotations

from typing import Any

import pytest

from viewpoint_mcp.config.settings import Listening, Settings
from viewpoint_mcp.tools.catalog import list_all_tools
from viewpoint_mcp.tools.core.args import FILE_ARGUMENTS, list_file_names
from viewpoint_mcp.tools.core.runner import RunnerFactory
from viewpoint_mcp.tools.core.tool import Tool


@pytest.mark.parametrize(
    ("listening", "is_trusted"),
    [
        (None, True),
        (Listening(port=0), True),
        (Listening(port=0, asks_for_key=False), False),
        (Listening(port=0, host="0.0.0.0"), False),
        (Listening(port=0, allowed_hosts=("tools.example",)), False),
    ],
)
def test_only_clients_of_this_machine_and_user_have_roots(
    listening: Listening | None, is_trusted: bool
) -> None:
    factory = RunnerFactory((), Settings(listening=listening))
    assert factory.trusts_client_roots is is_trusted


def test_clients_of_a_server_that_an_embedder_listens_with_have_no_roots() -> None:
    factory = RunnerFactory((), Settings())
    factory.separate_client_contexts()
    assert factory.trusts_client_roots is False


def test_the_files_of_a_call_are_found() -> None:
    tools: dict[str, Tool[Any]] = {tool.name: tool for tool in list_all_tools()}
    calls = {
        "browser_snapshot": {"filename": "a"},
        "browser_file_upload": {"paths": ["a", "b"]},
        "browser_context_create": {"name": "x", "storageState": "a"},
        "browser_context_save_storage": {"path": "a"},
        "browser_click": {"ref": "e1"},
        "browser_cookie_set": {"name": "c", "value": "1", "path": "/of/a/url"},
    }
    found = [list_file_names(tools[name].parse(arguments)) for name, arguments in calls.items()]
    assert found == [["a"], ["a", "b"], ["a"], ["a"], [], []]


def test_no_argument_that_names_a_file_is_forgotten() -> None:
    fields = {field for tool in list_all_tools() for field in tool.args_type.__struct_fields__}
    suspects = {name for name in fields if "file" in name or "path" in name}
    assert suspects - {"url_path"} <= set(FILE_ARGUMENTS)
