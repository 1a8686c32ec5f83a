from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET, UnsetType

from tests.unit.tools.declared import ClickArgs, EverythingArgs, Field, FormArgs, SecretArgs
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.args import Args, NoArgs, parse_arguments

FIELD: dict[str, Any] = {"ref": "e1", "type": "textbox", "value": "x"}


def click(**arguments: Any) -> ClickArgs:
    return parse_arguments(ClickArgs, arguments, tool_name="browser_click")


def everything(**arguments: Any) -> EverythingArgs:
    return parse_arguments(EverythingArgs, arguments, tool_name="every")


def refusal(args_type: Any, arguments: object) -> str:
    with pytest.raises(CallError) as refused:
        parse_arguments(args_type, arguments, tool_name="tool")
    return str(refused.value)


def test_wire_names_become_fields() -> None:
    args = click(ref="e1", doubleClick=True, modifiers=["Alt"])
    assert args == ClickArgs(ref="e1", double_click=True, modifiers=["Alt"])


@pytest.mark.parametrize("arguments", [None, {}])
def test_arguments_may_be_absent_or_null(arguments: object) -> None:
    assert parse_arguments(NoArgs, arguments, tool_name="t") == NoArgs()


@pytest.mark.parametrize(("arguments", "seen"), [([], "an empty array"), ("x", "'x'"), (5, "5")])
def test_arguments_must_be_an_object(arguments: object, seen: str) -> None:
    assert refusal(NoArgs, arguments) == f"The arguments of tool must be an object, not {seen}."


@pytest.mark.parametrize(
    "given", ["http://joe:hunter2@proxy", ["hunter2"], {"server": ["hunter2"]}]
)
def test_a_value_that_may_be_a_password_is_not_repeated(given: object) -> None:
    result = refusal(SecretArgs, {"proxy": given})
    assert "'proxy" in result
    assert "hunter2" not in result


def test_null_is_distinguished_from_absent_where_it_has_a_meaning() -> None:
    class Reset(Args):
        one: str | UnsetType | None = UNSET
        other: str | UnsetType | None = UNSET

    read = parse_arguments(Reset, {"one": None}, tool_name="t")
    assert read.one is None
    assert read.other is UNSET


def test_null_for_an_optional_is_absent() -> None:
    args = click(ref="e1", button=None, doubleClick=None, element=None, modifiers=None)
    assert args == ClickArgs(ref="e1")


def test_an_argument_name_of_another_server_is_accepted() -> None:
    assert click(target="e1").ref == "e1"
    assert everything(startTarget="e2", path="f.txt") == EverythingArgs(
        start_ref="e2", filename="f.txt"
    )
    assert (
        parse_arguments(FormArgs, {"fields": [{"target": "e1", **FIELD}]}, tool_name="t")
        .fields[0]
        .ref
        == "e1"
    )


def test_both_names_of_an_argument_may_agree_but_not_differ() -> None:
    assert click(target="e1", ref="e1", element="x").ref == "e1"
    assert click(ref="e1", target=None).ref == "e1"
    assert refusal(ClickArgs, {"target": "e1", "ref": "e2"}).startswith("'ref' is given twice")


def test_an_unknown_argument_is_named_with_the_ones_there_are() -> None:
    assert refusal(ClickArgs, {"ref": "e1", "foo": 1}) == (
        "Unknown argument 'foo'. tool takes: ref, element, button, doubleClick, modifiers."
    )
    assert refusal(NoArgs, {"foo": 1}) == "Unknown argument 'foo'. tool takes no arguments."
    assert refusal(NoArgs, {"target": 1}).startswith("Unknown argument 'target'.")


def test_the_python_name_of_a_field_is_unknown() -> None:
    assert refusal(ClickArgs, {"ref": "e", "double_click": 1}).startswith("Unknown argument 'doub")


@pytest.mark.parametrize("arguments", [{}, {"ref": None}, {"target": None}])
def test_a_missing_argument_is_named(arguments: object) -> None:
    assert refusal(ClickArgs, arguments).startswith("tool needs the argument 'ref', a string. tool")


