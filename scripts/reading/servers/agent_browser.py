"""agent-browser, a command of npm that prints plain text: its commands, and how they are run.

Its guide (`agent-browser skills get core`) advises to act on refs, to name an element by
`find role` or `find text` if there is no ref, and to take a new snapshot afterwards, with
`--delta` if only the changes are needed. It prefers `-i`: these snapshots show the elements to act
on, but no texts and few headings; with `-c` alone they show texts.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

from scripts.benchmark.contestants import OFFLINE, Workshop
from scripts.reading.servers.adapter import (
    SELECTION,
    TEXT_ROLE,
    Adapter,
    Batch,
    Build,
    Call,
    read_text,
)
from scripts.reading.servers.command_lines import (
    CommandLines,
    call_command,
    find_commands,
    join,
    write_line,
)
from scripts.reading.steps import Locator, Step

NAME = "agent-browser"
INTERACTIVE = "agent-browser-interactive"  # the same, but its looks are `-i`, without texts
CHANGES = ["snapshot", "-c", "--delta"]
INTERACTIVE_CHANGES = ["snapshot", "-i", "-c", "--delta"]
SNAPSHOT = [*CHANGES, "--full"]
FIND_ACTIONS = {"click", "hover", "type", "fill"}  # of those that a session has

# A line of a snapshot; in a delta it is quoted as in JSON.
LINE = (
    r"- (?:{role}) (?:\\?\"(?:{name})\\?\"[^\n]*?ref=(\w+)"
    r"|\[[^\]\n]*?ref=(\w+)\]: (?:{name})(?=\"?,?\n))"
)
NAMELESS_LINE = r"- (?:{role}) \[[^\]\n]*?ref=(\w+)"


def run(*commands: Sequence[object]) -> list[Call]:
    """Return a call for each command."""
    return [call_command(NAME, *command) for command in commands]


def act(action: str, ref: str, *values: object) -> list[Call]:
    """Return an action on a ref, or on the element that `build_ref` named."""
    if ref.startswith("xpath="):
        return run([action, ref, *values])
    if not ref.startswith("find "):
        return run([action, f"@{ref}", *values])
    find, kind, *role, name = shlex.split(ref)
    words = ["--name", name] if role else []
    return run([find, kind, *(role or [name]), action, *values, *words, "--exact"])


def build_ref(locator: Locator, step: Step) -> str | None:
    """Return the beginning of a `find` command and the name; it knows no containers.

    `find` cannot double-click, so a text to double-click is named by an XPath.
    """
    if locator.container or not locator.name:
        return None
    is_text = step.target is not None and TEXT_ROLE in step.target.role.split("|")
    if step.values.get("double"):
        is_possible = is_text and '"' not in locator.name
        return f'xpath=//*[normalize-space(text())="{locator.name}"]' if is_possible else None
    if step.action not in FIND_ACTIONS:
        return None
    return shlex.join(["find", *(["text"] if is_text else ["role", locator.role]), locator.name])


def wait_for_document(step: Step) -> list[Call]:
    """Wait for the document that a step opens, as the guide advises: actions do not wait."""
    return run(["wait", "--load", "load"]) if step.leaves else []


def double_click(ref: str) -> list[Call]:
    """Double-click, and wait until the field that this opens has the focus, before keys follow."""
    has_focus = "document.activeElement !== document.body"
    return [*act("dblclick", ref), *run(["wait", "--fn", has_focus])]


def build_fields(step: Step, refs: Sequence[str], _directory: Path) -> list[Call]:
    """Fill several fields, each with a command."""
    pairs = zip(refs, step.fields, strict=True)
    return [call for ref, (_, value) in pairs for call in act("fill", ref, value)]


def answer_dialog(step: Step, _refs: Sequence[str], _directory: Path) -> list[Call]:
    """Answer a dialog, with a text if there is one."""
    answer = "accept" if step.values["accept"] else "dismiss"
    return run(["dialog", answer, *filter(None, [step.values["text"]])])


CALLS: dict[str, Build] = {
    "open": lambda step, _refs, _dir: run(["open", step.values["url"]]),
    "click": lambda step, refs, _dir: [
        *(double_click(refs[0]) if step.values["double"] else act("click", refs[0])),
        *wait_for_document(step),
    ],
    "hover": lambda _step, refs, _dir: act("hover", refs[0]),
    "type": lambda step, refs, _dir: [
        *act("fill", refs[0], step.values["text"]),
        *(run(["press", "Enter"]) if step.values["submit"] else []),
    ],
    "insert": lambda step, _refs, _dir: run(["keyboard", "inserttext", step.values["text"]]),
    "select_text": lambda step, _refs, _dir: run(
        ["eval", f"({SELECTION % json.dumps(step.values['text'])})()"]
    ),
    "fill": build_fields,
    "select": lambda step, refs, _dir: act("select", refs[0], step.values["value"]),
    "press": lambda step, _refs, _dir: [
        *run(["press", step.values["key"]]),
        *wait_for_document(step),
    ],
    "upload": lambda step, _refs, directory: run(
        ["upload", "input[type=file]", directory / str(step.values["file"])]
    ),
    "dialog": answer_dialog,
    "wait": lambda step, _refs, _dir: run(["wait", "--text", step.values["text"]]),
    "wait_gone": lambda step, _refs, _dir: run(
        ["wait", "--fn", f"!document.body.innerText.includes({json.dumps(step.values['text'])})"]
    ),
    "find": lambda _step, _refs, _dir: run(SNAPSHOT),
    "evaluate": lambda step, _refs, _dir: run(["eval", f"({step.values['function']})()"]),
    "picture": lambda _step, _refs, _dir: run(["screenshot"]),
}


def build_batch(calls: Sequence[Call]) -> Call:
    """Return the call of `agent-browser batch`, which takes each command as a quoted word."""
    commands = [command.removeprefix(f"{NAME} ") for command in find_commands(calls)]
    return call_command(NAME, "batch", "--bail", *commands)


def build_adapter(snapshot: Sequence[str], changes: Sequence[str]) -> Adapter:
    """Return the adapter.

    Args:
        snapshot: The command that looks for an element.
        changes: The command that looks at the page after a batch, and for a fact.
    """
    batch = Batch(
        build=build_batch,
        # The results of the commands that were run are separated by empty lines.
        count_done=lambda result: len(read_text(result).split("\n\n")) - 1,
        build_ref=build_ref,
        snapshot=run(changes)[0],
    )
    reads = run(["read"], changes)
    look = run(snapshot)[0]
    return Adapter(look, LINE, NAMELESS_LINE, CALLS, batch, reads=reads, write=write_line)


AGENT_BROWSER = {
    NAME: build_adapter(SNAPSHOT, CHANGES),
    INTERACTIVE: build_adapter(["snapshot", "-c"], INTERACTIVE_CHANGES),
}


def build_server(name: str, workshop: Workshop, installed: Path) -> CommandLines:
    """Return the command, its browser cut off from the network."""
    directory = workshop.scratch / name
    directory.mkdir()
    flags = [OFFLINE, *(["--no-sandbox"] if workshop.needs_no_sandbox else [])]
    environment = {
        **workshop.environment(),
        "HOME": str(directory),
        "AGENT_BROWSER_SOCKET_DIR": str(directory),
        "AGENT_BROWSER_EXECUTABLE_PATH": workshop.executable,
        "AGENT_BROWSER_ARGS": "\n".join(flags),
    }
    programs = installed / "node_modules" / ".bin"
    return CommandLines(
        name,
        directory,
        programs,
        environment,
        guide=join(NAME, "skills", "get", "core"),
        last=join(NAME, "close"),
    )
