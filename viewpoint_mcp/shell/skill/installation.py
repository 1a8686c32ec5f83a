"""Writes the stub to the places of coding agents, and never over a file of someone else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, Literal, NamedTuple

from viewpoint_mcp.shell.skill.agents import Place
from viewpoint_mcp.shell.skill.stub import identify, render_stub

Action = Literal["create", "update", "keep", "refuse"]


class Step(NamedTuple):
    """What is done at a place.

    Attributes:
        action: "keep" is a file that is up to date, and "refuse" one that is not touched.
        reason: Why the place is refused; "" for another action.
    """

    place: Place
    action: Action
    reason: str = ""


_REFUSALS: Final = {
    "foreign": "viewpoint did not write this file. Move it away to install the skill here",
    "edited": "the file was changed after viewpoint wrote it. Remove it to install the skill again",
}


def plan(place: Place) -> Step:
    """Return what is to do at a place."""
    directory = place.path.parent.resolve()
    if not directory.is_relative_to(place.base.resolve()):
        return Step(place, "refuse", f"a link leads out of {place.base}, to {directory}")
    if place.path.is_symlink():
        return Step(place, "refuse", "the file is a link")
    try:
        origin = identify(place.path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Step(place, "create")
    except UnicodeDecodeError:
        origin = "foreign"
    except OSError as error:
        return Step(place, "refuse", f"cannot read it: {error.strerror}")
    if origin in _REFUSALS:
        return Step(place, "refuse", _REFUSALS[origin])
    return Step(place, "keep" if origin == "current" else "update")


def carry_out(step: Step) -> Step:
    """Create or update the file. Return the step, refused if the file cannot be written."""
    path = step.place.path
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if step.action == "create":
            _write_new(path)
        elif step.action == "update":
            _write_new(new)
            new.replace(path)
    except OSError as error:
        new.unlink(missing_ok=True)
        return Step(step.place, "refuse", f"cannot write it: {error.strerror}")
    return step


def _write_new(path: Path) -> None:
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(render_stub())
