"""The schemas of a tool, made from the structs of its arguments and its output.

It is written for a reader who pays for every token: one object without references, titles or
nulls; what may be absent is simply not required.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

import msgspec

from viewpoint_mcp.tools.core.args import UNLISTED, Args
from viewpoint_mcp.tools.core.output import Output

Schema = dict[str, Any]

_NULL: Schema = {"type": "null"}
_UNTOLD = frozenset({"title", "minLength", "maxLength"})  # the refusal tells, when it matters
_UNLISTED = frozenset({"minimum", "maximum", "minItems", "additionalProperties"})


def input_schema(args_type: type[Args]) -> Schema:
    """Describe an argument struct in JSON Schema 2020-12, root `type: object`."""
    (root,), components = msgspec.json.schema_components([args_type], ref_template="{name}")
    return _plain(root, components)


def listed(schema: Schema, only: AbstractSet[str] | None = None) -> Schema:
    """Return an inputSchema as tools/list has it, which each client pays for: without what a
    refusal tells when it matters, and without arguments that are merely accepted.
    """
    return {**_short(schema), "additionalProperties": False}


def brief(schema: Schema, optional: Iterable[str]) -> Schema:
    """Return an inputSchema without descriptions, and with these optional arguments only.

    It allows additional arguments, because the tool accepts the others too.
    """
    named = {*optional, *schema.get("required", ())}
    properties = {
        name: _without(_short(value), "description")
        for name, value in schema["properties"].items()
        if name in named
    }
    return {**_short(schema), "properties": properties}


def _short(node: Schema) -> Schema:
    short = {key: value for key, value in node.items() if key not in _UNLISTED}
    if "items" in node:
        short["items"] = _short(node["items"])
    if "properties" in node:
        short["properties"] = {
            name: _short(value)
            for name, value in node["properties"].items()
            if name not in UNLISTED
        }
    return short


def output_schema(output_type: type[Output]) -> Schema:
    """Describe what a tool finds, root `type: object`: its lists, and what each row surely has.

    Every client pays for it, and few read it; so types of single values are left out.
    """
    (root,), components = msgspec.json.schema_components([output_type], ref_template="{name}")
    schema = _plain(root, components)
    return {
        **schema,
        "properties": {
            name: {"type": "array", "items": _without(value["items"], "properties")}
            for name, value in schema["properties"].items()
            if name in schema["required"]
        },
    }


def _plain(node: Schema, components: Mapping[str, Schema]) -> Schema:
    """One schema node with references, titles and nulls resolved, and all below it."""
    if "$ref" in node:
        target = {k: v for k, v in components[node["$ref"]].items() if k != "description"}
        return _plain({**_without(node, "$ref"), **target}, components)
    if "anyOf" in node:
        return _one_of_several(node, components)
    plain = {
        key: _child(key, value, components)
        for key, value in node.items()
        if key not in _UNTOLD and not (key == "required" and not value)
    }
    if isinstance(values := plain.get("enum"), list) and "type" not in plain:
        kinds = {type(value) for value in values}
        if kinds == {str}:
            return {"type": "string", **plain}
        if kinds == {int}:
            return {"type": "integer", **plain}
    return plain


def _one_of_several(node: Schema, components: Mapping[str, Schema]) -> Schema:
    kinds = [_plain(kind, components) for kind in node["anyOf"] if kind != _NULL]
    rest = _without(node, "anyOf")
    if len(kinds) == 1:
        return {**kinds[0], **rest}
    return {"anyOf": kinds, **rest}


def _child(key: str, value: Any, components: Mapping[str, Schema]) -> Any:
    if key == "properties":
        return {name: _property(schema, components) for name, schema in value.items()}
    if key in {"items", "additionalProperties"} and isinstance(value, dict):
        return _plain(value, components)
    return value


def _property(node: Schema, components: Mapping[str, Schema]) -> Schema:
    """A property; a default of null, false or nothing says no more than that it is not required."""
    plain = _plain(node, components)
    default = plain.get("default", ...)
    if default is None or default is False or default in ([], {}):
        return _without(plain, "default")
    return plain


def _without(node: Schema, key: str) -> Schema:
    return {name: value for name, value in node.items() if name != key}
