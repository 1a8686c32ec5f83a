"""The result of a script, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from viewpoint_mcp.page.script.result_rendering import render_value

if TYPE_CHECKING:
    from cdp_protocol.types.runtime import DeepSerializedValue as Deep
    from cdp_protocol.types.runtime import RemoteObject


def render(deep: Deep) -> str:
    return render_value({"type": "object", "deepSerializedValue": deep})


def number(value: object) -> Deep:
    return {"type": "number", "value": value}


def obj(*pairs: tuple[object, Deep], ref: int | None = None) -> Deep:
    deep: Deep = {"type": "object", "value": [list(pair) for pair in pairs]}
    return deep if ref is None else {**deep, "weakLocalObjectReference": ref}


UNDEFINED: Deep = {"type": "undefined"}
FUNCTION: Deep = {"type": "function"}


@pytest.mark.parametrize(
    ("deep", "expected"),
    [
        ({"type": "string", "value": 'He said "no"'}, 'He said "no"'),
        ({"type": "string", "value": ""}, ""),
        (number(1), "1"),
        (number(1.5), "1.5"),
        (number("NaN"), "NaN"),
        (number("Infinity"), "Infinity"),
        (number("-Infinity"), "-Infinity"),
        (number("-0"), "0"),
        ({"type": "boolean", "value": False}, "false"),
        ({"type": "null"}, "null"),
        (UNDEFINED, "undefined"),
        ({"type": "bigint", "value": "12345678901234567890"}, "12345678901234567890n"),
        ({"type": "date", "value": "2026-01-13T15:30:45.123Z"}, "2026-01-13T15:30:45.123Z"),
        ({"type": "regexp", "value": {"pattern": "a+", "flags": "gi"}}, "/a+/gi"),
        ({"type": "regexp", "value": {"pattern": "a+"}}, "/a+/"),
        (FUNCTION, "[function]"),
        ({"type": "symbol"}, "[symbol]"),
        ({"type": "promise"}, "[Promise]"),
        ({"type": "weakmap"}, "[WeakMap]"),
        ({"type": "window"}, "[Window]"),
        ({"type": "array", "value": []}, "[]"),
        (obj(), "{}"),
    ],
)
def test_a_value_is_printed_as_readable_json(deep: Deep, expected: str) -> None:
    assert render(deep) == expected


def test_an_error_is_printed_with_its_message() -> None:
    remote: RemoteObject = {
        "type": "object",
        "subtype": "error",
        "description": "Error: bad",
        "deepSerializedValue": {"type": "error"},
    }
    assert render_value(remote) == "Error: bad"


def test_a_value_without_deep_serialization_is_shown_too() -> None:
    assert render_value({"type": "string", "value": "plain"}) == "plain"
    assert render_value({"type": "number", "value": 2}) == "2"


def test_an_object_is_indented_json() -> None:
    assert render(obj(("a", number(1)), ("b", {"type": "string", "value": "x"}))) == (
        '{\n  "a": 1,\n  "b": "x"\n}'
    )


def test_undefined_and_functions_are_left_out_of_objects_and_null_in_arrays() -> None:
    assert render(obj(("a", UNDEFINED), ("f", FUNCTION), ("b", number(1)))) == '{\n  "b": 1\n}'
    assert render({"type": "array", "value": [UNDEFINED, FUNCTION, number(1)]}) == (
        "[\n  null,\n  null,\n  1\n]"
    )


def test_a_map_is_an_object_and_a_set_an_array() -> None:
    keyed = [["k", number(1)], [obj(("x", number(2))), number(3)], [number(4), number(5)]]
    assert render({"type": "map", "value": keyed}) == (
        '{\n  "k": 1,\n  "{\\"x\\":2}": 3,\n  "4": 5\n}'
    )
    assert render({"type": "set", "value": [number(1)]}) == "[\n  1\n]"


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ({"type": "symbol"}, "[symbol]"),
        (FUNCTION, "[function]"),
        (UNDEFINED, "undefined"),
        ({"type": "bigint", "value": "100000000000000000000"}, "100000000000000000000n"),
        (obj(("f", FUNCTION)), "{}"),
    ],
)
def test_a_map_key_that_json_cannot_represent_is_printed_as_text(key: Deep, expected: str) -> None:
    assert expected in render({"type": "map", "value": [[key, number(1)]]})


def test_a_cycle_is_named() -> None:
    cyclic = obj(("me", {"type": "object", "weakLocalObjectReference": 1}), ref=1)
    assert render(cyclic) == '{\n  "me": "[Circular]"\n}'


def test_a_cycle_through_an_array_is_named() -> None:
    inner: Deep = {"type": "array", "value": [{"type": "object", "weakLocalObjectReference": 1}]}
    assert "[Circular]" in render(obj(("list", inner), ref=1))


def test_an_object_that_occurs_twice_is_printed_twice() -> None:
    twice: Deep = {
        "type": "array",
        "value": [
            obj(("a", number(1)), ref=2),
            {"type": "object", "weakLocalObjectReference": 2},
        ],
    }
    assert render(twice).count('"a": 1') == 2


def test_a_value_that_is_nested_too_deeply_is_named() -> None:
    assert render(obj(("deep", {"type": "object"}))) == '{\n  "deep": "[object]"\n}'
    assert render({"type": "array", "value": [{"type": "array"}]}) == '[\n  "[array]"\n]'


def test_a_node_is_shown_as_its_tag() -> None:
    attributes = {"id": "a", "class": "b"}
    node: Deep = {"type": "node", "value": {"localName": "div", "attributes": attributes}}
    assert render(node) == '<div id="a" class="b">'


def test_a_text_node_is_shown_as_its_text() -> None:
    node: Deep = {"type": "node", "value": {"nodeType": 3, "nodeValue": "Hello"}}
    assert "Hello" in render(node)


@pytest.mark.parametrize("kind", ["nodelist", "htmlcollection", "typedarray"])
def test_lists_of_the_dom_are_arrays(kind: Any) -> None:
    assert render({"type": kind, "value": [number(1)]}) == "[\n  1\n]"


def test_a_number_beyond_64_bits_is_still_valid_json() -> None:
    deep = obj(("n", number(1e20)), ("t", {"type": "boolean", "value": True}))
    assert render(deep) == '{\n  "n": 1e+20,\n  "t": true\n}'
