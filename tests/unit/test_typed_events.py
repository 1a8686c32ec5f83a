"""The packages subscribe to `session.Page.frameNavigated`, never to "Page.frameNavigated"."""

from __future__ import annotations

import ast
from pathlib import Path

import viewpoint_mcp

PRODUCT = Path(viewpoint_mcp.__file__).parent


def test_no_event_is_named_by_a_string() -> None:
    named: list[str] = []
    typed: list[str] = []
    for path in PRODUCT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Attribute(attr="on" | "expect" | "events"), [event, *_]):
                    is_string = isinstance(event, ast.Constant | ast.JoinedStr)
                    (named if is_string else typed).append(f"{path}:{node.lineno}")
    assert typed
    assert named == []
