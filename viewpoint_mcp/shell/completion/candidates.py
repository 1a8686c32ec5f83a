"""The candidates for the next word of a command line, from the records of the commands.

The scripts of the shells run it for each Tab, so it uses the standard library only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

FILES = ":files"
"""The line that stands for the names of files, which shells complete themselves."""

_SESSION_FLAGS = ("-s", "--session")
_SERVER_FLAG = "--attach-server"
_SESSION = {"-s": "Session to use"}
_SERVER = {_SERVER_FLAG: "Address of an MCP server, to act in a session of its clients"}
_FORMS = {
    "--json": "Print the result as JSON",
    "--raw": "Print the result without the state of the page",
    "--file": "Print only the paths of the saved files",
}
_SWITCH_VALUES = ("true", "false")

Records = dict[str, Any]


def list_candidates(
    words: list[str], records: Records, list_sessions: Callable[[], list[str]]
) -> list[str]:
    """Return lines with a candidate, a tab and its description; or the line `FILES`.

    After `--flag=`, a candidate is a value without the flag. The shell removes candidates that do
    not begin with the last word.

    Args:
        words: The words after `viewpoint`. The last one is completed.
        records: See scripts/tool_docs/completion_records.py.
        list_sessions: Returns the names of the open sessions.
    """
    *before, current = _join_words(words) or [""]
    rest = iter(before)
    for word in rest:
        if word in _SESSION_FLAGS:
            if next(rest, None) is None:
                return list_sessions()
        elif word == _SERVER_FLAG:
            if next(rest, None) is None:
                return []
        elif not word.startswith("-"):
            return _Completer(records, word, list_sessions).complete(list(rest), current)
    if current.startswith("--session="):
        return list_sessions()
    is_flag = current.startswith("-")
    return _format(_SESSION | _SERVER | _FORMS if is_flag else _name_commands(records))


class _Completer:
    """Completes the words after the name of a command."""

    def __init__(self, records: Records, name: str, list_sessions: Callable[[], list[str]]) -> None:
        name = name.removeprefix("browser_").replace("_", "-")
        name, *self._preset = records["aliases"].get(name, [name])
        self._records = records
        self._list_sessions = list_sessions
        record = records["commands"].get(name, {})
        self._flags: dict[str, Any] = record.get("flags", {})
        self._positionals: list[str] = record.get("positionals", [])
        self._options = (_SESSION | _FORMS) if record.get("is_tool") else record.get("options", {})

    def complete(self, words: list[str], current: str) -> list[str]:
        """Return the lines for the current word after other words."""
        given: list[str] = []
        positionals, value_of = len(self._preset), ""
        rest = iter(words)
        for word in rest:
            if word == "--":
                return self._complete_positional(positionals + len(list(rest)), given)
            if len(word) < 2 or not word.startswith("-"):
                positionals += 1
                continue
            flag, has_value, _ = word.partition("=")
            given.append(flag.lstrip("-"))
            if not has_value and self._needs_value(flag) and next(rest, None) is None:
                value_of = flag
        flag, has_value, _ = current.partition("=")
        if value_of:
            return self._complete_value(value_of)
        if current.startswith("--") and has_value:
            return self._complete_value(flag)
        if current.startswith("-"):
            return self._complete_flag(given)
        return self._complete_positional(positionals, given)

    def _needs_value(self, flag: str) -> bool:
        if flag in _SESSION_FLAGS:
            return True
        parameter = self._flags.get(flag.lstrip("-"))
        return parameter is not None and parameter["kind"] != "switch"

    def _complete_flag(self, given: list[str]) -> list[str]:
        flags = {
            f"--{name}": each["text"]
            for name, each in self._flags.items()
            if (name not in given or each.get("is_repeatable")) and not each.get("is_positional")
        }
        return _format(flags | self._options)

    def _complete_positional(self, index: int, given: list[str]) -> list[str]:
        names = [name for name in self._positionals if name not in given]
        if index < len(names):
            return self._complete_value(names[index])
        if names and self._flags.get(names[-1], {}).get("is_repeatable"):
            return self._complete_value(names[-1])
        return self._complete_flag(given)

    def _complete_value(self, flag: str) -> list[str]:
        if flag in _SESSION_FLAGS:
            return self._list_sessions()
        parameter = self._flags.get(flag.lstrip("-"), {})
        kind = parameter.get("kind")
        if kind == "file":
            return [FILES]
        if kind == "command":
            return _format(_name_commands(self._records))
        return list(_SWITCH_VALUES if kind == "switch" else parameter.get("values", ()))


def _name_commands(records: Records) -> dict[str, str]:
    commands = {name: each["text"] for name, each in records["commands"].items()}
    return commands | {alias: " ".join(words) for alias, words in records["aliases"].items()}


def _format(candidates: dict[str, str]) -> list[str]:
    return [f"{name}\t{text}" for name, text in candidates.items()]


def _join_words(words: list[str]) -> list[str]:
    """Join a word that consists of `=` or `:` with its neighbours, between which bash splits."""
    return list(_iterate_joined(words))


def _iterate_joined(words: list[str]) -> Iterator[str]:
    joined, is_open = None, False
    for word in words:
        is_break = bool(word) and not word.strip("=:")
        if joined is not None and (is_break or is_open):
            joined += word
        else:
            if joined is not None:
                yield joined
            joined = word
        is_open = is_break
    if joined is not None:
        yield joined
