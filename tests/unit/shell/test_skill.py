"""The skill for coding agents is written to their directories, and over no other file."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
import yaml

from viewpoint_mcp import __version__
from viewpoint_mcp.shell.client import run
from viewpoint_mcp.shell.commands.catalog import Catalog
from viewpoint_mcp.shell.commands.command_line import SERVER_COMMANDS
from viewpoint_mcp.shell.response import Response
from viewpoint_mcp.shell.skill.agents import AGENTS
from viewpoint_mcp.shell.skill.stub import identify, render_stub
from viewpoint_mcp.tools.catalog import list_all_tools

CLAUDE = Path(".claude/skills/viewpoint/SKILL.md")
SHARED = Path(".agents/skills/viewpoint/SKILL.md")


class Machine:
    """A workspace and a home directory."""

    def __init__(self, directory: Path) -> None:
        self.workspace = directory / "shop"
        self.home = directory / "home"
        for each in (self.workspace, self.home):
            each.mkdir()
        (self.workspace / ".git").mkdir()

    def list_files(self) -> set[Path]:
        """Return the files of both, relative to the directory of both."""
        top = self.home.parent
        return {path.relative_to(top) for path in top.rglob("*") if not path.is_dir()}


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Return a machine without agents, whose workspace is the working directory."""
    machine = Machine(tmp_path)
    monkeypatch.chdir(machine.workspace)
    monkeypatch.setenv("HOME", str(machine.home))
    monkeypatch.delenv("VIEWPOINT_WORKSPACE", raising=False)
    return machine


def install(*options: str) -> Response:
    return run(["install", "--skills", *options])


def test_the_guide_fits_into_6000_characters_and_names_its_version() -> None:
    guide = run(["skill"]).stdout
    assert len(guide) <= 6000
    assert guide.startswith(f"# viewpoint: a browser in the shell (version {__version__})\n")


def test_comments_and_sentences_of_the_guide_name_existing_commands_and_flags() -> None:
    guide = run(["skill"]).stdout
    catalog = Catalog(list_all_tools())
    lines = re.findall(r"^viewpoint (?!start|-s)([a-z-]+)(.*)$", guide, re.MULTILINE)
    assert len(lines) > 20
    for name, rest in [*lines, *re.findall(r"`viewpoint ([a-z-]+)([^`]*)`", guide)]:
        found = catalog.find(name)
        assert found or name in SERVER_COMMANDS
        for flag in re.findall(r"--([a-z-]+)", rest):
            assert flag in ("raw", "all") or (found and found[0].find_parameter(flag)), flag


def test_the_stub_fits_into_1500_characters_and_has_what_agents_read() -> None:
    stub = render_stub()
    assert len(stub) <= 1500
    front = yaml.safe_load(stub.split("---\n")[1])
    # The limits of the specification of Agent Skills.
    assert set(front) == {"name", "description"}
    assert re.fullmatch(r"[a-z0-9-]{1,64}", front["name"])
    assert front["name"] == CLAUDE.parent.name
    assert len(front["description"]) <= 1024
    assert "viewpoint skill" in stub


def test_agents_that_are_used_here_or_installed_get_the_skill(machine: Machine) -> None:
    for sign in (".claude", ".cursor"):
        (machine.workspace / sign).mkdir()
    for sign in (".claude", ".gemini"):
        (machine.home / sign).mkdir()
    response = install("--yes")
    assert response.status == 0
    assert response.stdout.splitlines() == [
        f"{machine.workspace / CLAUDE}  new  (claude)",
        f"{machine.workspace / SHARED}  new  (cursor)",
        f"{machine.home / SHARED}  new  (gemini)",
    ]
    assert (machine.workspace / CLAUDE).read_text() == render_stub()
    assert machine.list_files() == {
        *(Path("shop") / CLAUDE, Path("shop") / SHARED, Path("home") / SHARED)
    }


def test_the_home_directory_alone_can_get_the_skill(machine: Machine) -> None:
    (machine.workspace / ".claude").mkdir()
    (machine.home / ".codex").mkdir()
    assert install("--user", "--yes").status == 0
    assert machine.list_files() == {Path("home") / SHARED}


