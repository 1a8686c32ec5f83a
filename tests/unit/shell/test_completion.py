"""Tab completes what the parser of the command line accepts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from viewpoint_mcp.shell.commands.catalog import Catalog
from viewpoint_mcp.shell.commands.command_line import SERVER_COMMANDS
from viewpoint_mcp.shell.completion.candidates import FILES, list_candidates
from viewpoint_mcp.shell.completion.command import RECORDS, run_completion
from viewpoint_mcp.tools.catalog import list_all_tools

COMMANDS = json.loads(Path(RECORDS).read_bytes())
CATALOG = Catalog(list_all_tools())


def complete(*words: str) -> list[str]:
    """Return the candidates without their descriptions."""
    lines = list_candidates(list(words), COMMANDS, lambda: ["anna", "ben"])
    return [line.partition("\t")[0] for line in lines]


def test_each_command_is_a_candidate() -> None:
    assert set(complete("")) == {*CATALOG.names, *SERVER_COMMANDS}
    assert set(complete("help", "")) == set(complete(""))
    assert complete("-s", "anna", "--json", "") == complete("")
    assert complete("--attach-server", "http://127.0.0.1:8931", "") == complete("")
    assert complete("--attach-server", "") == []
    assert "--attach-server" in complete("-")


def test_each_flag_that_the_help_shows_is_a_candidate() -> None:
    for name, command in CATALOG.commands.items():
        if name in SERVER_COMMANDS:
            continue
        listed = [f"--{each.flag}" for each in command.parameters.values() if each.is_listed]
        if name == "install":
            listed += ["--skills", "--agent", "--user", "--yes"]
        assert complete(name, "--") == [*listed, "-s", "--json", "--raw", "--file"]


@pytest.mark.parametrize(
    ("words", "candidates"),
    [
        (["tabs", ""], ["close", "list", "new", "select"]),
        (["browser_tabs", ""], ["close", "list", "new", "select"]),
        (["console", "--level", ""], ["debug", "error", "info", "warning"]),
        (["console", "--level=e"], ["debug", "error", "info", "warning"]),
        (["console", "--level", "=", ""], ["debug", "error", "info", "warning"]),
        (["upload", "a.png", ""], [FILES]),
        (["pdf-save", "--filename", ""], [FILES]),
        (["context-create", "a", "--storage-state", ""], [FILES]),
        (["click", ""], []),
        (["type", "e1", "--submit", "--", ""], []),
        (["start", "--user-data-dir", ""], [FILES]),
        (["click", "--double-click="], ["true", "false"]),
        (["-s", ""], ["anna", "ben"]),
        (["click", "e1", "--session="], ["anna", "ben"]),
        (["close", "-s", ""], ["anna", "ben"]),
        (["close", "--"], ["--all", "-s"]),
        (["sessions", "--"], []),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["no-command", ""], []),
    ],
)
def test_the_candidates_fit_the_words_before(words: list[str], candidates: list[str]) -> None:
    assert complete(*words) == candidates


def test_bash_splits_words_at_colons_without_effect() -> None:
    split = ["http", ":", "//a?b", "=", "c"]
    assert complete("console", *split, "--level", "=", "") == complete("console", "--level=")
    assert complete("tabs", "new", "0", "--url", *split, "--") == complete(
        "tabs", "new", "0", "--url", "http://a?b=c", "--"
    )


def test_a_flag_is_offered_once_unless_it_can_be_repeated() -> None:
    flags = complete("click", "e1", "--double-click", "--modifiers", "Alt", "--")
    assert "--double-click" not in flags
    assert "--modifiers" in flags


def test_an_unknown_shell_is_a_usage_error() -> None:
    assert run_completion(["completion", "tcsh"]).status == 2
    assert run_completion(["completion"]).stderr == "Usage: viewpoint completion bash|zsh|fish\n"
