"""The coding agents that read skills, and the directories in which they look for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from viewpoint_mcp.shell.skill.stub import FILE, SKILL

_SHARED = ".agents/skills"


class Agent(NamedTuple):
    """A coding agent.

    Attributes:
        name: The name on the command line.
        skills: The directory of skills, below the workspace and below the home directory.
        workspace_signs: Paths in a workspace that show that the agent is used there.
        home_signs: Paths in the home directory that show that the agent is installed.
    """

    name: str
    skills: str
    workspace_signs: tuple[str, ...]
    home_signs: tuple[str, ...]


# All of them except Claude Code read .agents/skills, so one file there serves them.
AGENTS: Final = (
    Agent("claude", ".claude/skills", (".claude",), (".claude",)),
    Agent("codex", _SHARED, (".codex",), (".codex",)),
    Agent("copilot", _SHARED, (".github/copilot-instructions.md", ".github/skills"), (".copilot",)),
    Agent("cursor", _SHARED, (".cursor",), (".cursor",)),
    Agent("gemini", _SHARED, (".gemini",), (".gemini",)),
    Agent("opencode", _SHARED, (".opencode",), (".config/opencode",)),
    Agent("agents", _SHARED, (".agents",), (".agents",)),
)


class Place(NamedTuple):
    """A place of a skill.

    Attributes:
        base: The workspace or the home directory. Nothing outside is written.
        path: The file.
        agents: The names of the agents that read it.
    """

    base: Path
    path: Path
    agents: tuple[str, ...]


def find_places(workspace: Path, home: Path, names: Iterable[str], *, in_home: bool) -> list[Place]:
    """Return the places for the skill.

    Args:
        names: The agents to write for, whether there is a sign of them or not. If empty, an agent
            gets a place in the workspace if it is used there, else in the home directory if it is
            installed.
        in_home: Use only the home directory.
    """
    chosen = [
        (home if in_home else workspace, each) for each in AGENTS if each.name in set(names)
    ] or list(_find_agents(None if in_home else workspace, home))
    readers: dict[tuple[Path, str], list[str]] = {}
    for base, agent in chosen:
        readers.setdefault((base, agent.skills), []).append(agent.name)
    return [
        Place(base, base / skills / SKILL / FILE, tuple(agents))
        for (base, skills), agents in readers.items()
    ]


def _find_agents(workspace: Path | None, home: Path) -> Iterator[tuple[Path, Agent]]:
    for agent in AGENTS:
        if workspace and any((workspace / sign).exists() for sign in agent.workspace_signs):
            yield workspace, agent
        elif any((home / sign).exists() for sign in agent.home_signs):
            yield home, agent
