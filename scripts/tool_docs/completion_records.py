"""The records of the commands of `viewpoint`, from which Tab completes, made from tools and flags.

`generate_docs.py` writes them to viewpoint_mcp/shell/completion/commands.json.
"""

from __future__ import annotations

import json
import re
from typing import Any

import click
from msgspec import inspect

from viewpoint_mcp.cli.start_flags import start_command
from viewpoint_mcp.shell.commands.catalog import Catalog, Command, Parameter
from viewpoint_mcp.shell.commands.command_line import is_file_argument
from viewpoint_mcp.shell.commands.help import SERVER_COMMANDS
from viewpoint_mcp.shell.commands.tool_documentation import arguments_of
from viewpoint_mcp.shell.completion.command import SHELLS
from viewpoint_mcp.shell.skill.agents import AGENTS
from viewpoint_mcp.tools.catalog import list_all_tools
from viewpoint_mcp.tools.core.argument_errors import unwrap_type

_MAX_TEXT = 80  # characters
_SENTENCE = re.compile(r"(?<=[^.][.!?])\s|\.$")
_SESSION = {"-s": "Session to use"}
_INSTALL_FLAGS = {
    "skills": {"kind": "switch", "text": "Write a skill for coding agents"},
    "agent": {
        "kind": "text",
        "text": "Agent to write the skill for",
        "values": [each.name for each in AGENTS],
        "is_repeatable": True,
    },
    "user": {"kind": "switch", "text": "Write the skill to the home directory"},
    "yes": {"kind": "switch", "text": "Write the skill without a question"},
}


def render_records() -> str:
    """Return the records as JSON, with a line for each command."""
    records = make_records()
    lines = [
        f"{json.dumps(name)}: {json.dumps(each, ensure_ascii=False)}"
        for name, each in records["commands"].items()
    ]
    aliases = json.dumps(records["aliases"])
    return f'{{"aliases": {aliases},\n"commands": {{\n' + ",\n".join(lines) + "\n}}\n"


def make_records() -> dict[str, Any]:
    """Return the records.

    `aliases` has the words for which an alias stands. `commands` has for each name its `text`,
    `flags` by name, and the names of its `positionals`, which are flags too. A flag has a `text`,
    a `kind` ("switch", "text", "file", "command"), and perhaps `values` and `is_repeatable`.
    """
    catalog = Catalog(list_all_tools())
    commands = {name: _describe_tool(each) for name, each in catalog.commands.items()}
    commands |= _describe_server_commands()
    commands["install"]["flags"] |= _INSTALL_FLAGS
    found = {name: catalog.find(name) for name in catalog.names if name not in catalog.commands}
    aliases = {alias: [each[0].name, *each[1]] for alias, each in found.items() if each}
    return {"aliases": aliases, "commands": commands}


def _describe_tool(command: Command) -> dict[str, Any]:
    struct_type = inspect.type_info(command.tool.args_type)
    assert isinstance(struct_type, inspect.StructType)
    types = {each.encode_name: each.type for each in struct_type.fields}
    texts = arguments_of(command.tool.args_type)
    return {
        "text": command.tool.title,
        "is_tool": True,
        "positionals": [each.flag for each in command.positionals],
        "flags": {
            each.flag: _describe_parameter(
                command, each, types[each.name], _shorten(texts.get(each.name, ""))
            )
            for each in command.parameters.values()
            if each.is_listed
        },
    }


def _describe_parameter(
    command: Command, parameter: Parameter, declared_type: inspect.Type, text: str
) -> dict[str, Any]:
    kind = "switch" if parameter.kind == "switch" else "text"
    if is_file_argument(command.tool.name, parameter.name):
        kind = "file"
    values = _list_values(declared_type)
    return {
        "kind": kind,
        "text": text,
        **({"values": values} if values else {}),
        **({"is_repeatable": True} if parameter.is_repeatable else {}),
    }


def _list_values(declared_type: inspect.Type) -> list[str]:
    """Return the values of an enumeration, or of a list of them."""
    kind = unwrap_type(declared_type)
    if isinstance(kind, inspect.ListType):
        return _list_values(kind.item_type)
    if isinstance(kind, inspect.UnionType):
        return [value for each in kind.types for value in _list_values(each)]
    return [str(each) for each in kind.values] if isinstance(kind, inspect.LiteralType) else []


def _describe_server_commands() -> dict[str, Any]:
    """Describe the commands that are no tools."""
    records: dict[str, Any] = {}
    for usage, text in SERVER_COMMANDS.items():
        name = usage.split()[0]
        if name != "install":  # It is a tool, too.
            records[name] = {"text": text}
    records["help"] |= _describe_positional("command", {"kind": "command", "text": ""})
    records["completion"] |= _describe_positional(
        "shell", {"kind": "text", "text": "", "values": list(SHELLS)}
    )
    records["start"]["flags"] = _describe_start_flags()
    records["close"] |= {
        "options": _SESSION,
        "flags": {"all": {"kind": "switch", "text": "Close the sessions of all workspaces"}},
    }
    records["batch"]["is_tool"] = True
    return records


def _describe_positional(name: str, parameter: dict[str, Any]) -> dict[str, Any]:
    return {"positionals": [name], "flags": {name: parameter | {"is_positional": True}}}


def _describe_start_flags() -> dict[str, Any]:
    flags: dict[str, Any] = {}
    for option in start_command.params:
        if not isinstance(option, click.Option) or option.hidden:
            continue
        parameter: dict[str, Any] = {"kind": "switch" if option.is_flag else "text"}
        if isinstance(option.type, click.Path):
            parameter["kind"] = "file"
        elif isinstance(option.type, click.Choice):
            parameter["values"] = list(option.type.choices)
        if option.multiple:
            parameter["is_repeatable"] = True
        parameter["text"] = _shorten(option.help or "")
        for name in (*option.opts, *option.secondary_opts):
            flags[name.lstrip("-")] = parameter
    return flags


def _shorten(text: str) -> str:
    """Return the first sentence of a text without its full stop, as far as it fits on a line."""
    sentence = _SENTENCE.split(text, maxsplit=1)[0].removesuffix(".")
    return sentence if len(sentence) <= _MAX_TEXT else f"{sentence[: _MAX_TEXT - 1].rstrip()}…"
