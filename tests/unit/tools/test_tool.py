from __future__ import annotations

from typing import Any

import pytest

from tests.unit.tools.declared import ClickArgs, click, close, fill, handle_dialog
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.args import NoArgs
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.sessionless_call_policy import (
    ActsInContext,
    ClosesContext,
    OpensContext,
    SessionlessCallPolicy,
)
from viewpoint_mcp.tools.core.tool import ANNOTATIONS, UnknownTool, browser_tool, page_tool


def test_a_declaration_is_a_record() -> None:
    assert (click.name, click.title, click.kind) == ("browser_click", "Click", "input")
    assert (click.capability, click.scope, close.scope) == ("core", "page", "browser")
    assert (click.waits_for_page, click.answers_modal) == (True, None)
    assert (handle_dialog.waits_for_page, handle_dialog.answers_modal) == (False, "dialog")
    with pytest.raises(AttributeError):
        click.name = "other"  # type: ignore[misc]  # the point of the test


async def test_a_tool_can_still_be_called_as_the_function_it_was() -> None:
    assert await click("a page", ClickArgs(ref="e1")) == ToolResult("e1 on a page", snapshot=True)


def test_the_description_is_the_first_paragraph_on_one_line() -> None:
    assert click.description == "Click an element of the page."


def test_errors_about_arguments_name_the_tool() -> None:
    assert isinstance(click.parse({"ref": "e1"}), ClickArgs)
    with pytest.raises(CallError, match=r"browser_click takes: ref, .*, context"):
        click.parse({"reef": "e1"})


def test_a_page_tool_takes_a_context_and_a_browser_tool_does_not() -> None:
    assert click.context_name(click.parse({"ref": "e1", "context": "shop"})) == "shop"
    assert click.context_name(click.parse({"ref": "e1"})) is None
    assert close.context_name(close.parse({})) is None
    with pytest.raises(CallError, match="browser_close takes no arguments"):
        close.parse({"context": "shop"})


def test_the_context_is_the_last_property_and_never_required() -> None:
    schema = fill.input_schema
    assert list(schema["properties"]) == ["fields", "note", "context"]
    assert schema["properties"]["context"]["type"] == "string"
    assert schema["required"] == ["fields"]


def test_the_listing_has_a_title_and_hints() -> None:
    assert set(click.list_entry) == {"name", "title", "description", "inputSchema", "annotations"}
    assert click.list_entry["annotations"] == {"destructiveHint": False}
    assert close.list_entry["annotations"] == {"destructiveHint": True, "openWorldHint": False}


def test_each_kind_states_whether_it_reads_only_or_destroys_and_omits_other_defaults() -> None:
    for kind, hints in ANNOTATIONS.items():
        is_reader = hints.get("readOnlyHint", False)
        assert is_reader is ("destructiveHint" not in hints), kind
        assert hints.get("openWorldHint", False) is False, kind
        assert "idempotentHint" not in hints, kind


async def undocumented(page: object, args: NoArgs) -> ToolResult:
    return ToolResult()


async def of_no_struct(page: object, args: dict[str, str]) -> ToolResult:
    """Do something."""
    return ToolResult()


async def of_one_parameter(page: object) -> ToolResult:
    """Do something."""
    return ToolResult()


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (undocumented, "needs a docstring"),
        (of_no_struct, "derived from Args"),
        (of_one_parameter, "two annotated parameters"),
    ],
)
def test_a_declaration_that_cannot_work_fails_at_once(function: Any, reason: str) -> None:
    with pytest.raises(TypeError, match=f"browser_x.*{reason}"):
        page_tool("browser_x", title="X", kind="read")(function)


def test_an_unknown_tool_is_named_in_the_error() -> None:
    assert str(UnknownTool("nope")) == "Unknown tool: nope"


async def nameless(browser: object, args: NoArgs) -> ToolResult:
    """Do something."""
    return ToolResult()


def test_a_browser_tool_must_declare_its_effect_without_a_session() -> None:
    with pytest.raises(TypeError, match="sessionless"):
        browser_tool("browser_x", title="X", kind="read")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    "policy", [ActsInContext("name"), OpensContext("name"), ClosesContext("name")]
)
def test_a_policy_names_an_argument_that_there_is(policy: SessionlessCallPolicy) -> None:
    with pytest.raises(TypeError, match="browser_x has no argument 'name'"):
        browser_tool("browser_x", title="X", kind="read", sessionless=policy)(nameless)


def test_the_short_listing_names_arguments_that_there_are() -> None:
    with pytest.raises(TypeError, match="browser_x has no argument 'colour'"):
        page_tool("browser_x", title="X", kind="read", slim=("colour",))(nameless)
