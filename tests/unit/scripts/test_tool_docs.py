"""The documentation of tools: nothing is missing, and the examples are those that were played."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.tool_docs.page import TASKS
from scripts.tool_docs.player import read_replies
from scripts.tool_docs.scenario import EXAMPLES
from viewpoint_mcp.shell.commands.tool_documentation import arguments_of, paragraphs_of
from viewpoint_mcp.tools.catalog import list_all_tools
from viewpoint_mcp.tools.core.tool import Tool

EVERY = [pytest.param(tool, id=tool.name) for tool in list_all_tools()]


@pytest.mark.parametrize("tool", EVERY)
def test_every_argument_has_a_long_description(tool: Tool[Any]) -> None:
    texts = arguments_of(tool.args_type)
    assert set(tool.input_schema["properties"]) <= set(texts)
    assert [path for path, text in texts.items() if len(text) < len("Mouse button to use.")] == []


@pytest.mark.parametrize("tool", EVERY)
def test_every_tool_describes_its_reply(tool: Tool[Any]) -> None:
    assert any(paragraph.startswith("Reply: ") for paragraph in paragraphs_of(tool))


def test_nested_arguments_are_described_with_their_paths() -> None:
    tools = {tool.name: tool for tool in list_all_tools()}
    assert "fields[].value" in arguments_of(tools["browser_fill_form"].args_type)
    create = arguments_of(tools["browser_context_create"].args_type)
    assert {"proxy.server", "emulate.userAgent"} <= set(create)


def test_every_tool_belongs_to_one_task() -> None:
    listed = [name for names in TASKS.values() for name in names]
    assert sorted(listed) == sorted(tool.name for tool in list_all_tools())


def test_every_tool_has_an_example() -> None:
    assert {tool.name for tool in list_all_tools()} == {each.tool for each in EXAMPLES if each.note}


def test_the_saved_replies_are_those_of_the_scenario() -> None:
    played = [(each["tool"], each["note"]) for each in read_replies()]
    assert played == [(each.tool, each.note) for each in EXAMPLES], "Run `make docs`."
