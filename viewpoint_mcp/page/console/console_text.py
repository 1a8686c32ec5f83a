"""Renders the arguments of console calls as text, as the console of DevTools does.

The values come from the previews in CDP's events. Format specifiers such as `%s` in the first
argument are replaced.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from viewpoint_mcp.page.shorten import shorten

if TYPE_CHECKING:
    from cdp_protocol.types.runtime import (
        EntryPreview,
        ObjectPreview,
        PropertyDescriptor,
        PropertyPreview,
        RemoteObject,
    )

MAX_MESSAGE: Final = 10_000
"""Maximum characters of one message. A cut message ends with the number of omitted characters."""

_MAX_NESTED_STRING: Final = 300  # maximum characters of a string in an object
_FORMAT_SPECIFIER: Final = re.compile(r"%([sdifoOc%])")
_NODE_DESCRIPTION: Final = re.compile(
    r"(?P<tag>[^#.]+)(?:#(?P<id>[^.]*))?(?P<classes>(?:\..*)?)", re.DOTALL
)
_FUNCTION_BODY: Final = re.compile(r"\s*(?:=>|\{)")
_MAX_SIGNATURE: Final = 100  # maximum characters of a function's head
_NUMBER_TEXT: Final = re.compile(r"[+-]?\d+(?:\.\d+)?")
_ARRAY_DESCRIPTION: Final = re.compile(r"Array\((\d+)\)")
_ARRAY_SUBTYPES: Final = ("array", "typedarray")


def render_message(args: Sequence[RemoteObject], *, replace_specifiers: bool = True) -> str:
    """Return the text of a console call.

    Args:
        args: CDP `Runtime.RemoteObject` of each argument, with previews.
        replace_specifiers: Whether format specifiers in the first argument are replaced.
    """
    if len(args) == 1 and args[0]["type"] == "string":
        return shorten(args[0]["value"], MAX_MESSAGE)
    parts: list[str] = []
    rest: Iterable[RemoteObject] = args
    if replace_specifiers and len(args) > 1 and args[0]["type"] == "string":
        template = args[0]["value"]
        if "%" in template[:MAX_MESSAGE]:
            text, used = _replace_specifiers_and_count_used_args(template, args[1:])
            parts, rest = [text], args[1 + used :]
    characters_left = MAX_MESSAGE - sum(map(len, parts))
    for arg in rest:
        text = render_value(arg, characters_left)
        parts.append(text)
        characters_left -= len(text) + 1
        if characters_left <= 0:
            break
    return shorten(" ".join(parts), MAX_MESSAGE)


def render_value(remote: RemoteObject, max_length: int = MAX_MESSAGE) -> str:
    """Return the text of one argument of a console call.

    Args:
        remote: CDP `Runtime.RemoteObject`.
        max_length: Characters after which a string or description may be cut.
    """
    kind, subtype = remote["type"], remote.get("subtype")
    if kind == "string":
        return shorten(remote["value"], max(0, max_length))
    if kind == "function":
        return _render_function(str(remote.get("description", "")))
    if subtype == "error":
        return shorten(str(remote.get("description", "Error")), max(0, max_length))
    if "preview" in remote:
        return render_preview(remote["preview"])
    if subtype == "node":
        return _render_node(str(remote.get("description", "")))
    if "description" in remote:
        return shorten(str(remote["description"]), max(0, max_length))
    return _render_primitive(remote)


def render_preview(object_preview: ObjectPreview) -> str:
    """Return the text of an object, with the properties that its preview contains.

    Args:
        object_preview: CDP `Runtime.ObjectPreview`.
    """
    subtype = object_preview.get("subtype")
    description = str(object_preview.get("description", ""))
    if subtype == "node":
        return _render_node(description) + _render_node_text(object_preview)
    if subtype == "error":
        return description.partition("\n")[0][:_MAX_NESTED_STRING]
    if object_preview["type"] == "string":
        return _quote(description)
    if object_preview["type"] == "function":
        return _render_function(description)
    if object_preview["type"] != "object" or subtype in ("null", "date", "regexp", "proxy"):
        return description[:_MAX_NESTED_STRING]
    if "entries" in object_preview:
        entries = map(_render_entry, object_preview["entries"])
        return f"{description} {_join_in_brackets('{}', entries, object_preview)}"
    if subtype in _ARRAY_SUBTYPES:
        items = (
            _render_item(each) for each in object_preview["properties"] if _is_item(each, subtype)
        )
        is_plain = len(object_preview["properties"]) == array_length(
            object_preview
        )  # else it has holes, or more items
        name = "" if is_plain else f"{description} "
        return name + _join_in_brackets("[]", items, object_preview)
    name = "" if description == "Object" else f"{description[:_MAX_NESTED_STRING]} "
    return name + _join_in_brackets(
        "{}", map(_render_named_property, object_preview["properties"]), object_preview
    )


def array_length(remote: RemoteObject | ObjectPreview) -> int:
    """Return the number of items of an array; 0 for other values.

    Args:
        remote: CDP `Runtime.RemoteObject` or `Runtime.ObjectPreview`.
    """
    match = _ARRAY_DESCRIPTION.fullmatch(str(remote.get("description", "")))
    return int(match[1]) if match and remote.get("subtype") == "array" else 0


def is_preview_incomplete(remote: RemoteObject) -> bool:
    """Return whether the preview of an object is incomplete.

    This is the case if it is missing or truncated, or if it names nested objects without their
    content. Only plain objects and arrays are considered.
    """
    if "objectId" not in remote or remote["type"] != "object":
        return False
    if remote.get("subtype") not in (None, "array") or remote.get("className") == "Window":
        return False
    object_preview = remote.get("preview")
    if object_preview is None:
        return True
    return bool(object_preview.get("overflow")) or any(
        property_preview["type"] == "object"
        and property_preview.get("subtype") in (None, "array")
        and _is_without_content(property_preview)
        for property_preview in object_preview["properties"]
    )


def add_property_previews(
    remote: RemoteObject, properties: Iterable[PropertyDescriptor]
) -> RemoteObject:
    """Return the object with a new preview that contains the previews of its properties.

    Args:
        remote: CDP `Runtime.RemoteObject`.
        properties: CDP `Runtime.PropertyDescriptor` of each property, with a preview of its value.
    """
    is_array = remote.get("subtype") == "array"
    visible_properties = [
        each
        for each in properties
        if each.get("enumerable") and not (is_array and each["name"] == "length")
    ]
    object_preview: ObjectPreview = {
        "type": "object",
        "description": remote.get("description", "Object"),
        "overflow": False,
        "properties": [_property_preview(each) for each in visible_properties],
    }
    if is_array:
        object_preview["subtype"] = "array"
    return {**remote, "preview": object_preview}


def _property_preview(descriptor: PropertyDescriptor) -> PropertyPreview:
    value = descriptor.get("value")
    if value is None:
        return {"name": descriptor["name"], "type": "accessor"}
    property_preview: PropertyPreview = {
        "name": descriptor["name"],
        "type": value["type"],
        "value": _plain_text(value),
    }
    if "subtype" in value:
        property_preview["subtype"] = value["subtype"]
    if "preview" in value and value.get("subtype") not in ("node", "error"):
        property_preview["valuePreview"] = value["preview"]
    return property_preview


def _plain_text(remote: RemoteObject) -> str:
    if remote["type"] == "string":
        return str(remote["value"])[: _MAX_NESTED_STRING + 1]
    text = remote.get("description")
    return str(text)[:_MAX_NESTED_STRING] if text is not None else _render_primitive(remote)


def _replace_specifiers_and_count_used_args(
    template: str, args: Sequence[RemoteObject]
) -> tuple[str, int]:
    """Replace the format specifiers. Return the text, and the number of arguments used for it."""
    used = 0

    def replace_specifier(match: re.Match[str]) -> str:
        nonlocal used
        kind = match[1]
        if kind == "%":
            return "%"
        if used == len(args):
            return match[0]
        arg = args[used]
        used += 1
        if kind == "c":  # style
            return ""
        if kind in "di" or kind == "f":
            return _format_number(arg, is_integer=kind != "f")
        return render_value(arg) if kind == "s" or arg["type"] != "string" else _quote(arg["value"])

    return _FORMAT_SPECIFIER.sub(replace_specifier, template[:MAX_MESSAGE]) + template[
        MAX_MESSAGE : MAX_MESSAGE + 1
    ], used


def _format_number(arg: RemoteObject, *, is_integer: bool) -> str:
    match = (
        _NUMBER_TEXT.match(render_value(arg, _MAX_NESTED_STRING))
        if arg["type"] != "symbol"
        else None
    )
    if match is None:
        return "NaN"
    return match[0].partition(".")[0] if is_integer else match[0]


def _render_primitive(remote: RemoteObject) -> str:
    if remote.get("subtype") == "null" or remote.get("value", 0) is None:
        return "null"
    if "value" in remote:
        return json.dumps(remote["value"])
    return str(remote.get("unserializableValue") or remote["type"])


def _join_in_brackets(brackets: str, parts: Iterable[str], object_preview: ObjectPreview) -> str:
    listed = [*parts, *(["…"] if object_preview.get("overflow") else [])]
    return f"{brackets[0]}{', '.join(listed)}{brackets[1]}"


def _is_item(property_preview: PropertyPreview, subtype: str | None) -> bool:
    return subtype != "typedarray" or property_preview["name"].isdigit()


def _render_item(property_preview: PropertyPreview) -> str:
    return (
        _render_property_value(property_preview)
        if property_preview["name"].isdigit()
        else _render_named_property(property_preview)
    )


def _render_named_property(property_preview: PropertyPreview) -> str:
    name = property_preview["name"][:_MAX_NESTED_STRING]
    return f"{name}: {_render_property_value(property_preview)}"


def _render_entry(entry: EntryPreview) -> str:
    value = render_preview(entry["value"])
    return f"{render_preview(entry['key'])} => {value}" if "key" in entry else value


def _render_property_value(property_preview: PropertyPreview) -> str:
    kind, text = property_preview["type"], str(property_preview.get("value", ""))
    if "valuePreview" in property_preview:
        return render_preview(property_preview["valuePreview"])
    if kind == "string":
        return _quote(text)
    if kind == "function":
        return _render_function(text)
    if kind == "accessor":
        return "(...)"
    if property_preview.get("subtype") == "node":
        return _render_node(text)
    if kind == "object" and property_preview.get("subtype") == "error":
        return text.partition("\n")[0]
    if kind == "object" and text == "Object":
        return "{…}"
    return text


def _is_without_content(property_preview: PropertyPreview) -> bool:
    return "valuePreview" not in property_preview and property_preview.get("value") not in (
        "null",
        "Array(0)",
        "Window",
    )


def _quote(text: str) -> str:
    shortened = text if len(text) <= _MAX_NESTED_STRING else f"{text[:_MAX_NESTED_STRING]}…"
    return json.dumps(shortened, ensure_ascii=False)


def _render_function(source: str) -> str:
    """Return the head of a function or class: `ƒ name(a, b)`, `class Name`."""
    head = source[: 10 * _MAX_SIGNATURE]
    if head.startswith("class"):
        return " ".join(_FUNCTION_BODY.split(head, maxsplit=1)[0].split())[:_MAX_SIGNATURE]
    head = " ".join(_FUNCTION_BODY.split(head, maxsplit=1)[0].split())
    return f"ƒ {head.removeprefix('function').strip()}"[:_MAX_SIGNATURE].rstrip()


def _render_node(description: str) -> str:
    """Return the start tag of a node from a description such as `div#main.wide`."""
    match = _NODE_DESCRIPTION.fullmatch(description)
    if match is None or description.startswith(("#", "<")):
        return description[:_MAX_NESTED_STRING]
    attributes = f' id="{match["id"]}"' if match["id"] else ""
    if match["classes"]:
        attributes += f' class="{match["classes"][1:].replace(".", " ")}"'
    return f"<{match['tag']}{attributes}>"[: 2 * _MAX_NESTED_STRING]


def _render_node_text(object_preview: ObjectPreview) -> str:
    if object_preview.get("description") != "#text":
        return ""
    data = (each["value"] for each in object_preview["properties"] if each["name"] == "data")
    return "".join(f" {_quote(text)}" for text in data)
