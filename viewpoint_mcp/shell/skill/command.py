"""The commands `viewpoint skill` and `viewpoint install --skills`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from viewpoint_mcp import __version__
from viewpoint_mcp.shell.endpoint import find_workspace
from viewpoint_mcp.shell.response import Response
from viewpoint_mcp.shell.skill.agents import AGENTS, find_places
from viewpoint_mcp.shell.skill.installation import Step, carry_out, plan

_NAMES = tuple(each.name for each in AGENTS)
_HELP = f"""\
Usage: viewpoint install --skills [--agent NAME]... [--user] [--yes]

Write a skill for coding agents, which refers them to `viewpoint skill`. A file is written for each
agent that is used in the workspace, or else installed for the user. Files that viewpoint did not
write, or that were changed since, stay as they are.

  --agent NAME  Write for this agent: {", ".join(_NAMES)}. Repeatable.
  --user        Write to the home directory, for all workspaces.
  --yes         Write without a question.
"""
_WORDS = {"create": "new", "update": "update", "keep": "up to date", "refuse": "left as it is"}
_FAILED, _USAGE = 1, 2


class UsageError(Exception):
    """The command line is wrong. The message is for the user."""


class Options(NamedTuple):
    """The options of `viewpoint install --skills`."""

    agents: tuple[str, ...]
    in_home: bool
    has_consent: bool


def run_skill(argv: list[str]) -> Response:
    """Print the guide for coding agents."""
    if argv != ["skill"]:
        return Response("", "Usage: viewpoint skill\n", _USAGE)
    guide = Path(__file__).with_name("guide.md").read_text(encoding="utf-8")
    return Response(guide.replace("\n", f" (version {__version__})\n", 1))


def run_install(argv: list[str]) -> Response:
    """Write the skill for the coding agents that are found or named, with the user's consent.

    Args:
        argv: The command line, with `install` and `--skills`.
    """
    if "--help" in argv or "-h" in argv:
        return Response(_HELP)
    try:
        options = parse_options(argv)
    except UsageError as error:
        return Response("", f"{error}\n{_HELP.partition(chr(10))[0]}\n", _USAGE)
    workspace = Path(find_workspace(os.getcwd(), os.environ))  # noqa: PTH109
    home = Path.home()
    places = find_places(workspace, home, options.agents, in_home=options.in_home)
    if not places:
        where = home if options.in_home else f"{workspace} or {home}"
        return Response(
            "", f"No coding agent was found in {where}. Name one: --agent {_NAMES[0]}\n", _FAILED
        )
    steps = [plan(each) for each in places]
    to_write = [each for each in steps if each.action in ("create", "update")]
    if to_write and not options.has_consent:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            text = f"{_format(steps)}Nothing was written. Add --yes to write these files.\n"
            return Response("", text, _USAGE)
        if not _ask(steps, len(to_write)):
            return Response("Nothing was written.\n")
    done = [carry_out(each) if each in to_write else each for each in steps]
    status = _FAILED if any(each.action == "refuse" for each in done) else 0
    return Response(_format(done), "", status)


def parse_options(argv: list[str]) -> Options:
    """Parse the options of `viewpoint install --skills`.

    Raises:
        UsageError: An option or an agent is unknown.
    """
    agents: list[str] = []
    words = iter(argv)
    for word in words:
        name, has_value, value = word.partition("=")
        if name == "--agent":
            agents.append(value if has_value else next(words, ""))
            if agents[-1] not in _NAMES:
                raise UsageError(f"--agent is one of {', '.join(_NAMES)}.")
        elif word not in ("install", "--skills", "--user", "--yes"):
            raise UsageError(f"install --skills has no option {word}.")
    return Options(tuple(agents), "--user" in argv, "--yes" in argv)


def _ask(steps: Iterable[Step], count: int) -> bool:
    files = "1 file" if count == 1 else f"{count} files"
    sys.stderr.write(f"{_format(steps)}Write {files}? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _format(steps: Iterable[Step]) -> str:
    return "".join(
        f"{each.place.path}  {_WORDS[each.action]}{': ' * bool(each.reason)}{each.reason}  "
        f"({', '.join(each.place.agents)})\n"
        for each in steps
    )
