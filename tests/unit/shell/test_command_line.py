"""Command lines become tool calls, or errors that name the mistake."""

from __future__ import annotations

import json
from typing import Any

import pytest

from viewpoint_mcp.config.secrets import NO_SECRETS
from viewpoint_mcp.shell.commands.catalog import Catalog
from viewpoint_mcp.shell.commands.command_line import (
    Options,
    Surroundings,
    UsageError,
    parse_batch_lines,
    parse_tool_call,
    split_options,
)
from viewpoint_mcp.tools.catalog import list_all_tools

CATALOG = Catalog(list_all_tools())
FIELD = {"name": "Tea", "type": "textbox", "ref": "e1", "value": "Sencha"}
CLIENT = Surroundings("/home/anna/shop", "from stdin", NO_SECRETS)


@pytest.mark.parametrize(
    ("words", "tool", "arguments"),
    [
        (["click", "e12", "--double-click"], "click", {"ref": "e12", "doubleClick": True}),
        (["click", "e1", "--doubleClick=false"], "click", {"ref": "e1", "doubleClick": False}),
        (["click", "e1", "--no-double-click"], "click", {"ref": "e1", "doubleClick": False}),
        (["click", "--target", "e1"], "click", {"ref": "e1"}),
        (["click", "e1", "--modifiers", "Alt", "--modifiers=Shift"], "click",
         {"ref": "e1", "modifiers": ["Alt", "Shift"]}),
        (["browser_click", "e12"], "click", {"ref": "e12"}),
        (["type", "e4", "hello", "--submit"], "type",
         {"ref": "e4", "text": "hello", "submit": True}),
        (["type", "hello"], "type", {"text": "hello"}),
        (["type", "--ref", "e4", "hello"], "type", {"ref": "e4", "text": "hello"}),
        (["type", "e4", ""], "type", {"ref": "e4", "text": ""}),
        (["type", "e4", "--", "--no"], "type", {"ref": "e4", "text": "--no"}),
        (["type", "e4", "-"], "type", {"ref": "e4", "text": "from stdin"}),
        (["type", "e4", "--text=-"], "type", {"ref": "e4", "text": "-"}),
        (["snapshot"], "snapshot", {}),
        (["snapshot", "e3", "--depth", "3"], "snapshot", {"ref": "e3", "depth": 3}),
        (["tabs"], "tabs", {"action": "list"}),
        (["tabs", "select", "1"], "tabs", {"action": "select", "index": 1}),
        (["tabs", "new", "a.test"], "tabs", {"action": "new", "url": "a.test"}),
        (["tabs", "new"], "tabs", {"action": "new"}),
        (["console", "--level", "error"], "console_messages", {"level": "error"}),
        (["open", "a.test"], "navigate", {"url": "a.test"}),
        (["select", "e3", "a", "b"], "select_option", {"ref": "e3", "values": ["a", "b"]}),
        (["mouse-move-xy", "-5", "-.5"], "mouse_move_xy", {"x": -5, "y": -0.5}),
        (["dialog-accept", "Anna"], "handle_dialog", {"accept": True, "promptText": "Anna"}),
        (["emulate", "--geolocation", "null"], "emulate", {"geolocation": None}),
        (["emulate", "--network", "Slow 3G"], "emulate", {"network": "Slow 3G"}),
        (["emulate", "--network", '{"latencyMs": 5}'], "emulate", {"network": {"latencyMs": 5}}),
        (["fill-form", json.dumps(FIELD), json.dumps([FIELD, FIELD])], "fill_form",
         {"fields": [FIELD, FIELD, FIELD]}),
        (["screenshot", "--filename", "a.png"], "take_screenshot",
         {"filename": "/home/anna/shop/a.png"}),
        (["upload", "a.txt", "/b.txt"], "file_upload",
         {"paths": ["/home/anna/shop/a.txt", "/b.txt"]}),
        (["cookie-list", "--path", "/shop"], "cookie_list", {"path": "/shop"}),
    ],
)  # fmt: skip
def test_a_command_line_becomes_a_tool_call(
    words: list[str], tool: str, arguments: dict[str, Any]
) -> None:
    call = parse_tool_call(CATALOG, words, CLIENT)
    assert call == (f"browser_{tool}", arguments)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "The command is missing"),
        (["--depth", "3", "snapshot"], "The command is missing before its flags"),
        (["clik", "e1"], "There is no command clik. Is click meant?"),
        (["sesions"], "Is sessions meant?"),
        (["frobnicate"], "`viewpoint help` lists all."),
        (["run-code-unsafe", "x"], "It needs Playwright. Use browser_batch"),
        (["click"], "click needs REF.\nUsage: viewpoint click REF [--button]"),
        (["drag", "e1"], "drag needs END-REF."),
        (["click", "e1", "e2"], "Unexpected argument 'e2'."),
        (["click", "e1", "--ref", "e2"], "Unexpected argument 'e1'."),
        (["snapshot", "--dept", "3"], "snapshot has no flag --dept. Is --depth meant?"),
        (["snapshot", "-d", "3"], "snapshot has no flag -d."),
        (["snapshot", "--depth"], "--depth needs a value."),
        (["snapshot", "--depth", "--boxes"], "--depth needs a value."),
        (["snapshot", "--depth", "1", "--depth", "2"], "--depth is given twice."),
        (["snapshot", "--depth", "x"], "'depth' of browser_snapshot must be an integer"),
        (["tabs", "open"], "must be one of close, list, new, select, not 'open'"),
        (["fill-form", "e1"], "--fields is JSON, and 'e1' is not"),
    ],
)
def test_a_mistake_is_named(words: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_tool_call(CATALOG, words, CLIENT)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("argv", "options", "rest"),
    [
        (["-s", "a", "click", "e1", "--json"], Options("a", "json"), ["click", "e1"]),
        (["click", "e1", "--session=a"], Options("a", "text"), ["click", "e1"]),
        (["eval", "--raw", "--", "--raw"], Options(None, "raw"), ["eval", "--", "--raw"]),
    ],
)
def test_options_of_all_commands_stand_anywhere(
    argv: list[str], options: Options, rest: list[str]
) -> None:
    assert split_options(argv) == (options, rest)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["click", "e1", "-s"], "-s needs the name of a session."),
        (["-s", "--json", "tabs"], "-s needs the name of a session."),
        (["tabs", "--json", "--raw"], "Choose one of --json, --raw and --file."),
    ],
)
def test_options_that_contradict_are_refused(argv: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        split_options(argv)


def test_lines_become_a_batch() -> None:
    script = "# sign in\n\ntype e1 'Anna B.'\nclick 'button \"Save\"'\n"
    assert parse_batch_lines(CATALOG, script, CLIENT) == (
        "browser_batch",
        {
            "calls": [
                {"tool": "browser_type", "arguments": {"ref": "e1", "text": "Anna B."}},
                {"tool": "browser_click", "arguments": {"ref": 'button "Save"'}},
            ]
        },
    )


@pytest.mark.parametrize(
    ("script", "texts"),
    [
        ("type 'north = 1\n# it\n\nlen(\"x\")'\ntype b\n", ['north = 1\n# it\n\nlen("x")', "b"]),
        ("type \"a \\\" '\nb\" --slowly\ntype 'c\\'\n", ["a \" '\nb", "c\\"]),
        ("type it\\'s\ntype 'b\r\n'\r\n", ["it's", "b\r\n"]),
    ],
)
def test_a_quoted_word_of_a_line_can_contain_line_breaks(script: str, texts: list[str]) -> None:
    calls = parse_batch_lines(CATALOG, script, CLIENT).arguments["calls"]
    assert [each["arguments"]["text"] for each in calls] == texts


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("click e1\nclik e2\n", "Line 2: There is no command clik."),
        ("click 'e1\n", "Line 1: No closing quotation"),
        ("type 'a\nb'\n\nclick 'e1\nclick e2\n", "Line 4: No closing quotation"),
        ("# nothing\n", "reads commands from standard input"),
    ],
)
def test_a_wrong_line_is_named(script: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_batch_lines(CATALOG, script, CLIENT)
