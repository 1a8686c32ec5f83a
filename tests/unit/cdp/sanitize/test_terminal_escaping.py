"""Escapes of control characters in texts of pages, for a terminal."""

from __future__ import annotations

import json

import orjson
import pytest

from cdp_protocol.sanitize.terminal_escaping import escape_control_characters, escape_json


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("two\nlines\tand\r", "two⏎lines and"),
        ("a\u202eb", "a\\u202eb"),
        ("möwe\xa0漢字 🦢", "möwe 漢字 🦢"),
    ],
)
def test_a_terminal_executes_no_control_sequence_of_a_page(text: str, expected: str) -> None:
    assert escape_control_characters(text) == expected


@pytest.mark.parametrize("option", [None, orjson.OPT_INDENT_2])
def test_json_output_is_equal_and_safe_for_a_terminal(option: int | None) -> None:
    value = {"a\u202eb": ["\x1b\x7f\x9b31m", "möwe\xa0漢字 🦢", "\U000e0041\n"]}

    result = escape_json(orjson.dumps(value, option=option).decode())

    assert json.loads(result) == value
    assert "möwe\xa0漢字 🦢" in result
    assert all(each.isprintable() or each in "\n\xa0" for each in result)
