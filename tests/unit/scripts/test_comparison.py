"""The comparison with other servers: what counts as a difference, and which reasons it demands."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.comparison import devtools_table, playwright_table
from scripts.comparison.differences import Difference, compare_objects
from scripts.comparison.peers import (
    Equivalent,
    read_chrome_devtools_mcp,
    read_equivalents,
    read_playwright_mcp,
    read_reasons,
)
from viewpoint_mcp.tools.catalog import list_all_tools

PLAYWRIGHT, DEVTOOLS = read_playwright_mcp(), read_chrome_devtools_mcp()
OURS = {tool.name: tool for tool in list_all_tools()}
REASONS, EQUIVALENTS = read_reasons(), read_equivalents()
TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 1, "maximum": 5}


def differences(peer: dict[str, Any], ours: dict[str, Any], *required: str) -> list[Difference]:
    """Compare objects with these properties.

    Args:
        required: Names of required arguments, with `peer.` or `ours.` before them.
    """
    objects = []
    for side, properties in (("peer", peer), ("ours", ours)):
        names = [name for each in required for where, name in [each.split(".")] if where == side]
        objects.append({"type": "object", "properties": properties, "required": names})
    return list(compare_objects(objects[0], objects[1], {"target": "ref"}))


def devtools_mistakes(**entries: Equivalent | None) -> list[str]:
    """Return the mistakes with other entries for some tools of chrome-devtools-mcp."""
    changed = {name: entry for name, entry in (EQUIVALENTS | entries).items() if entry}
    return devtools_table.compare_tools(DEVTOOLS, OURS, changed)[1]


def playwright_mistakes(**reasons: dict[str, str]) -> list[str]:
    """Return the mistakes with other reasons for some tools of playwright-mcp."""
    return playwright_table.compare_tools(PLAYWRIGHT, OURS, REASONS | reasons)[1]


@pytest.mark.parametrize(
    ("peer", "ours", "text", "is_narrower"),
    [
        ({"type": "number"}, {"type": "integer"}, "integer instead of number", True),
        ({"type": "integer"}, {"type": "number"}, "number instead of integer", False),
        (TEXT, {"type": "boolean"}, "boolean instead of string", True),
        ({"type": "integer"}, COUNT, "from 1 to 5", True),
        (COUNT, {"type": "integer"}, "any number", False),
        ({**COUNT, "maximum": 9}, COUNT, "from 1 to 5", True),
        ({**COUNT, "maximum": 3}, COUNT, "from 1 to 5", False),
        ({**TEXT, "enum": ["a"]}, {**TEXT, "enum": ["a", "b"]}, "also `b`", False),
        ({**TEXT, "enum": ["a", "b"]}, {**TEXT, "enum": ["a"]}, "without `b`", True),
        (TEXT, {**TEXT, "enum": ["a"]}, "only `a`", True),
        ({**TEXT, "enum": ["a"]}, TEXT, "any text", False),
        ({"anyOf": [COUNT, {"type": "null"}]}, {**COUNT, "minimum": 0}, "from 0 to 5", False),
    ],
)
def test_values_differ(
    peer: dict[str, Any], ours: dict[str, Any], text: str, is_narrower: bool
) -> None:
    assert differences({"x": peer}, {"x": ours}) == [Difference("x", text, is_narrower)]


def test_the_largest_integer_is_no_limit_and_equal_values_do_not_differ() -> None:
    peer = {"type": "integer", "exclusiveMinimum": 0, "maximum": 2**53 - 1}
    assert differences({"x": peer}, {"x": {"type": "integer", "minimum": 1}}) == []


def test_one_of_several_types_must_accept_the_value() -> None:
    choice = {"anyOf": [COUNT, {"anyOf": [{"type": "boolean"}, TEXT, {"type": "null"}]}]}
    assert differences({"x": TEXT}, {"x": choice}) == []
    [found] = differences({"x": {"type": "array"}}, {"x": choice})
    assert found.is_narrower


def test_values_in_lists_of_objects_are_compared() -> None:
    def rows(properties: dict[str, Any]) -> dict[str, Any]:
        return {"type": "array", "items": {"type": "object", "properties": properties}}

    found = differences({"rows": rows({"n": {"type": "integer"}})}, {"rows": rows({"n": COUNT})})
    assert [(each.argument, each.text) for each in found] == [("rows[].n", "from 1 to 5")]


def test_an_alias_is_the_same_argument() -> None:
    assert differences({"target": TEXT}, {"ref": TEXT}, "peer.target", "ours.ref") == []


@pytest.mark.parametrize(
    ("peer", "ours", "required", "text", "is_forbidden"),
    [
        ({"x": TEXT}, {}, "peer.x", "not accepted", True),
        ({"x": TEXT}, {}, "", "not accepted", False),
        ({"x": TEXT}, {"x": TEXT}, "ours.x", "required here", True),
        ({"x": TEXT}, {"x": TEXT}, "peer.x", "optional here", False),
        ({}, {"x": TEXT}, "ours.x", "added and required", True),
        ({}, {"x": TEXT}, "", "added", False),
    ],
)
def test_each_call_of_the_peer_must_be_accepted(
    peer: dict[str, Any], ours: dict[str, Any], required: str, text: str, is_forbidden: bool
) -> None:
    [found] = differences(peer, ours, *required.split())
    assert (found.text, found.is_forbidden) == (text, is_forbidden)


def test_each_difference_from_playwright_mcp_has_its_reason() -> None:
    assert playwright_mistakes() == []


def test_a_missing_reason_is_named_with_the_line_to_add() -> None:
    [mistake] = playwright_mistakes(browser_resize={"width": "Whole pixels."})
    assert "playwright_mcp.toml" in mistake
    assert 'Add `height = "..."` with the reason to [browser_resize].' in mistake


@pytest.mark.parametrize(
    ("tool", "reasons", "mistake"),
    [
        ("browser_run_code_unsafe", {}, 'is absent. Add `absent = "..."`'),
        ("browser_run_code_unsafe", {"absent": "x", "code": "x"}, "Remove its line `code`"),
        ("browser_click", {"absent": "x"}, "exists now. Remove its line `absent`"),
        ("browser_click", {"button": "x"}, "`button` of browser_click does not differ"),
        ("browser_clock", {"absent": "x"}, "has no tool browser_clock"),
    ],
)
def test_a_wrong_reason_is_named(tool: str, reasons: dict[str, str], mistake: str) -> None:
    [found] = playwright_mistakes(**{tool: reasons})
    assert mistake in found


def test_a_tool_may_not_move_to_another_capability() -> None:
    peer = PLAYWRIGHT.tools | {"browser_click": PLAYWRIGHT.tools["browser_mouse_down"]}
    _, mistakes = playwright_table.compare_tools(type(PLAYWRIGHT)("test", peer), OURS, REASONS)
    assert any("in the capability core, not vision" in each for each in mistakes)


def test_each_tool_of_chrome_devtools_mcp_has_its_entry() -> None:
    assert devtools_mistakes() == []


@pytest.mark.parametrize(
    ("tool", "entry", "mistake"),
    [
        ("hover", None, "give [hover] either `ours"),
        ("hover", Equivalent(("browser_hover",), {"uid": "ref"}, absent="x"), "either `ours"),
        ("hover", Equivalent(("browser_hover",)), "add the argument uid of hover to `same`"),
        ("hover", Equivalent(("browser_hover",), {"uid": "id"}), "argument id of browser_hover"),
        ("list_pages", Equivalent(("browser_pages",)), "names browser_pages, which is no tool"),
        ("list_pages", Equivalent(absent="Use `browser_list`."), "browser_list, which is no tool"),
        ("list_pages", Equivalent(("browser_tabs",), {"x": "url"}), "has no argument x"),
        ("list_tabs", Equivalent(absent="x"), "has no default tool list_tabs"),
        (
            "close_page",
            Equivalent(("browser_tabs",), {"pageId": "index"}),
            "(integer instead of number). Move it to `differs`",
        ),
    ],
)
def test_a_wrong_entry_is_named(tool: str, entry: Equivalent | None, mistake: str) -> None:
    assert any(mistake in each for each in devtools_mistakes(**{tool: entry}))


def test_the_comparisons_have_all_tools() -> None:
    rows, _ = playwright_table.compare_tools(PLAYWRIGHT, OURS, REASONS)
    others, _ = devtools_table.compare_tools(DEVTOOLS, OURS, EQUIVALENTS)
    assert (len(rows), len(others)) == (72, 32)
    assert all(row.text for row in [*rows, *others] if row.verdict != "same")
