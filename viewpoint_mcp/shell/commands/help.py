"""The help of `viewpoint`, from the documentation of the tools. It needs no server."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator

from msgspec import inspect

from viewpoint_mcp.shell.commands.catalog import Catalog, Command, Parameter
from viewpoint_mcp.shell.commands.command_line import UsageError, split_options
from viewpoint_mcp.shell.commands.tool_documentation import arguments_of, paragraphs_of
from viewpoint_mcp.shell.response import Response
from viewpoint_mcp.tools.catalog import list_all_tools
from viewpoint_mcp.tools.core.argument_errors import describe_type

_HEAD = """\
Usage: viewpoint [-s SESSION] COMMAND [ARGUMENTS] [--json | --raw | --file]

Run one step in a browser, which stays open between commands. Begin with `viewpoint open URL`.
Coding agents: read `viewpoint skill` first.
"""
SERVER_COMMANDS = {
    "help [COMMAND]": "Show the arguments of a command",
    "batch": "Run the commands on standard input, one a line",
    "start [FLAGS]": "Start the browser's server with flags, such as --headed",
    "sessions": "List the open sessions of all workspaces",
    "close [--all]": "Close this session, or all of them, and the browser with the last one",
    "skill": "Print the guide for coding agents",
    "install --skills": "Write a skill for coding agents, after a question",
    "completion SHELL": "Print a script that completes commands in bash, zsh or fish",
}
"""The usage of each command that is no tool, and what it does."""

_OPTIONS = """\
-s NAME  Session to use, isolated from others. VIEWPOINT_SESSION, or "default", if omitted.
--attach-server URL
         Act in a session of this MCP server, started with --shell. VIEWPOINT_ATTACH_SERVER.
--json   Print the result as JSON.
--raw    Print the result without the state of the page.
--file   Print only the paths of the files that the command saved.
Exit status: 0, 1 if the command failed, 2 if the command line is wrong.
"""
_INDENT = "  "


def render_help(argv: list[str]) -> Response:
    """Return the help of a command, or that of all commands.

    Args:
        argv: The command line without the words that ask for help.
    """
    try:
        words = split_options(argv)[1]
    except UsageError as error:
        return Response("", f"{error}\n", 2)
    if not words:
        return Response(_render_overview())
    if words[0] == "start":
        from viewpoint_mcp.cli.start_flags import render_start_help

        return Response(f"{render_start_help()}\n")
    for usage, sentence in SERVER_COMMANDS.items():
        if usage.split()[0] == words[0] != "install":  # `install` is a tool, too
            return Response(f"Usage: viewpoint {usage}\n\n{sentence}.\n")
    catalog = Catalog(list_all_tools())
    found = catalog.find(words[0])
    if found is None:
        return Response("", f"There is no command {words[0]}. `viewpoint help` lists all.\n", 2)
    return Response(_render_command(found[0], catalog.list_aliases(found[0].name)))


def _render_overview() -> str:
    catalog = Catalog(list_all_tools())
    lines = [_HEAD, "Commands:"]
    lines += (f"{_INDENT}{usage:<44}{text}" for usage, text in SERVER_COMMANDS.items())
    group = ""
    for command in catalog.commands.values():
        if command.name == "batch":
            continue
        if command.tool.capability != group:
            group = command.tool.capability
            lines += ["", f"{group.capitalize()}:"]
        aliases = "".join(f", {each}" for each in catalog.list_aliases(command.name))
        lines.append(f"{_INDENT}{command.usage + aliases:<44} {command.tool.title}")
    return "\n".join([*lines, "", _OPTIONS])


def _render_command(command: Command, aliases: list[str]) -> str:
    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    lines = [f"Usage: viewpoint {command.usage} [FLAGS]"]
    if aliases:
        lines.append(f"Also: {', '.join(aliases)}")
    for paragraph in (command.tool.description, *paragraphs_of(command.tool)):
        lines += ["", *textwrap.wrap(paragraph, width)]
    lines += ["", "Arguments:"]
    for usage, text in _list_arguments(command):
        lines += [
            f"{_INDENT}{usage}",
            *textwrap.wrap(text, width, initial_indent=_INDENT * 3, subsequent_indent=_INDENT * 3),
        ]
    return "\n".join([*lines, ""])


def _list_arguments(command: Command) -> Iterator[tuple[str, str]]:
    texts = arguments_of(command.tool.args_type)
    struct_type = inspect.type_info(command.tool.args_type)
    assert isinstance(struct_type, inspect.StructType)
    types = {each.encode_name: each.type for each in struct_type.fields}
    listed = [each for each in command.parameters.values() if each.is_listed]
    for each in (*command.positionals, *(p for p in listed if p not in command.positionals)):
        yield _format_usage(each, describe_type(types[each.name])), texts.get(each.name, "")


def _format_usage(parameter: Parameter, type_description: str) -> str:
    if parameter.kind == "switch":
        return f"--{parameter.flag}"
    return f"--{parameter.flag} ({type_description}{', JSON' * (parameter.kind[:6] == 'object')})"
