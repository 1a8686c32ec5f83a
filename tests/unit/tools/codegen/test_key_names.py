"""Keys have the names of Playwright."""

from __future__ import annotations

import pytest

from viewpoint_mcp.tools.codegen.action_statements import name_key


@pytest.mark.parametrize(
    ("key", "name"),
    [
        *(("Enter", "Enter"), ("esc", "Escape"), ("a", "a"), ("A", "A"), (" ", " ")),
        *(("Control+a", "Control+a"), ("ctrl+shift+ArrowLeft", "Control+Shift+ArrowLeft")),
        *(("Space", "Space"), ("Alt+Space", "Alt+Space"), ("F5", "F5")),
    ],
)
def test_a_key_has_the_name_of_playwright(key: str, name: str) -> None:
    assert name_key(key) == name
