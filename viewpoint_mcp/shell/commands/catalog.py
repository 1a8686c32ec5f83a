"""The commands of the shell, derived from the tools.

The name is that of the tool without `browser_`, with dashes. Required arguments are positional, in
their order, and all arguments are flags.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal

from msgspec import NODEFAULT, Struct, inspect

from viewpoint_mcp.tools.core.args import ARGUMENT_ALIASES, UNLISTED_ARGUMENTS
from viewpoint_mcp.tools.core.argument_errors import unwrap_type
from viewpoint_mcp.tools.core.tool import Tool

ParameterKind = Literal["switch", "number", "text", "texts", "objects", "object", "text or object"]

# `browser_close` closes a tab, and `viewpoint close` a session, with all its tabs.
_NAMES: Final[Mapping[str, str]] = MappingProxyType({"browser_close": "close-page"})

_ALIASES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "open": ("navigate",),
        "goto": ("navigate",),
        "back": ("navigate-back",),
        "forward": ("navigate-forward",),
        "screenshot": ("take-screenshot",),
        "console": ("console-messages",),
        "requests": ("network-requests",),
        "request": ("network-request",),
        "eval": ("evaluate",),
        "press": ("press-key",),
        "select": ("select-option",),
        "upload": ("file-upload",),
        "fill": ("type",),
        "wait": ("wait-for",),
        "pdf": ("pdf-save",),
        "show": ("live-view",),
        "dialog-accept": ("handle-dialog", "true"),
        "dialog-dismiss": ("handle-dialog", "false"),
    }
)

# The positional arguments of commands for which the required ones are not the natural ones. If the
# command line has fewer, the last optional ones are absent.
_POSITIONALS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "browser_snapshot": ("ref",),
        "browser_find": ("text",),
        "browser_take_screenshot": ("ref",),
        "browser_type": ("ref", "text"),
        "browser_drop": ("ref", "paths"),
        "browser_evaluate": ("function", "ref"),
        "browser_console_messages": ("level",),
        "browser_wait_for": ("text",),
        "browser_handle_dialog": ("accept", "promptText"),
        "browser_file_upload": ("paths",),
        "browser_tabs": ("action", "index"),
        "browser_pdf_save": ("filename",),
        "browser_unroute": ("pattern",),
        "browser_storage_state": ("filename",),
        "browser_emulate": ("device",),
        "browser_hide_highlight": ("ref",),
        "browser_start_video": ("filename",),
    }
)
_DEFAULTS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {"browser_tabs": {"action": "list"}}
)
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Parameter(Struct, frozen=True):
    """One argument of a command.

    Attributes:
        name: The argument of the tool, on the wire.
        flag: The flag, without its dashes.
        kind: How its value is written: "switch" has none, "texts" and "objects" can be repeated,
            and objects are JSON.
        is_required: Whether the tool needs it.
        is_nullable: Whether null differs from an absent argument.
        is_listed: Whether the help shows it.
    """

    name: str
    flag: str
    kind: ParameterKind
    is_required: bool
    is_nullable: bool
    is_listed: bool

    @property
    def is_repeatable(self) -> bool:
        """Whether several values can be given."""
        return self.kind in ("texts", "objects")


class Command(Struct, frozen=True):
    """A command of the shell, which calls one tool.

    Attributes:
        parameters: The arguments of the tool, by their flags.
        positionals: The arguments that need no flag, in their order.
        defaults: Values for absent arguments.
    """

    name: str
    tool: Tool[Any]
    parameters: Mapping[str, Parameter]
    positionals: tuple[Parameter, ...]
    defaults: Mapping[str, Any]

    @property
    def usage(self) -> str:
        """The name and the positional arguments, as in `type [REF] TEXT`."""
        return " ".join([self.name, *map(self._format_positional, self.positionals)])

    def needs(self, parameter: Parameter) -> bool:
        """Return whether the command line must have an argument."""
        return parameter.is_required and parameter.name not in self.defaults

    def find_parameter(self, flag: str) -> Parameter | None:
        """Return the argument with a flag, which may be in camelCase or have another known name."""
        flag = to_kebab_case(flag)
        aliases = {to_kebab_case(k): to_kebab_case(v) for k, v in ARGUMENT_ALIASES.items()}
        return self.parameters.get(flag) or self.parameters.get(aliases.get(flag, ""))

    def _format_positional(self, parameter: Parameter) -> str:
        word = parameter.flag.upper() + ("..." if parameter.is_repeatable else "")
        return word if self.needs(parameter) else f"[{word}]"


class Catalog:
    """The commands of all tools that a server offers.

    Attributes:
        commands: The commands by name, in the order of the tools.
    """

    def __init__(self, tools: Iterable[Tool[Any]]) -> None:
        self.commands = {name_command(tool.name): _make_command(tool) for tool in tools}

    @property
    def names(self) -> list[str]:
        """All names and aliases."""
        return [*self.commands, *(a for a, words in _ALIASES.items() if words[0] in self.commands)]

    def find(self, name: str) -> tuple[Command, tuple[str, ...]] | None:
        """Return a command and the arguments that its alias stands for; None for no command.

        Args:
            name: The name, an alias or the name of the tool.
        """
        name = name.removeprefix("browser_").replace("_", "-")
        words = _ALIASES.get(name, (name,))
        command = self.commands.get(words[0])
        return None if command is None else (command, words[1:])

    def list_aliases(self, name: str) -> list[str]:
        """Return the aliases of a command."""
        return [alias for alias, words in _ALIASES.items() if words == (name,)]


def name_command(tool_name: str) -> str:
    """Return the name of the command that calls a tool."""
    return _NAMES.get(tool_name) or tool_name.removeprefix("browser_").replace("_", "-")


def to_kebab_case(name: str) -> str:
    """Return a name in camelCase or snake_case with dashes: `fullPage` becomes `full-page`."""
    return _CAPITAL.sub("-", name).replace("_", "-").lower()


def _make_command(tool: Tool[Any]) -> Command:
    struct_type = inspect.type_info(tool.args_type)
    assert isinstance(struct_type, inspect.StructType)
    parameters = {each.encode_name: _make_parameter(each) for each in struct_type.fields}
    required = tuple(name for name, each in parameters.items() if each.is_required)
    positionals = _POSITIONALS.get(tool.name, required)
    return Command(
        name_command(tool.name),
        tool,
        {each.flag: each for each in parameters.values()},
        tuple(parameters[name] for name in positionals),
        _DEFAULTS.get(tool.name, {}),
    )


def _make_parameter(field: inspect.Field) -> Parameter:
    has_default = not field.required and (
        field.default is not NODEFAULT or field.default_factory is not NODEFAULT
    )
    return Parameter(
        field.encode_name,
        to_kebab_case(field.encode_name),
        _choose_kind(field.type),
        field.required,
        is_nullable=not field.required and not has_default,
        is_listed=field.encode_name not in UNLISTED_ARGUMENTS,
    )


def _choose_kind(declared_type: inspect.Type) -> ParameterKind:
    kind = unwrap_type(declared_type)
    if isinstance(kind, inspect.BoolType):
        return "switch"
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        return "number"
    if isinstance(kind, inspect.ListType):
        return "objects" if _choose_kind(kind.item_type) == "object" else "texts"
    if isinstance(kind, inspect.StructType | inspect.DictType):
        return "object"
    if isinstance(kind, inspect.UnionType):
        kinds = {_choose_kind(each) for each in kind.types if not _is_absence(each)}
        if len(kinds) == 1:
            return kinds.pop()
        return "text or object"
    return "text"


def _is_absence(kind: inspect.Type) -> bool:
    return isinstance(kind, inspect.NoneType) or type(kind).__name__ == "UnsetType"
