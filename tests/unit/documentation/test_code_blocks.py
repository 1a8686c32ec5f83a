"""Each code block of README.md and docs is tested, or marked with `notest`.

docs/testing.md has the table of languages. Tool calls are played in tests/e2e/documentation.
"""

from __future__ import annotations

import itertools
import json
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from cdp_protocol.cli.command import COMMAND_PATHS as CDP_COMMANDS
from tests.code_blocks import DOCUMENTS, ROOT, Block, Document, list_blocks
from viewpoint_mcp.cli.root_command import root_command
from viewpoint_mcp.cli.start_flags import parse_start_flags
from viewpoint_mcp.config.secrets import NO_SECRETS
from viewpoint_mcp.shell.commands.catalog import Catalog
from viewpoint_mcp.shell.commands.command_line import (
    SERVER_COMMANDS,
    Surroundings,
    parse_tool_call,
    split_options,
)
from viewpoint_mcp.shell.skill.command import parse_options
from viewpoint_mcp.tools.catalog import list_all_tools
from viewpoint_mcp.tools.core.args import parse_arguments

BLOCKS = list(list_blocks())
LANGUAGES = {"console", "dotenv", "html", "js", "json", "python", "sh", "text", "yaml"}
# Python that tests run, by document and section.
EXECUTED = {
    ("README.md", "For protocol scripts"): "tests/browser/cdp/documentation/test_tutorial.py",
    ("docs/cdp.md", "Tutorial"): "tests/browser/cdp/documentation/test_tutorial.py",
    ("docs/cdp.md", "The protocol as data"): "tests/browser/cdp/documentation/test_tutorial.py",
    ("docs/cdp.md", "Without asyncio"): "tests/browser/cdp/documentation/test_tutorial.py",
    ("docs/cdp.md", "The command line"): "tests/e2e/cdp_cli/test_cdp_docs.py",
    ("docs/embedding.md", ""): "tests/e2e/protocol/test_embedding.py",
    ("docs/shell.md", "A session"): "tests/e2e/shell/test_guide.py",
}
# Their indented blocks are diagrams.
DRAWN = {"docs/architecture.md", "CHANGELOG.md", "CONTRIBUTING.md"}
SHELL_COMMANDS = Catalog(list_all_tools())
TOOL_ARGUMENTS = {tool.name: tool.args_type for tool in list_all_tools()}


def blocks_in(*languages: str) -> list[Any]:
    chosen = [each for each in BLOCKS if each.language in languages and each.is_tested]
    return [pytest.param(each, id=each.place) for each in chosen]


def test_each_code_block_has_a_language_that_selects_its_test() -> None:
    unknown = [
        each.place
        for each in BLOCKS
        if each.language not in LANGUAGES or not set(each.marks) <= {"notest"}
    ]
    assert unknown == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_and_code_are_fenced(path: Path) -> None:
    name = str(path.relative_to(ROOT))
    if name in DRAWN or name.startswith("docs/decisions/"):
        return
    lines = ["", *Document(path).prose.splitlines()]
    indented = [
        line
        for before, line in itertools.pairwise(lines)
        if line.startswith("    ") and not before.strip()
    ]
    assert indented == []


@pytest.mark.parametrize("block", blocks_in("python", "console"))
def test_python_blocks_are_only_in_documents_whose_blocks_a_test_runs(block: Block) -> None:
    place = (str(block.document.relative_to(ROOT)), block.section)
    assert place in EXECUTED, f"Add a test that runs {block.place}, or mark it with notest."
    assert (ROOT / EXECUTED[place]).exists()


@pytest.mark.parametrize("block", blocks_in("yaml"))
def test_yaml_is_valid(block: Block) -> None:
    yaml.safe_load(block.text)


# ---- JSON


@pytest.mark.parametrize("block", blocks_in("json"))
def test_json_is_accepted_by_the_product(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if block.text.startswith('{"name":'):
        for line in block.text.splitlines():
            call = json.loads(line)
            parse_arguments(TOOL_ARGUMENTS[call["name"]], call["arguments"], tool_name=call["name"])
        return
    value = json.loads(block.text)
    if servers := value.get("mcpServers") or value.get("servers"):
        for server in servers.values():
            accept_server(server)
        return
    file = tmp_path / (block.file or "config.json")
    file.write_text(block.text)
    accept(["--config", file.name])


def accept_server(server: Any) -> None:
    """Accept an entry of a client's configuration."""
    if "url" in server:
        assert server["url"].endswith(("/mcp", "/sse"))
        assert server["headers"]["Authorization"].startswith("Bearer ")
        return
    words = [server["command"], *server["args"]]
    accept(words[words.index("viewpoint-mcp") + 1 :])


# ---- commands


@pytest.mark.usefixtures("loggers")
@pytest.mark.parametrize("block", blocks_in("sh"))
def test_commands_are_accepted_by_the_product(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for each in Document(block.document).blocks:
        if each.file:
            (tmp_path / each.file).parent.mkdir(exist_ok=True)
            (tmp_path / each.file).write_text(each.text)
    for words in commands(block.text):
        for word in words:
            if re.fullmatch(r"[\w-]+\.json", word) and not (tmp_path / word).exists():
                (tmp_path / word).write_text("{}")  # A file that an earlier call wrote.
        accept_command(words)


def commands(text: str) -> Iterator[list[str]]:
    """Yield the words of each command, without comments and assignments."""
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        while words and re.match(r"(export$|\w+=)", words[0]):
            words = words[1:]
        if words:
            yield words


def accept_command(words: Sequence[str]) -> None:
    match words:
        case ["make", *rest]:
            targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
            assert rest[0] in targets
        case ["python", script, *_] if script.endswith(".py"):
            assert (ROOT / script).exists()
        case ["python", "-m", "http.server", *_]:
            pass
        case ["cdp", *rest]:
            assert rest[0] in CDP_COMMANDS
        case ["viewpoint", *rest]:
            accept_shell_command(rest)
        case _ if "viewpoint-mcp" in words:
            accept(words[words.index("viewpoint-mcp") + 1 :])
        case _:
            raise AssertionError(f"{shlex.join(words)}: mark the block with notest.")


def accept_shell_command(words: Sequence[str]) -> None:
    """Parse a command of the shell."""
    _, rest = split_options([each for each in words if each not in ("<", "steps.txt")])
    if rest[:2] == ["install", "--skills"]:
        parse_options(rest)
    elif rest[0] == "start":
        parse_start_flags(rest[1:])
    elif rest[0] not in SERVER_COMMANDS:
        parse_tool_call(SHELL_COMMANDS, rest, Surroundings("/", "", NO_SECRETS))


def accept(flags: Sequence[str]) -> None:
    """Parse the flags as the command line does, and the name of a sub-command."""
    names = [word for word in flags if word in root_command.commands]
    flags = flags[: flags.index(names[0])] if names else flags
    assert not flags or flags[0].startswith("-"), f"{flags[0]} is no sub-command."
    with root_command.make_context("viewpoint-mcp", list(flags)):
        pass
