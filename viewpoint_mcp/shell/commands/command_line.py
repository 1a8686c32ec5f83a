"""Parser of the command line of `viewpoint`, which runs in the server."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

from viewpoint_mcp.config.secrets import Secrets
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.shell.commands.catalog import Catalog, Command, Parameter
from viewpoint_mcp.tools.catalog import list_all_tools
from viewpoint_mcp.tools.core.tool import UnknownTool

OutputForm = Literal["text", "json", "raw", "file"]

SERVER_COMMANDS: Final = ("start", "sessions", "close", "batch", "help", "completion", "skill")
"""The commands that are not tools."""

_FORMS: Final[Mapping[str, OutputForm]] = MappingProxyType(
    {"--json": "json", "--raw": "raw", "--file": "file"}
)
_STDIN = "-"
_NUMBER = re.compile(r"-\.?\d")
# The arguments that are files of this machine. `path` of a cookie or a request is none.
_FILE_ARGUMENTS: Final = frozenset({"filename", "paths"})
_FILE_ARGUMENTS_OF_TOOL: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "browser_context_create": frozenset({"storageState"}),
        "browser_context_save_storage": frozenset({"path"}),
        "browser_route": frozenset({"path"}),
    }
)


class UsageError(Exception):
    """The command line is wrong. The message is for the user."""


class Surroundings(NamedTuple):
    """The environment of a client.

    Attributes:
        cwd: The directory to which names of files are relative.
        stdin: The text that an argument `-` stands for.
    """

    cwd: str
    stdin: str
    secrets: Secrets


class Options(NamedTuple):
    """The options of all commands.

    Attributes:
        session: The name after `-s`; None for none.
    """

    session: str | None
    form: OutputForm


class ToolCall(NamedTuple):
    """A parsed command.

    Attributes:
        tool: The name of the tool.
        arguments: The arguments of the tool by their names on the wire.
    """

    tool: str
    arguments: dict[str, Any]


def split_options(argv: Sequence[str]) -> tuple[Options, list[str]]:
    """Split a command line into the options of all commands and the rest.

    Raises:
        UsageError: `-s` has no name, or several forms of the output are requested.
    """
    session, forms, rest = None, set[OutputForm](), list[str]()
    words = iter(argv)
    for word in words:
        if word == "--":
            rest += [word, *words]
        elif word in ("-s", "--session") or word.startswith("--session="):
            session = word.partition("=")[2] or next(words, "")
            if not session or session.startswith("-"):
                raise UsageError("-s needs the name of a session.")
        elif word in _FORMS:
            forms.add(_FORMS[word])
        else:
            rest.append(word)
    if len(forms) > 1:
        raise UsageError("Choose one of --json, --raw and --file.")
    return Options(session, forms.pop() if forms else "text"), rest


def parse_tool_call(catalog: Catalog, words: Sequence[str], client: Surroundings) -> ToolCall:
    """Parse a command and its arguments, without the options of all commands.

    Raises:
        UsageError: The command is unknown, or its arguments do not fit its tool.
    """
    if not words or words[0].startswith("-"):
        raise UsageError("The command is missing before its flags. `viewpoint help` lists all.")
    found = catalog.find(words[0])
    if found is None:
        raise UsageError(_describe_unknown_command(words[0], catalog))
    command, preset = found
    parser = _ArgumentParser(command, client)
    arguments = {**command.defaults, **parser.parse([*preset, *words[1:]])}
    try:
        command.tool.parse(arguments, client.secrets)
    except CallError as error:
        raise UsageError(f"{error}\n{_describe_usage(command)}") from None
    return ToolCall(command.tool.name, arguments)


def parse_batch_lines(catalog: Catalog, script: str, client: Surroundings) -> ToolCall:
    """Parse lines of commands as one batch. Empty lines and lines that begin with `#` are skipped.

    A word in quotes can contain line breaks.

    Raises:
        UsageError: A line is no command, or there is none.
    """
    calls = []
    for number, command in _split_commands(script):
        try:
            words = shlex.split(command, comments=False)
            if not words:
                continue
            call = parse_tool_call(catalog, words, client)
        except (UsageError, ValueError) as error:
            raise UsageError(f"Line {number}: {error}\nNo command was run.") from None
        calls.append({"tool": call.tool, "arguments": call.arguments})
    if not calls:
        raise UsageError("viewpoint batch reads commands from standard input, one a line.")
    return ToolCall("browser_batch", {"calls": calls})


def is_file_argument(tool_name: str, argument: str) -> bool:
    """Return whether an argument of a tool is a file of this machine."""
    names = _FILE_ARGUMENTS_OF_TOOL.get(tool_name, frozenset())
    return argument in _FILE_ARGUMENTS or argument in names


def _split_commands(script: str) -> Iterator[tuple[int, str]]:
    """Yield each command and the number of its first line."""
    lines = enumerate(script.split("\n"), 1)
    for number, line in lines:
        if line.lstrip().startswith("#"):
            continue
        parts = [line]
        quote = _find_open_quote(line, "")
        while quote and (following := next(lines, None)):
            parts.append(following[1])
            quote = _find_open_quote(following[1], quote)
        yield number, "\n".join(parts)


def _find_open_quote(line: str, quote: str) -> str:
    """Return the quote that is open at the end of a line; "" for none.

    Args:
        quote: The quote that is open at the beginning of the line.
    """
    is_escaped = False
    for character in line:
        if is_escaped:
            is_escaped = False
        elif character == "\\" and quote != "'":
            is_escaped = True
        elif quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
    return quote


class _ArgumentParser:
    """Converts the words after a command to the arguments of its tool."""

    def __init__(self, command: Command, client: Surroundings) -> None:
        self._command = command
        self._client = client
        self._arguments: dict[str, Any] = {}

    def parse(self, words: Sequence[str]) -> dict[str, Any]:
        positional: list[str] = []
        rest = iter(words)
        for word in rest:
            if word == "--":
                positional += rest
            elif word.startswith("-") and word != _STDIN and not _NUMBER.match(word):
                self._parse_flag(word, rest)
            else:
                positional.append(word)
        self._set_positionals(positional)
        missing = [
            each.flag
            for each in self._command.parameters.values()
            if self._command.needs(each) and each.name not in self._arguments
        ]
        if missing:
            raise self._fail(f"{self._command.name} needs {' and '.join(map(str.upper, missing))}.")
        return self._arguments

    def _parse_flag(self, word: str, rest: Iterator[str]) -> None:
        flag, has_value, value = word.lstrip("-").partition("=")
        parameter = self._command.find_parameter(flag)
        if parameter is None and flag.startswith("no-") and not has_value:
            parameter = self._command.find_parameter(flag.removeprefix("no-"))
            if parameter is not None and parameter.kind == "switch":
                self._arguments[parameter.name] = False
                return
        if parameter is None or not word.startswith("--"):
            raise self._fail(self._describe_unknown_flag(word.partition("=")[0]))
        if parameter.kind == "switch":
            self._arguments[parameter.name] = _parse_word(value) if has_value else True
            return
        if not has_value:
            following = next(rest, None)
            if following is None or following.startswith("--"):
                raise self._fail(f"--{parameter.flag} needs a value.")
            value = self._client.stdin if following == _STDIN else following
        self._set(parameter, value)

    def _set_positionals(self, words: Sequence[str]) -> None:
        parameters = self._choose_positionals(words)
        for index, word in enumerate(words):
            is_after_last = index >= len(parameters)
            if is_after_last and not (parameters and parameters[-1].is_repeatable):
                raise self._fail(f"Unexpected argument {word!r}.")
            text = self._client.stdin if word == _STDIN else word
            self._set(parameters[-1] if is_after_last else parameters[index], text)

    def _choose_positionals(self, words: Sequence[str]) -> list[Parameter]:
        """Return the arguments that positional words set: required ones, and optional ones for
        which words are left."""
        command = self._command
        chosen = [each for each in command.positionals if each.name not in self._arguments]
        if command.tool.name == "browser_tabs" and words[:1] == ["new"]:
            chosen = [command.parameters["action"], command.parameters["url"]]
        for each in reversed(chosen):
            if len(chosen) > len(words) and not command.needs(each):
                chosen.remove(each)
        return chosen

    def _set(self, parameter: Parameter, text: str) -> None:
        value = self._convert(parameter, text)
        if parameter.is_repeatable:
            values = value if isinstance(value, list) else [value]
            self._arguments.setdefault(parameter.name, []).extend(values)
        elif parameter.name in self._arguments:
            raise self._fail(f"--{parameter.flag} is given twice.")
        else:
            self._arguments[parameter.name] = value

    def _convert(self, parameter: Parameter, text: str) -> Any:
        if parameter.is_nullable and text == "null":
            return None
        is_json = parameter.kind in ("object", "objects") or (
            parameter.kind == "text or object" and text.lstrip().startswith("{")
        )
        if is_json:
            try:
                return json.loads(text)
            except ValueError as error:
                raise self._fail(
                    f"--{parameter.flag} is JSON, and {text!r} is not: {error}."
                ) from (None)
        if parameter.kind in ("switch", "number"):
            return _parse_word(text)
        is_file = is_file_argument(self._command.tool.name, parameter.name)
        return self._resolve(text) if is_file else text

    def _resolve(self, name: str) -> str:
        """Return the path of a file that the client names. An empty name stays, for its error."""
        return os.path.join(self._client.cwd, name) if name else name  # noqa: PTH118

    def _describe_unknown_flag(self, word: str) -> str:
        listed = [f"--{each.flag}" for each in self._command.parameters.values() if each.is_listed]
        similar = get_close_matches(f"--{word.lstrip('-')}", listed, 1)
        question = f" Is {similar[0]} meant?" if similar else ""
        return f"{self._command.name} has no flag {word}.{question}"

    def _fail(self, message: str) -> UsageError:
        return UsageError(f"{message}\n{_describe_usage(self._command)}")


def _parse_word(text: str) -> bool | float | str:
    """Return the value of a boolean or a number; the text if it is neither."""
    if text in ("true", "false"):
        return text == "true"
    for number in (int, float):
        with suppress(ValueError):
            return number(text)
    return text


def _describe_usage(command: Command) -> str:
    flags = "".join(
        f" [--{each.flag}]"
        for each in command.parameters.values()
        if each.is_listed and each not in command.positionals
    )
    return f"Usage: viewpoint {command.usage}{flags}"


def _describe_unknown_command(name: str, catalog: Catalog) -> str:
    if hint := UnknownTool(f"browser_{name.removeprefix('browser_').replace('-', '_')}").hint:
        return f"There is no command {name}. {hint}"
    if found := Catalog(list_all_tools()).find(name):  # the MCP server of the session lacks it
        capability = found[0].tool.capability
        flag = "another --tools" if capability == "core" else f"--caps={capability}"
        return f"This server does not offer {name}. Start it with {flag}."
    similar = get_close_matches(name, [*SERVER_COMMANDS, *catalog.names])
    question = f"Is {' or '.join(similar)} meant?" if similar else "`viewpoint help` lists all."
    return f"There is no command {name}. {question}"
