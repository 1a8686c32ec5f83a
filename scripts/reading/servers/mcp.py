"""The MCP servers: the tools and arguments for a step, and the refs in replies."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from scripts.reading.servers.adapter import SELECTION, Adapter, Batch, Build, Call, read_text
from scripts.reading.steps import Step

# A line of a YAML snapshot: the name is quoted, or it is the text at the end.
# An element begins a line, or follows the label of its line or another part of it.
# An element that begins a line may have the text as a part behind others.
YAML_START = r"(?:- '?(?:<\w+> )?|: '?| [|;] )(?:{role})"
YAML_LINE = (
    YAML_START + r"(?:(?: \"(?:{name})\"| \[hint=\"(?:{name})\"\])[^|\n]*?\[ref=(\w+)\]"
    r"|(?: \[[^\]\n]*\])*? \[ref=(\w+)\]"
    r"(?: \[[^\]\n]*\])*'?: [\"']?(?:{name})(?=[\"']?(?:\n|$)| [|;] ))"
    r"|^ *- '?(?:<\w+> )?(?:{role})(?: \[[^\]\n]*\])*? \[ref=(\w+)\]"
    r"(?: \[[^\]\n]*\])*'?: [^\n]*? \| (?:{name})(?='?(?:\n|$)| \| )"
)
YAML_NAMELESS = (
    YAML_START + r"(?: \[[^\]\n]*\])*? \[ref=(\w+)\](?: \[[^\]\n]*\])*(?=[\"']?(?::|\n|$)| [|;] )"
)
FAILED_STEP = re.compile(r"^Step (\d+) \(", re.MULTILINE)  # of the error of browser_batch
UID_NAMELESS = r"uid=(\S+) (?:{role})(?! \")"
UID_TEXT = r"uid=(\S+) \"(?:{name})\""
UID_LINE = r"uid=(\S+) (?:{role})(?: \"(?:{name})\"| [^\n]*value=\"(?:{name})\")"


def build_yaml_calls(ref: str) -> dict[str, Build]:
    """Return the calls for tools with the names of playwright-mcp.

    Args:
        ref: The name of the argument for a ref.
    """
    text = {"text", "submit"}
    return {
        "open": lambda step, _refs, _dir: [("browser_navigate", {"url": step.values["url"]})],
        "click": lambda step, refs, _dir: [
            (
                "browser_click",
                {ref: refs[0]} | ({"doubleClick": True} if step.values["double"] else {}),
            )
        ],
        "hover": lambda _step, refs, _dir: [("browser_hover", {ref: refs[0]})],
        "type": lambda step, refs, _dir: [
            ("browser_type", {ref: refs[0]} | {key: step.values[key] for key in text})
        ],
        "fill": lambda step, refs, _dir: [
            ("browser_fill_form", {"fields": fields(step, refs, ref)})
        ],
        "select": lambda step, refs, _dir: [
            ("browser_select_option", {ref: refs[0], "values": [step.values["value"]]})
        ],
        "press": lambda step, _refs, _dir: [("browser_press_key", {"key": step.values["key"]})],
        "upload": lambda step, refs, directory: [
            ("browser_click", {ref: refs[0]}),
            ("browser_file_upload", {"paths": [str(directory / str(step.values["file"]))]}),
        ],
        "dialog": lambda step, _refs, _dir: [
            (
                "browser_handle_dialog",
                {"accept": step.values["accept"]}
                | ({"promptText": step.values["text"]} if step.values["text"] else {}),
            )
        ],
        "wait": lambda step, _refs, _dir: [("browser_wait_for", {"text": step.values["text"]})],
        "wait_gone": wait_until_gone,
        "find": lambda step, _refs, _dir: [("browser_find", {"text": step.values["text"]})],
        "evaluate": lambda step, _refs, _dir: [
            ("browser_evaluate", {"function": step.values["function"]})
        ],
        "picture": lambda _step, _refs, _dir: [("browser_take_screenshot", {})],
    }


def wait_until_gone(step: Step, _refs: Sequence[str], _directory: Path) -> list[Call]:
    """Wait until a text disappears."""
    return [("browser_wait_for", {"textGone": step.values["text"]})]


def fields(step: Step, refs: Sequence[str], ref: str) -> list[dict[str, object]]:
    """Return the argument `fields` of a form."""
    return [
        {"name": target.name, "type": target.role.split("|")[0], ref: one, "value": value}
        for one, (target, value) in zip(refs, step.fields, strict=True)
    ]


def insert_with_script(step: Step, _refs: Sequence[str], _directory: Path) -> list[Call]:
    """Type at the caret with playwright-mcp, which has no tool for that."""
    code = f"async (page) => page.keyboard.insertText({json.dumps(step.values['text'])})"
    return [("browser_run_code_unsafe", {"code": code})]


def type_and_submit(step: Step, refs: Sequence[str], _directory: Path) -> list[Call]:
    """Fill a field with chrome-devtools-mcp, which presses Enter with another tool."""
    calls: list[Call] = [("fill", {"uid": refs[0], "value": step.values["text"]})]
    return [*calls, ("press_key", {"key": "Enter"})] if step.values["submit"] else calls


DEVTOOLS_CALLS: dict[str, Build] = {
    "open": lambda step, _refs, _dir: [("navigate_page", {"url": step.values["url"]})],
    "click": lambda step, refs, _dir: [
        ("click", {"uid": refs[0]} | ({"dblClick": True} if step.values["double"] else {}))
    ],
    "hover": lambda _step, refs, _dir: [("hover", {"uid": refs[0]})],
    "type": type_and_submit,
    "insert": lambda step, _refs, _dir: [("type_text", {"text": step.values["text"]})],
    "select_text": lambda step, _refs, _dir: [
        ("evaluate_script", {"function": SELECTION % json.dumps(step.values["text"])})
    ],
    "fill": lambda step, refs, _dir: [
        (
            "fill_form",
            {
                "elements": [
                    {"uid": uid, "value": value}
                    for uid, (_, value) in zip(refs, step.fields, strict=True)
                ]
            },
        )
    ],
    "select": lambda step, refs, _dir: [("fill", {"uid": refs[0], "value": step.values["value"]})],
    "press": lambda step, _refs, _dir: [("press_key", {"key": step.values["key"]})],
    "upload": lambda step, refs, directory: [
        ("upload_file", {"uid": refs[0], "filePaths": [str(directory / str(step.values["file"]))]})
    ],
    "dialog": lambda step, _refs, _dir: [
        (
            "handle_dialog",
            {"action": "accept" if step.values["accept"] else "dismiss"}
            | ({"promptText": step.values["text"]} if step.values["text"] else {}),
        )
    ],
    "wait": lambda step, _refs, _dir: [("wait_for", {"text": [step.values["text"]]})],
    "wait_gone": lambda _step, _refs, _dir: [("take_snapshot", {})],  # it has no such tool
    "find": lambda _step, _refs, _dir: [("take_snapshot", {})],
    "evaluate": lambda step, _refs, _dir: [
        ("evaluate_script", {"function": step.values["function"]})
    ],
    "picture": lambda _step, _refs, _dir: [("take_screenshot", {})],
}

OUR_BATCH = Batch(
    build=lambda calls: (
        "browser_batch",
        {"calls": [{"tool": tool, "arguments": arguments} for tool, arguments in calls]},
    ),
    count_done=lambda result: (
        int(found[1]) - 1 if (found := FAILED_STEP.search(read_text(result))) else 0
    ),
    build_ref=lambda locator, _step: str(locator),
)

MCP_ADAPTERS = {
    "viewpoint-mcp": Adapter(
        ("browser_snapshot", {}),
        YAML_LINE,
        YAML_NAMELESS,
        {
            **build_yaml_calls("ref"),
            "insert": lambda step, _refs, _dir: [("browser_type", {"text": step.values["text"]})],
            "select_text": lambda step, refs, _dir: [
                ("browser_select_text", {"ref": refs[0], "text": step.values["text"]})
            ],
        },
        batch=OUR_BATCH,
        # Its reply has the changes of slow work; the snapshot has what an overview omits.
        reads=[("browser_wait_for", {"time": 1}), ("browser_snapshot", {})],
    ),
    "playwright-mcp": Adapter(
        ("browser_snapshot", {}),
        YAML_LINE,
        YAML_NAMELESS,
        {
            **build_yaml_calls("target"),
            "insert": insert_with_script,
            "select_text": lambda step, _refs, _dir: [
                ("browser_evaluate", {"function": SELECTION % json.dumps(step.values["text"])})
            ],
            "picture": lambda _step, _refs, _dir: [("browser_take_screenshot", {"scale": "css"})],
        },
    ),
    "chrome-devtools-mcp": Adapter(
        ("take_snapshot", {}), UID_LINE, UID_NAMELESS, DEVTOOLS_CALLS, text_pattern=UID_TEXT
    ),
}
