"""Arguments of console functions, printed as in DevTools."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from viewpoint_mcp.page.console.console_text import (
    MAX_MESSAGE,
    is_preview_incomplete,
    render_message,
    render_preview,
    render_value,
)

if TYPE_CHECKING:
    from cdp_protocol.types.runtime import ObjectPreview, RemoteObject


def text(content: str) -> RemoteObject:
    return {"type": "string", "value": content}


def test_a_long_text_is_cut_and_counted() -> None:
    assert (
        render_message([text("x" * (MAX_MESSAGE + 5))])
        == "x" * MAX_MESSAGE + "… (5 more characters)"
    )


def test_many_arguments_are_cut() -> None:
    assert len(render_message([text("x" * 1000)] * 100_000)) < MAX_MESSAGE + 100


def test_a_long_template_is_cut() -> None:
    assert len(render_message([text("%s" + "x" * 1_000_000), text("y")])) < MAX_MESSAGE + 100


def test_a_replayed_object_has_no_preview_and_is_named() -> None:
    remote: RemoteObject = {
        "type": "object",
        "className": "Object",
        "description": "Object",
        "objectId": "1",
    }
    assert render_value(remote) == "Object"
    assert is_preview_incomplete(remote)


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("div", "<div>"),
        ("div#main", '<div id="main">'),
        ("div.a.b", '<div class="a b">'),
        ("my-element#x.y", '<my-element id="x" class="y">'),
        ("#document", "#document"),
        ("<!DOCTYPE html>", "<!DOCTYPE html>"),
    ],
)
def test_a_node_is_its_tag(description: str, expected: str) -> None:
    assert (
        render_value({"type": "object", "subtype": "node", "description": description}) == expected
    )


@pytest.mark.parametrize(
    ("source", "head"),
    [
        ("function () {}", "ƒ ()"),
        ("async (a, b) => a", "ƒ async (a, b)"),
        ("x => x", "ƒ x"),
        ("method(a) {\n  return a\n}", "ƒ method(a)"),
        ("function f() { [native code] }", "ƒ f()"),
        ("class {}", "class"),
    ],
)
def test_a_function_is_its_head(source: str, head: str) -> None:
    assert render_value({"type": "function", "description": source}) == head


def test_an_unknown_preview_is_still_printed() -> None:
    shown: ObjectPreview = {
        "type": "object",
        "subtype": "wasmvalue",
        "description": "i32",
        "overflow": False,
        "properties": [],
    }
    assert render_preview(shown) == "i32 {}"
