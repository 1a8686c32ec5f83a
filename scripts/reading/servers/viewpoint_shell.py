"""The command `viewpoint` of this product; several commands are the lines of `viewpoint batch`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from scripts.benchmark.contestants import VIEWPORT, Workshop
from scripts.reading.servers.adapter import Adapter, Batch, Build, Call
from scripts.reading.servers.command_lines import (
    CommandLines,
    call_command,
    find_commands,
    join,
    write_line,
)
from scripts.reading.servers.mcp import OUR_BATCH, YAML_LINE, YAML_NAMELESS
from scripts.reading.steps import Step

NAME = "viewpoint"
PROGRAM = "#!{}\nfrom viewpoint_mcp.shell.client import main\n\nmain()\n"


def run(*words: object) -> list[Call]:
    """Return the call of one command."""
    return [call_command(NAME, *words)]


def fill(step: Step, refs: Sequence[str], _directory: Path) -> list[Call]:
    """Fill several fields, each with a command."""
    pairs = zip(refs, step.fields, strict=True)
    return [call for ref, (_, value) in pairs for call in run("fill", ref, value)]


def answer_dialog(step: Step, _refs: Sequence[str], _directory: Path) -> list[Call]:
    """Answer a dialog, with a text if there is one."""
    answer = "dialog-accept" if step.values["accept"] else "dialog-dismiss"
    return run(answer, *filter(None, [step.values["text"]]))


CALLS: dict[str, Build] = {
    "open": lambda step, _refs, _dir: run("open", step.values["url"]),
    "click": lambda step, refs, _dir: run(
        "click", refs[0], *(["--double-click"] if step.values["double"] else [])
    ),
    "hover": lambda _step, refs, _dir: run("hover", refs[0]),
    "type": lambda step, refs, _dir: run(
        "fill", refs[0], step.values["text"], *(["--submit"] if step.values["submit"] else [])
    ),
    "insert": lambda step, _refs, _dir: run("type", step.values["text"]),
    "select_text": lambda step, refs, _dir: run("select-text", refs[0], step.values["text"]),
    "fill": fill,
    "select": lambda step, refs, _dir: run("select", refs[0], step.values["value"]),
    "press": lambda step, _refs, _dir: run("press", step.values["key"]),
    "upload": lambda step, refs, _dir: [
        *run("click", refs[0]),
        *run("upload", step.values["file"]),
    ],
    "dialog": answer_dialog,
    "wait": lambda step, _refs, _dir: run("wait", step.values["text"]),
    "wait_gone": lambda step, _refs, _dir: run("wait", "--text-gone", step.values["text"]),
    "find": lambda step, _refs, _dir: run("find", step.values["text"]),
    "evaluate": lambda step, _refs, _dir: run("eval", step.values["function"]),
    "picture": lambda _step, _refs, _dir: run("screenshot"),
}


def build_batch(calls: Sequence[Call]) -> Call:
    """Return the call of `viewpoint batch` with a line for each command."""
    lines = [command.removeprefix(f"{NAME} ") for command in find_commands(calls)]
    return ("shell", {"commands": ["\n".join([f"{NAME} batch <<'E'", *lines, "E"])]})


VIEWPOINT_SHELL = Adapter(
    run("snapshot")[0],
    YAML_LINE,
    YAML_NAMELESS,
    CALLS,
    Batch(build_batch, OUR_BATCH.count_done, OUR_BATCH.build_ref),
    # Its reply has the changes of slow work; the snapshot has what an overview omits.
    reads=[*run("wait", "--time", "1"), *run("snapshot")],
    write=write_line,
)


def build_server(workshop: Workshop) -> CommandLines:
    """Return the command of this source tree, with a separate background server."""
    directory, programs = workshop.scratch / NAME, workshop.scratch / "programs"
    directory.mkdir()
    programs.mkdir()
    program = programs / NAME
    program.write_text(PROGRAM.format(sys.executable))
    program.chmod(0o755)
    environment = {
        **workshop.environment(),
        "XDG_RUNTIME_DIR": str(workshop.scratch),
        "VIEWPOINT_WORKSPACE": str(directory),
        "VIEWPOINT_MCP_EXECUTABLE_PATH": workshop.executable,
        "VIEWPOINT_MCP_VIEWPORT_SIZE": VIEWPORT,
        **({"VIEWPOINT_MCP_NO_SANDBOX": "1"} if workshop.needs_no_sandbox else {}),
    }
    return CommandLines(
        NAME,
        directory,
        programs,
        environment,
        guide=join(NAME, "skill"),
        last=join(NAME, "close", "--all"),
    )
