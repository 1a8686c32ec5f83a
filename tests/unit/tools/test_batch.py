"""Parsing of batches, before their first step runs."""

from __future__ import annotations

from typing import Any

import pytest

from viewpoint_mcp.config.secrets import NO_SECRETS
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.browser.batch import run_batch
from viewpoint_mcp.tools.catalog import offered_tools
from viewpoint_mcp.tools.core.batch import Batch, parse_batch

TOOLS = {tool.name: tool for tool in offered_tools(frozenset())}


def parse(*calls: dict[str, Any], **arguments: Any) -> Batch:
    args = run_batch.parse({"calls": list(calls), **arguments})
    return parse_batch(args, TOOLS, NO_SECRETS)


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"tool": tool, "arguments": arguments}


def test_a_tool_is_named_with_or_without_its_prefix() -> None:
    batch = parse(
        call("browser_click", ref="e1"), call("click", ref="e1"), call("list_screenshots")
    )
    names = [step.tool.name for step in batch.steps]
    assert names == ["browser_click", "browser_click", "list_screenshots"]
    assert batch.steps[0].args.ref == "e1"


@pytest.mark.parametrize(
    "arguments",
    [
        {"calls": [{"tool": "browser_click", "arguments": {"ref": "e1"}}]},
        {"steps": [{"name": "browser_click", "args": {"ref": "e1"}}]},
        {"calls": [{"name": "browser_click", "input": {"target": "e1"}}]},
    ],
)
def test_names_of_other_servers_are_accepted(arguments: dict[str, Any]) -> None:
    batch = parse_batch(run_batch.parse(arguments), TOOLS, NO_SECRETS)
    assert batch.steps[0].args.ref == "e1"


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (
            call("clik"),
            "Step 2 (clik): No tool has this name. Did you mean browser_click?",
        ),
        (call("zzz"), "No tool has this name. tools/list has all tools."),
        (call("run_code_unsafe"), "No tool has this name. It needs Playwright. Use browser_batch"),
        (call("browser_run_code_unsafe"), "or browser_evaluate for JavaScript in the page."),
        (call("browser_mouse_down"), "Step 2 (browser_mouse_down): No tool has this name."),
        (call("browser_batch"), "Step 2 (browser_batch): A batch cannot contain another batch."),
        (call("install"), "Step 2 (browser_install): It may download for minutes."),
        (
            call("click"),
            "Step 2 (browser_click): browser_click needs the argument 'ref', a string.",
        ),
        (call("click", reff="e1"), "Step 2 (browser_click): Unknown argument 'reff'."),
        (
            call("resize", width=0, height=1),
            "Step 2 (browser_resize): Argument 'width' of browser_resize must be an integer",
        ),
    ],
)
def test_an_invalid_step_is_named(step: dict[str, Any], message: str) -> None:
    with pytest.raises(CallError) as raised:
        parse(call("browser_snapshot"), step)
    assert message in str(raised.value)
    assert str(raised.value).endswith("\nNo step was run.")


def test_all_invalid_steps_are_named() -> None:
    with pytest.raises(CallError) as raised:
        parse(call("click"), call("snapshot"), call("type"))
    lines = str(raised.value).splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "Step 1 (browser_click)", "Step 3 (browser_type)", "No step was run.",
    ]  # fmt: skip


@pytest.mark.parametrize("calls", [[], [call("snapshot")] * 51, [{"arguments": {}}], ["click"]])
def test_malformed_lists_are_refused(calls: list[Any]) -> None:
    with pytest.raises(CallError, match="browser_batch"):
        run_batch.parse({"calls": calls})


def test_a_step_that_names_no_context_gets_the_one_of_the_batch() -> None:
    batch = parse(
        call("snapshot"),
        call("snapshot", context="other"),
        call("context_save_storage", path="a.json"),
        call("context_list"),
        context="shop",
    )
    first, second, third, fourth = (step.args_in(batch.context) for step in batch.steps)
    assert (first.context, second.context, third.name) == ("shop", "other", "shop")
    assert fourth is batch.steps[3].args
    assert batch.steps[0].args_in(None).context is None


@pytest.mark.parametrize(
    ("step", "can_open"),
    [
        (call("navigate", url="a.test"), True),
        (call("tabs", action="new"), True),
        (call("tabs", action="list"), False),
        (call("click", ref="e1"), False),
        (call("context_list"), False),
    ],
)
def test_the_first_step_decides_whether_a_batch_opens_a_context(
    step: dict[str, Any], can_open: bool
) -> None:
    assert parse(step, call("snapshot")).can_open_context is can_open


@pytest.mark.parametrize("tool", ["context_create", "context_close", "context_switch"])
def test_without_a_session_no_step_opens_or_closes_contexts(tool: str) -> None:
    batch = parse(call("snapshot"), call(tool, name="shop"))
    with pytest.raises(CallError, match=rf"Step 2 \(browser_{tool}\): Without a session"):
        batch.check_sessionless()
    parse(call("navigate", url="a.test"), call("list_screenshots")).check_sessionless()
