from __future__ import annotations

from typing import Any, Literal

import orjson

from tests.unit.tools.declared import ClickArgs, EverythingArgs, FormArgs
from viewpoint_mcp.tools.browser.emulation import emulate_media
from viewpoint_mcp.tools.core.args import NoArgs
from viewpoint_mcp.tools.core.schema import (
    make_brief_schema,
    make_input_schema,
    make_listed_schema,
    make_output_schema,
)
from viewpoint_mcp.tools.core.structured_output import Output, Row


def properties(args_type: Any) -> Any:
    return make_input_schema(args_type)["properties"]


def test_no_arguments_are_an_empty_object() -> None:
    assert make_input_schema(NoArgs) == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }


def test_the_root_has_only_the_required_keywords() -> None:
    schema = make_input_schema(ClickArgs)
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


def test_an_enumeration_has_its_type_and_default() -> None:
    assert properties(ClickArgs)["button"] == {
        "type": "string",
        "enum": ["left", "middle", "right"],
        "default": "left",
    }
    assert properties(EverythingArgs)["depth"] == {"type": "integer", "enum": [1, 2]}


def test_a_default_without_information_is_omitted() -> None:
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


def test_maps_have_the_type_of_their_values() -> None:
    assert properties(EverythingArgs)["data"] == {
        "type": "object",
        "additionalProperties": {"type": "string"},
    }


def test_references_titles_nulls_and_docstrings_are_removed() -> None:
    for args_type in (ClickArgs, EverythingArgs, FormArgs):
        text = orjson.dumps(make_input_schema(args_type)).decode()
        for word in ("$ref", "title", "null", "For readers"):
            assert word not in text


def test_null_is_allowed_where_it_differs_from_no_value() -> None:
    listed = emulate_media.list_entry["inputSchema"]["properties"]
    assert listed["media"] == {
        "anyOf": [{"type": "string", "enum": ["print", "screen"]}, {"type": "null"}]
    }
    assert listed["context"] == {"type": "string"}


def test_a_listing_omits_limits_defaults_and_arguments_accepted_for_compatibility() -> None:
    schema = make_listed_schema(make_input_schema(ClickArgs))
    assert list(schema["properties"]) == ["ref", "button", "doubleClick", "modifiers"]
    assert schema["properties"]["button"] == {
        "type": "string",
        "enum": ["left", "middle", "right"],
    }
    assert make_listed_schema(make_input_schema(EverythingArgs))["properties"]["width"] == {
        "type": "integer"
    }
    fields = make_listed_schema(make_input_schema(FormArgs))["properties"]["fields"]
    assert set(fields["items"]) == {"type", "properties", "required"}
    assert "minItems" not in fields


def test_a_short_listing_has_the_required_and_the_named_arguments() -> None:
    assert make_brief_schema(make_input_schema(ClickArgs), frozenset({"modifiers"})) == {
        "type": "object",
        "properties": {
            "ref": {"type": "string"},
            "modifiers": {
                "type": "array",
                "items": {
                    "type": "string",
                    "enum": ["Alt", "Control", "ControlOrMeta", "Meta", "Shift"],
                },
            },
        },
        "required": ["ref"],
    }


class Letter(Row):
    name: str
    place: int
    is_vowel: bool = False


class Letters(Output):
    alphabet: Literal["Latin", "Greek"]
    letters: list[Letter]
    next_cursor: str = ""


def test_an_output_schema_names_the_required_fields() -> None:
    assert make_output_schema(Letters) == {
        "type": "object",
        "properties": {"alphabet": {"type": "string"}, "letters": {"type": "array"}},
    }


def test_data_has_the_names_of_the_wire_and_no_unknown_values() -> None:
    rows = [Letter("a", 1, is_vowel=True), Letter("b", 2)]
    result = Letters(alphabet="Latin", letters=rows, next_cursor="c").to_json("")
    assert result == {
        "alphabet": "Latin",
        "letters": [{"name": "a", "place": 1, "isVowel": True}, {"name": "b", "place": 2}],
        "nextCursor": "c",
    }