@pytest.mark.parametrize("agent", [each.name for each in AGENTS])
def test_a_named_agent_gets_the_skill_without_a_sign_of_it(machine: Machine, agent: str) -> None:
    assert install("--agent", agent, "--yes").status == 0
    expected = CLAUDE if agent == "claude" else SHARED
    assert machine.list_files() == {Path("shop") / expected}


def test_nothing_is_written_without_an_agent(machine: Machine) -> None:
    response = install("--yes")
    assert response.status == 1
    assert "No coding agent was found" in response.stderr
    assert "--agent claude" in response.stderr
    assert machine.list_files() == set()


def test_nothing_is_written_without_consent(machine: Machine) -> None:
    response = install("--agent", "claude")  # pytest has no terminal on stdin
    assert response.status == 2
    assert str(machine.workspace / CLAUDE) in response.stderr
    assert "Add --yes" in response.stderr
    assert machine.list_files() == set()


def test_a_second_run_changes_nothing_and_needs_no_consent(machine: Machine) -> None:
    install("--agent", "claude", "--yes")
    written = (machine.workspace / CLAUDE).stat()
    response = install("--agent", "claude")
    assert (response.status, "up to date" in response.stdout) == (0, True)
    assert (machine.workspace / CLAUDE).stat() == written


def test_the_file_of_another_version_is_updated(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("--agent", "claude", "--yes")
    path = machine.workspace / CLAUDE
    path.write_text(make_older(path.read_text()))
    assert "update" in install("--agent", "claude", "--yes").stdout
    assert path.read_text() == render_stub()
    assert [each.name for each in path.parent.iterdir()] == ["SKILL.md"]


def make_older(stub: str) -> str:
    """Return a stub as another version would have written it."""
    text, _, _ = stub.replace("Before the first command", "First").rpartition("\n<!--")
    mark = stub[stub.rindex("<!--") :]
    digest = hashlib.sha256(text.encode()).hexdigest()
    return f"{text}\n{re.sub(r'[0-9a-f]{64}', digest, mark)}"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text.replace("real Chromium", "Chromium"), "was changed after"),
        (lambda text: f"{text}\nA note.\n", "was changed after"),
        (lambda text: "---\nname: viewpoint\n---\n", "did not write this file"),
        (lambda text: "\0\xff", "did not write this file"),
    ],
    ids=["edited", "continued", "foreign", "binary"],
)
def test_a_file_of_someone_else_is_left_as_it_is(
    machine: Machine, change: object, reason: str
) -> None:
    assert callable(change)
    path = machine.workspace / CLAUDE
    path.parent.mkdir(parents=True)
    content = change(render_stub()).encode("latin-1")
    path.write_bytes(content)
    response = install("--agent", "claude", "--agent", "codex", "--yes")
    assert response.status == 1
    assert reason in response.stdout
    assert path.read_bytes() == content
    assert (machine.workspace / SHARED).read_text() == render_stub()


def test_no_link_is_followed_out_of_the_workspace(machine: Machine, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (machine.workspace / ".claude").symlink_to(outside)
    response = install("--yes")
    assert response.status == 1
    assert f"a link leads out of {machine.workspace}, to {outside}" in response.stdout
    assert list(outside.iterdir()) == []


def test_a_file_that_is_a_link_is_not_written(machine: Machine, tmp_path: Path) -> None:
    target = tmp_path / "target.md"
    target.write_text(make_older(render_stub()))
    path = machine.workspace / CLAUDE
    path.parent.mkdir(parents=True)
    path.symlink_to(target)
    assert "the file is a link" in install("--yes").stdout
    assert target.read_text() != render_stub()


def test_a_directory_that_cannot_be_made_is_reported(machine: Machine) -> None:
    (machine.workspace / ".claude").touch()
    response = install("--agent", "claude", "--yes")
    assert response.status == 1
    assert "left as it is: cannot" in response.stdout


def test_a_wrong_option_is_a_usage_error(machine: Machine) -> None:
    for options in (["--agent", "vim"], ["--agent"], ["--force"]):
        assert install(*options).status == 2
    assert install("--agent", "vim").stderr.startswith("--agent is one of claude, codex")
    assert machine.list_files() == set()


def test_the_mark_survives_other_ends_of_lines() -> None:
    assert identify(render_stub().replace("\n", "\r\n")) == "current"
    assert identify(make_older(render_stub()).replace("\n", "\r\n")) == "outdated"
