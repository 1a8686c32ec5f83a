"""The form of the corpus: what pages show and what calls give away, in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from viewpoint_mcp.config.secrets import NO_SECRETS, Secrets
from viewpoint_mcp.files.file_access import FileAccess
from viewpoint_mcp.tools.catalog import list_all_tools
from viewpoint_mcp.tools.guards.outflow.outflow_guard import OutflowGuard

TOOLS = {tool.name.removeprefix("browser_"): tool for tool in list_all_tools()}


@dataclass(frozen=True)
class Show:
    """A reply that shows a text of a page."""

    url: str
    text: str


@dataclass(frozen=True)
class Call:
    """A call on a page.

    Args:
        tool: The name of the tool, without `browser_`.
        page: The URL of the page.
    """

    tool: str
    arguments: Mapping[str, Any]
    page: str = "about:blank"


Step: TypeAlias = Show | Call


@dataclass(frozen=True)
class Flow:
    """Steps in their order, with a name for messages."""

    name: str
    steps: tuple[Step, ...]


async def play(flow: Flow, directory: Path, secrets: Secrets = NO_SECRETS) -> list[str]:
    """Return the notes about the calls of a flow, in their order."""
    guard = OutflowGuard("note", secrets, FileAccess(directory, directory, directory))
    notes = []
    for step in flow.steps:
        if isinstance(step, Show):
            guard.remember_reply(step.url, step.text)
        else:
            tool = TOOLS[step.tool]
            args = tool.parse(dict(step.arguments), secrets)
            notes.append(await guard.check(tool, args, step.page))
    return [each for each in notes if each]
