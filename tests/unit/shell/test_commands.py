"""Each tool is a command of the shell, with arguments derived from those of the tool."""

from __future__ import annotations

import msgspec
import pytest

from viewpoint_mcp.shell.commands.catalog import Catalog, Command
from viewpoint_mcp.shell.commands.command_line import SERVER_COMMANDS
from viewpoint_mcp.tools.catalog import list_all_tools

TOOLS = list_all_tools()
CATALOG = Catalog(TOOLS)


def test_each_tool_has_a_command_of_its_own() -> None:
    assert [command.tool for command in CATALOG.commands.values()] == list(TOOLS)


def test_only_batch_has_the_name_of_a_command_of_the_server() -> None:
    assert set(CATALOG.names) & set(SERVER_COMMANDS) == {"batch"}


def test_no_alias_hides_a_command() -> None:
    assert len(CATALOG.names) == len(set(CATALOG.names))
    assert all(CATALOG.find(name) for name in CATALOG.names)


@pytest.mark.parametrize("command", CATALOG.commands.values(), ids=lambda command: command.name)
def test_each_argument_is_a_flag_and_each_required_one_is_positional(command: Command) -> None:
    fields = msgspec.structs.fields(command.tool.args_type)
    assert [each.name for each in command.parameters.values()] == [f.encode_name for f in fields]
    required = {each.encode_name for each in fields if each.required}
    assert required == {each.name for each in command.parameters.values() if each.is_required}
    assert required <= {each.name for each in command.positionals}
    # Only the last one can take several words.
    assert not any(each.is_repeatable for each in command.positionals[:-1])


@pytest.mark.parametrize(
    ("tool", "usage"),
    [
        ("browser_click", "click REF"),
        ("browser_type", "type [REF] TEXT"),
        ("browser_tabs", "tabs [ACTION] [INDEX]"),
        ("browser_select_option", "select-option REF VALUES..."),
        ("browser_drag", "drag START-REF END-REF"),
        ("crop_screenshot", "crop-screenshot NAME X Y WIDTH HEIGHT"),
        ("browser_close", "close-page"),
    ],
)
def test_the_usage_shows_the_positional_arguments(tool: str, usage: str) -> None:
    assert [each.usage for each in CATALOG.commands.values() if each.tool.name == tool] == [usage]
