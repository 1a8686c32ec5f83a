"""Converts the values of scripts from CDP's deep serialization to readable JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import orjson

if TYPE_CHECKING:
    from cdp_protocol.types.runtime import DeepSerializedValue, RemoteObject, SerializationOptions

SERIALIZATION_OPTIONS: SerializationOptions = {
    "serialization": "deep",
    "maxDepth": 12,
    "additionalParameters": {"maxNodeDepth": 0},
}
"""CDP `Runtime.SerializationOptions` for the values that `render_value` converts."""

_OMITTED = object()
_OPAQUE_TYPES = frozenset({"platformobject", "typedarray", "arraybuffer", "proxy", "error"})
_ATTRIBUTE, _COMMENT = 2, 8  # `Node.nodeType`
_NODE_TEXTS = {9: "#document", 10: "<!DOCTYPE>", 11: "#document-fragment"}
_PLACEHOLDER_NAMES = {
    "promise": "Promise",
    "weakmap": "WeakMap",
    "weakset": "WeakSet",
    "window": "Window",
    "proxy": "Proxy",
}


def render_value(remote: RemoteObject) -> str:
    """Return a value as text: a string unchanged, other values as indented JSON.

    Errors, functions and symbols are converted to their descriptions.

    Args:
        remote: CDP `Runtime.RemoteObject`. An object must be serialized with
            `SERIALIZATION_OPTIONS`.
    """
    deep = remote.get("deepSerializedValue") or _wrap_as_deep_value(remote)
    if deep["type"] in ("error", "function", "symbol", "bigint") and "description" in remote:
        return str(remote["description"])
    if "unserializableValue" in remote:
        deep["value"] = remote["unserializableValue"]
    value = _to_json(deep, {}, ())
    if value is _OMITTED:
        return "undefined" if deep["type"] == "undefined" else _placeholder(deep)
    if isinstance(value, str):
        return value
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()


def has_objects_serialized_without_content(remote: RemoteObject) -> bool:
    """Return whether a value contains objects of which the serialization has only the type.

    Args:
        remote: CDP `Runtime.RemoteObject`, serialized with `SERIALIZATION_OPTIONS`.
    """
    pending: list[Any] = [remote.get("deepSerializedValue")]
    while pending:
        deep = pending.pop()
        if isinstance(deep, list):
            pending.extend(deep)
        elif isinstance(deep, dict):
            if deep["type"] in _OPAQUE_TYPES:
                return True
            if isinstance(deep.get("value"), list):
                pending.extend(deep["value"])
    return False


def _wrap_as_deep_value(remote: RemoteObject) -> DeepSerializedValue:
    """Return a value without a deep serialization in the form of one."""
    kind = remote.get("subtype", remote["type"])
    return cast("DeepSerializedValue", {"type": kind, "value": remote.get("value")})


def _to_json(
    deep_value: DeepSerializedValue, known_values: dict[int, Any], path: tuple[int, ...]
) -> Any:
    kind, value = deep_value["type"], deep_value.get("value")
    reference = deep_value.get("weakLocalObjectReference")
    if reference is not None:
        if reference in path:
            return "[Circular]"
        if value is None and reference in known_values:
            return known_values[reference]
        path = (*path, reference)
    result = (
        _container_to_json(kind, value, known_values, path)
        if isinstance(value, list)
        else _scalar_to_json(kind, value, deep_value)
    )
    if reference is not None and value is not None:
        known_values[reference] = result
    return result


def _container_to_json(
    kind: str, value: list[Any], known_values: dict[int, Any], path: tuple[int, ...]
) -> Any:
    if kind in ("array", "set", "nodelist", "htmlcollection", "typedarray"):
        items = (_to_json(item, known_values, path) for item in value)
        return [None if item is _OMITTED else item for item in items]
    pairs = (
        (_key_to_text(key, known_values, path), _to_json(item, known_values, path))
        for key, item in value
    )
    return {key: item for key, item in pairs if item is not _OMITTED}


def _key_to_text(key: Any, known_values: dict[int, Any], path: tuple[int, ...]) -> str:
    if isinstance(key, str):
        return key
    plain = _to_json(key, known_values, path)
    if plain is _OMITTED:
        return "undefined" if key["type"] == "undefined" else _placeholder(key)
    return plain if isinstance(plain, str) else orjson.dumps(plain).decode()


def _scalar_to_json(kind: str, value: Any, deep_value: DeepSerializedValue) -> Any:
    if kind in ("undefined", "function", "symbol"):
        return _OMITTED
    if kind == "null" or (value is None and kind in ("string", "number", "boolean")):
        return None
    if kind == "number" and isinstance(value, str):
        return 0 if value == "-0" else value
    if kind == "bigint":
        return f"{value}n"
    if kind == "regexp" and isinstance(value, dict):
        return f"/{value['pattern']}/{value.get('flags', '')}"
    if kind == "node" and isinstance(value, dict):
        return _render_node(value)
    if kind in _PLACEHOLDER_NAMES:
        return _placeholder(deep_value)
    return value if value is not None else _placeholder(deep_value)


def _placeholder(deep_value: DeepSerializedValue) -> str:
    kind = deep_value["type"]
    return f"[{_PLACEHOLDER_NAMES.get(kind, kind)}]"


def _render_node(value: dict[str, Any]) -> str:
    name, text = value.get("localName"), value.get("nodeValue")
    kind = int(value.get("nodeType", 0))
    if kind == _ATTRIBUTE:
        return f'{name}="{text}"'
    if name is None:
        return f"<!--{text}-->" if kind == _COMMENT else _NODE_TEXTS.get(kind, f"#text {text}")
    attributes = "".join(
        f' {key}="{text}"' for key, text in (value.get("attributes") or {}).items()
    )
    return f"<{name}{attributes}>"
