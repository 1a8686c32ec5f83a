"""playwright-cli, a command of npm that saves snapshots as files and prints their names.

Its skill advises to act on refs, or on Playwright's locators, and to read the page with `snapshot`,
or with `find`, which prints the lines around a text. It has no batches, so commands are joined by
`&&`. `--raw` leaves out the state of the page and the code of Playwright, which no step needs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import orjson

from scripts.benchmark.contestants import OFFLINE, VIEWPORT, Workshop
from scripts.reading.servers.adapter import SELECTION, TEXT_ROLE, Adapter, Batch, Build, Call
from scripts.reading.servers.command_lines import (
    CommandLines,
    call_command,
    chain,
    join,
    write_line,
)
from scripts.reading.servers.mcp import YAML_LINE, YAML_NAMELESS
from scripts.reading.steps import Locator, Step

NAME = "playwright-cli"
SEARCHING = "playwright-cli-find"  # the same with `find` in place of `snapshot` where possible
CONTAINER = re.compile(r'(\w+) "(.*)"')


def run(*words: object) -> list[Call]:
    """Return the call of one command."""
    return [call_command(NAME, "--raw", *words)]


def run_code(code: str) -> list[Call]:
    """Return the call that runs code of Playwright, as the skill advises for waiting."""
    return run("run-code", f"async page => {code}")


def write_string(text: object) -> str:
    """Return a text as a string of JavaScript, in single quotes like the locators of the skill."""
    text = str(text).replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{text}'"


def build_ref(locator: Locator, step: Step) -> str:
    """Return a locator of Playwright."""
    name = write_string(locator.name)
    is_text = step.target is not None and TEXT_ROLE in step.target.role.split("|")
    if is_text or locator.role == "generic":
        place = f"getByText({name}, {{ exact: true }})"
    elif locator.name:
        place = f"getByRole('{locator.role}', {{ name: {name}, exact: true }})"
    else:
        place = f"getByRole('{locator.role}')"
    container = CONTAINER.fullmatch(locator.container)
    if container is None:
        return place
    text = write_string(container[2])
    return f"getByRole('{container[1]}').filter({{ hasText: {text} }}).{place}"


def build_fields(step: Step, refs: Sequence[str], _directory: Path) -> list[Call]:
    """Fill several fields, each with a command."""
    pairs = zip(refs, step.fields, strict=True)
    return [call for ref, (_, value) in pairs for call in run("fill", ref, value)]


def answer_dialog(step: Step, _refs: Sequence[str], _directory: Path) -> list[Call]:
    """Answer a dialog, with a text if there is one."""
    answer = "dialog-accept" if step.values["accept"] else "dialog-dismiss"
    return run(answer, *filter(None, [step.values["text"]]))


def wait_for_text(step: Step, state: str = "") -> list[Call]:
    """Wait until a text is visible, or hidden."""
    text = write_string(step.values["text"])
    return run_code(f"page.getByText({text}).first().waitFor({state})")


CALLS: dict[str, Build] = {
    "open": lambda step, _refs, _dir: run("goto", step.values["url"]),
    "click": lambda step, refs, _dir: run(
        "dblclick" if step.values["double"] else "click", refs[0]
    ),
    "hover": lambda _step, refs, _dir: run("hover", refs[0]),
    "type": lambda step, refs, _dir: run(
        "fill", refs[0], step.values["text"], *(["--submit"] if step.values["submit"] else [])
    ),
    "insert": lambda step, _refs, _dir: run("type", step.values["text"]),
    "select_text": lambda step, _refs, _dir: run(
        "eval", SELECTION % json.dumps(step.values["text"])
    ),
    "fill": build_fields,
    "select": lambda step, refs, _dir: run("select", refs[0], step.values["value"]),
    "press": lambda step, _refs, _dir: run("press", step.values["key"]),
    "upload": lambda step, refs, _dir: [
        *run("click", refs[0]),
        *run("upload", step.values["file"]),
    ],
    "dialog": answer_dialog,
    "wait": lambda step, _refs, _dir: wait_for_text(step),
    "wait_gone": lambda step, _refs, _dir: wait_for_text(step, "{ state: 'hidden' }"),
    "find": lambda step, _refs, _dir: run("find", step.values["text"]),
    "evaluate": lambda step, _refs, _dir: run("eval", step.values["function"]),
    "picture": lambda _step, _refs, _dir: run("screenshot"),
}


def build_adapter(*, is_searching: bool) -> Adapter:
    """Return the adapter; `is_searching` if it searches the page for known words first."""
    snapshot = run("snapshot")[0]
    batch = Batch(
        chain,
        lambda result: int(result["done"]),
        build_ref,
        snapshot,
        (lambda text: run("find", text)[0]) if is_searching else None,
    )
    return Adapter(snapshot, YAML_LINE, YAML_NAMELESS, CALLS, batch, write=write_line)


PLAYWRIGHT_CLI = {
    NAME: build_adapter(is_searching=False),
    SEARCHING: build_adapter(is_searching=True),
}


def build_server(name: str, workshop: Workshop, installed: Path) -> CommandLines:
    """Return the command, its browser headless and cut off from the network."""
    directory = workshop.scratch / name
    (directory / ".playwright").mkdir(parents=True)
    flags = [OFFLINE, *(["--no-sandbox"] if workshop.needs_no_sandbox else [])]
    width, height = map(int, VIEWPORT.split("x"))
    browser = {
        "browserName": "chromium",
        "launchOptions": {
            "executablePath": workshop.executable,
            "args": flags,
            "chromiumSandbox": not workshop.needs_no_sandbox,
        },
        "contextOptions": {"viewport": {"width": width, "height": height}},
    }
    file = directory / ".playwright" / "cli.config.json"
    file.write_bytes(orjson.dumps({"browser": browser}))
    environment = {**workshop.environment(), "HOME": str(directory)}
    modules = installed / "node_modules"
    skill = modules / "@playwright" / "cli" / "skills" / NAME / "SKILL.md"
    return CommandLines(
        name,
        directory,
        modules / ".bin",
        environment,
        guide=join("cat", skill),
        first=[join(NAME, "open")],
        last=join(NAME, "close"),
    )
