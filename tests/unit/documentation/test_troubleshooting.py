"""The messages that docs/troubleshooting.md quotes consist of string literals of the product."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.code_blocks import ROOT

PAGE = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
_HOLE = "\0"


def quoted() -> list[str]:
    """Return the sentences in backticks in the first cells of the tables."""
    cells = [row.split("|")[1] for row in PAGE.splitlines() if row.startswith("| ")]
    texts = [text for cell in cells for text in re.findall(r"`([^`]+)`", cell)]
    return [text for text in texts if " " in text and not text.startswith(("command", "Usage"))]


@cache
def messages() -> tuple[str, ...]:
    """Return the string literals of the product; a value in an f-string is a NUL."""
    return tuple(
        text
        for package in ("viewpoint_mcp", "cdp_protocol")
        for path in sorted((ROOT / package).rglob("*.py"))
        for text in literals(ast.parse(path.read_text(encoding="utf-8")))
    )


def literals(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(
                part.value if isinstance(part, ast.Constant) else _HOLE  # type: ignore[misc]
                for part in node.values
            )


@pytest.mark.parametrize("sentence", quoted())
def test_the_message_exists(sentence: str) -> None:
    pieces = [piece.strip() for piece in sentence.split("…")]
    missing = [piece for piece in pieces if not any(piece in text for text in messages())]
    assert missing == []
