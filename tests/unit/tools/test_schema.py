from __future__ import annotations

from typing import Any

import orjson

from tests.unit.tools.declared import ClickArgs, EverythingArgs, FormArgs
from viewpoint_mcp.tools.args import NoArgs
from viewpoint_mcp.tools.schema import input_schema


def properties(args_type: Any) -> Any:
    return input_schema(args_type)["properties"]


def test_no_arguments_are_an_empty_object() -> None:
    assert input_schema(NoArgs) == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }


def test_the_root_names_what_is_required_and_nothing_else() -> None:
    schema = input_schema(ClickArgs)
    assert schema["required"] == ["ref"]
    assert set(schema) == {"type", "properties", "required", "additionalProperties"}
    assert list(schema["properties"]) == ["ref", "element", "button", "doubleClick", "modifiers"]


def test_an_optional_is_its_inner_type_with_its_description() -> None:
    assert properties(ClickArgs)["modifiers"] == {
        "type": "array",
        "items": {"type": "string", "enum": ["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]},
        "description": "Keys held down",
    }
    assert properties(EverythingArgs)["width"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 16384,
    }


def test_an_enumeration_says_its_type_and_default() -> None:
    assert properties(ClickArgs)["button"] == {
        "type": "string",
        "enum": ["left", "middle", "right"],
        "default": "left",
    }
    assert properties(EverythingArgs)["depth"] == {"type": "integer", "enum": [1, 2]}


def test_a_default_that_says_nothing_is_left_out() -> None:
    assert properties(EverythingArgs)["names"] == {"type": "array", "items": {"type": "string"}}
    assert properties(EverythingArgs)["offset"]["default"] == 0
    assert "default" not in properties(ClickArgs)["doubleClick"]


def test_nested_structs_are_written_out_in_place() -> None:
    fields = properties(FormArgs)["fields"]
    assert fields["description"] == "What to fill"
    assert fields["minItems"] == 1
    assert fields["items"]["required"] == ["ref", "type", "value"]
    assert fields["items"]["additionalProperties"] is False
    assert fields["items"]["properties"]["value"] == {
        "anyOf": [{"type": "string"}, {"type": "boolean"}, {"type": "number"}]
    }


def test_maps_say_what_they_hold() -> None:
    assert properties(EverythingArgs)["data"] == {
        "type": "object",
        "additionalProperties": {"type": "string"},
    }


def test_nothing_is_left_of_references_titles_nulls_or_docstrings() -> None:
    for args_type in (ClickArgs, EverythingArgs, FormArgs):
        text = orjson.dumps(input_schema(args_type)).decode()
        for word in ("$ref", "title", "null", "For readers"):
            assert word not in text
