"""Completion at the prompt: domains, commands and events of sessions, parameters of commands."""

from __future__ import annotations

import re
import rlcompleter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from cdp_protocol.session import Session

if TYPE_CHECKING:
    from cdp_protocol.description import Description

_IN_CALL = re.compile(r"\b(?P<domain>[A-Z]\w*)\.(?P<member>\w+)\((?P<given>[^()]*)$")
_IN_QUOTES = re.compile(r"""\w\((?:\w+,\s*)?["']$""")


class Completer:
    """Completes words in a line of Python code that uses CDP sessions.

    Args:
        variables: The variables of the prompt.
        description: The protocol description.
    """

    def __init__(self, variables: dict[str, Any], description: Description) -> None:
        self._variables = variables
        self._description = description
        self._python = rlcompleter.Completer(variables)

    def complete(self, text_before: str, word: str) -> list[str]:
        """Return the completions of a word.

        Args:
            text_before: The line before the word.
            word: The beginning of the word: "page.Net", "ur".
        """
        if _IN_QUOTES.search(text_before):
            members = [*self._description.commands(), *self._description.events()]
            return _names_with_prefix(word, members)
        if "." in word:
            return self._complete_attribute(word)
        return self._complete_parameter(text_before, word) or self._complete_python(word)

    def _complete_attribute(self, word: str) -> list[str]:
        path, _, member = word.rpartition(".")
        domain = path.rpartition(".")[2]
        known = self._description.domains
        if isinstance(self._resolve_dotted_path(path), Session):
            domains = [f"{path}.{name}" for name in _names_with_prefix(member, known)]
            return list(dict.fromkeys([*domains, *self._complete_python(word)]))
        if domain in known and isinstance(
            self._resolve_dotted_path(path.rpartition(".")[0]), Session
        ):
            commands = [each["name"] + "(" for each in known[domain].get("commands", ())]
            events = [each["name"] for each in known[domain].get("events", ())]
            return [f"{path}.{name}" for name in _names_with_prefix(member, [*commands, *events])]
        return self._complete_python(word)

    def _complete_parameter(self, text_before: str, word: str) -> list[str]:
        call = _IN_CALL.search(text_before)
        if call is None:
            return []
        command = self._description.command(f"{call['domain']}.{call['member']}") or {}
        given = set(re.findall(r"(\w+)\s*=", call["given"]))
        names = [each["name"] for each in command.get("parameters", ())]
        return _names_with_prefix(word, [f"{name}=" for name in names if name not in given])

    def _resolve_dotted_path(self, path: str) -> object:
        """Return the object at a dotted path without calling anything; None if none exists."""
        first, *others = path.split(".")
        value = self._variables.get(first)
        for name in others:
            # A session returns a domain for any capitalised name, even if no such domain exists.
            value = getattr(value, name, None)
        return value

    def _complete_python(self, word: str) -> list[str]:
        matches: list[str] = []
        while (match := self._python.complete(word, len(matches))) is not None:
            matches.append(match)
        return [match for match in matches if match.strip()]


def _names_with_prefix(prefix: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(prefix)]