def test_a_value_outside_the_allowed_ones_is_reported_with_them() -> None:
    assert refusal(ClickArgs, {"ref": "e1", "button": "top"}) == (
        "Argument 'button' of tool must be one of left, middle, right, not 'top'."
    )
    assert "'modifiers[1]'" in refusal(ClickArgs, {"ref": "e1", "modifiers": ["Alt", "Hyper"]})


@pytest.mark.parametrize("value", [5, 5.0, "5", "5.0"])
def test_a_whole_number_is_an_integer_however_it_is_written(value: object) -> None:
    width = everything(width=value).width
    assert width == 5
    assert isinstance(width, int)


@pytest.mark.parametrize("value", [5.5, "5.5", "five", "", True, [], "nan", 2**60, "9" * 5000, 0])
def test_anything_else_is_not_an_integer(value: object) -> None:
    sentence = refusal(EverythingArgs, {"width": value})
    assert sentence.startswith("Argument 'width' of tool must be an integer from 1 to 16384, not ")
    assert len(sentence) < 150


@pytest.mark.parametrize("value", ["nan", "inf", "-Infinity", "1e999", 0, -1, "x"])
def test_a_number_must_be_finite_and_within_its_limits(value: object) -> None:
    sentence = refusal(EverythingArgs, {"delay": value})
    assert "'delay' of tool must be a number greater than 0, not" in sentence


@pytest.mark.parametrize(("given", "read"), [("true", True), ("False", False), (1, True)])
def test_a_boolean_may_be_a_word_or_one_and_zero(given: object, read: bool) -> None:
    assert click(ref="e1", doubleClick=given).double_click is read


def test_a_number_is_not_accepted_as_text() -> None:
    assert refusal(ClickArgs, {"ref": 5}) == "Argument 'ref' of tool must be a string, not 5."


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"offset": -1}, "Argument 'offset' of tool must be an integer of at least 0, not -1."),
        (
            {"name": "abcd"},
            "Argument 'name' of tool must be a string of 1 to 3 characters, not 'abcd'.",
        ),
        ({"names": "a"}, "Argument 'names' of tool must be an array, each item a string, not 'a'."),
        ({"names": [1]}, "Argument 'names[0]' of tool must be a string, not 1."),
        (
            {"data": {"k": 1}},
            "Argument 'data' of tool must be an object, each value a string, not an object.",
        ),
        ({"depth": 3}, "Argument 'depth' of tool must be one of 1, 2, not 3."),
    ],
)
def test_a_wrong_value_is_reported_with_the_expected_type(arguments: object, sentence: str) -> None:
    assert refusal(EverythingArgs, arguments) == sentence


@pytest.mark.parametrize(
    ("item", "beginning"),
    [
        ({**FIELD, "type": "x"}, "Argument 'fields[1].type' of tool must be one of checkbox, te"),
        ({**FIELD, "foo": 1}, "Unknown argument 'fields[1].foo'. 'fields[1]' of tool takes: ref, "),
        ({**FIELD, "ref": None}, "tool needs the argument 'fields[1].ref', a string."),
        ({**FIELD, "value": []}, "Argument 'fields[1].value' of tool must be a string or true or "),
        ("x", "'fields[1]' of tool must be an object, not 'x'."),
    ],
)
def test_a_mistake_inside_is_named_by_its_path(item: object, beginning: str) -> None:
    assert refusal(FormArgs, {"fields": [FIELD, item]}).startswith(beginning)


def test_an_empty_list_is_refused_where_one_is_needed() -> None:
    sentence = refusal(FormArgs, {"fields": []})
    assert "must be a non-empty array, each item an object with ref, type, value" in sentence
    assert sentence.endswith("not an empty array.")


def test_values_of_several_types_are_not_converted() -> None:
    values: list[str | bool | float] = ["5", True, 2.5]
    fields = [{**FIELD, "value": value} for value in values]
    parsed = parse_arguments(FormArgs, {"fields": fields}, tool_name="t").fields
    assert parsed == [Field(ref="e1", type="textbox", value=value) for value in values]


def test_a_deeply_nested_value_is_refused_without_printing_it() -> None:
    deep: list[object] = []
    for _ in range(900):
        deep = [deep]
    assert refusal(ClickArgs, {"ref": deep}).endswith("must be a string, not an array of 1.")
