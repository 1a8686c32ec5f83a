"""JSON Schemas of a tool, generated from the structs of its arguments and its output.

Every token of a schema costs the model context. So a schema is one object without references,
titles and nulls. Optional properties are not listed in `required`, and do not allow null, except
those for which null has another meaning than no value (`UNSET`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_origin

import msgspec

from viewpoint_mcp.tools.core.args import UNLISTED_ARGUMENTS, Args
from viewpoint_mcp.tools.core.structured_output import Output

Schema = dict[str, Any]

_NULL: Schema = {"type": "null"}
_OMITTED_KEYS = frozenset({"title", "minLength", "maxLength"})  # error messages state the limits
_UNLISTED_KEYS = frozenset(
    {"minimum", "maximum", "minItems", "maxItems", "additionalProperties", "default"}
)


def make_input_schema(args_type: type[Args]) -> Schema:
    """Return the JSON Schema 2020-12 of an argument struct, with the root `type: object`."""
    (root,), components = msgspec.json.schema_components([args_type], ref_template="{name}")
    return _simplify_schema(root, components)


def make_listed_schema(schema: Schema) -> Schema:
    """Return an inputSchema in the form of tools/list.

    It omits defaults and the arguments in `UNLISTED_ARGUMENTS`. It also omits limits, because error
    messages state them.
    """
    return {**_drop_unlisted_keys(schema), "additionalProperties": False}


def make_brief_schema(schema: Schema, optional_arguments: Iterable[str]) -> Schema:
    """Return an inputSchema without descriptions, for the short form of tools/list.

    It allows additional arguments, because the tool still accepts the omitted ones.

    Args:
        optional_arguments: The optional arguments to include, by their names on the wire.
    """
    named = {*optional_arguments, *schema.get("required", ())}
    properties = {
        name: _without_key(_drop_unlisted_keys(value), "description")
        for name, value in schema["properties"].items()
        if name in named
    }
    return {**_drop_unlisted_keys(schema), "properties": properties}


def _drop_unlisted_keys(node: Schema) -> Schema:
    short = {key: value for key, value in node.items() if key not in _UNLISTED_KEYS}
    if "items" in node:
        short["items"] = _drop_unlisted_keys(node["items"])
    if "properties" in node:
        short["properties"] = {
            name: _drop_unlisted_keys(value)
            for name, value in node["properties"].items()
            if name not in UNLISTED_ARGUMENTS
        }
    return short


def make_output_schema(output_type: type[Output]) -> Schema:
    """Return an outputSchema that names the required fields of an output struct: lists and texts.

    Every client receives this schema, and few use it. So it is short, and omits the rows of lists.
    """
    properties = {
        field.encode_name: {"type": "array" if get_origin(field.type) is list else "string"}
        for field in msgspec.structs.fields(output_type)
        if field.required
    }
    return {"type": "object", "properties": properties}


def _simplify_schema(node: Schema, components: Mapping[str, Schema]) -> Schema:
    """Return a schema without references, titles and nulls, at all depths."""
    if "$ref" in node:
        target = {k: v for k, v in components[node["$ref"]].items() if k != "description"}
        return _simplify_schema({**_without_key(node, "$ref"), **target}, components)
    if "anyOf" in node:
        return _simplify_any_of(node, components)
    plain = {
        key: _simplify_value(key, value, components)
        for key, value in node.items()
        if key not in _OMITTED_KEYS and not (key == "required" and not value)
    }
    if isinstance(values := plain.get("enum"), list) and "type" not in plain:
        kinds = {type(value) for value in values}
        if kinds == {str}:
            return {"type": "string", **plain}
        if kinds == {int}:
            return {"type": "integer", **plain}
    return plain


def _simplify_any_of(node: Schema, components: Mapping[str, Schema]) -> Schema:
    kinds = [_simplify_schema(kind, components) for kind in node["anyOf"] if kind != _NULL]
    rest = _without_key(node, "anyOf")
    if len(kinds) == 1:
        return {**kinds[0], **rest}
    return {"anyOf": kinds, **rest}


def _simplify_value(key: str, value: Any, components: Mapping[str, Schema]) -> Any:
    if key == "properties":
        return {name: _simplify_property(schema, components) for name, schema in value.items()}
    if key in {"items", "additionalProperties"} and isinstance(value, dict):
        return _simplify_schema(value, components)
    return value


def _simplify_property(node: Schema, components: Mapping[str, Schema]) -> Schema:
    """Return the schema of a property without a default of null, false or an empty value.

    A property that allows null and has no default is of the type `T | UnsetType | None`. It keeps
    null.
    """
    plain = _simplify_schema(node, components)
    default = plain.get("default", ...)
    if default is ... and _NULL in node.get("anyOf", ()):
        return {"anyOf": [plain, _NULL]}
    if default is None or default is False or default in ([], {}):
        return _without_key(plain, "default")
    return plain


def _without_key(node: Schema, key: str) -> Schema:
    return {name: value for name, value in node.items() if name != key}
