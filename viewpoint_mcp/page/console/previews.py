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

LONGEST: Final = 10_000
"""Maximum characters of one message. A cut message ends with the number of omitted characters."""

_NESTED: Final = 300  # maximum characters of a string in an object
_DIRECTIVE: Final = re.compile(r"%([sdifoOc%])")
_NODE: Final = re.compile(r"(?P<tag>[^#.]+)(?:#(?P<id>[^.]*))?(?P<classes>(?:\..*)?)", re.DOTALL)
_BODY: Final = re.compile(r"\s*(?:=>|\{)")
_SIGNATURE: Final = 100  # maximum characters of a function's head
_NUMBER: Final = re.compile(r"[+-]?\d+(?:\.\d+)?")
_ARRAY: Final = re.compile(r"Array\((\d+)\)")
_LISTS: Final = ("array", "typedarray")


def message(args: Sequence[RemoteObject], *, formats: bool = True) -> str:
    """Return the text of a console call.

    Args:
        args: CDP `Runtime.RemoteObject` of each argument, with previews.
        formats: Whether format specifiers in the first argument are replaced.
    """
    if len(args) == 1 and args[0]["type"] == "string":
        return shorten(args[0]["value"], LONGEST)
    parts: list[str] = []
    rest: Iterable[RemoteObject] = args
    if formats and len(args) > 1 and args[0]["type"] == "string":
        template = args[0]["value"]
        if "%" in template[:LONGEST]:
            text, used = _filled(template, args[1:])
            parts, rest = [text], args[1 + used :]
    room = LONGEST - sum(map(len, parts))
    for arg in rest:
        text = value(arg, room)
        parts.append(text)
        room -= len(text) + 1
        if room <= 0:
            break
    return shorten(" ".join(parts), LONGEST)


def value(remote: RemoteObject, room: int = LONGEST) -> str:
    """Return the text of one argument of a console call.

    Args:
        remote: CDP `Runtime.RemoteObject`.
        room: Characters after which a string or description may be cut.
    """
    kind, subtype = remote["type"], remote.get("subtype")
    if kind == "string":
        return shorten(remote["value"], max(0, room))
    if kind == "function":
        return _function(str(remote.get("description", "")))
    if subtype == "error":
        return shorten(str(remote.get("description", "Error")), max(0, room))
    if "preview" in remote:
        return preview(remote["preview"])
    if subtype == "node":
        return _node(str(remote.get("description", "")))
    if "description" in remote:
        return shorten(str(remote["description"]), max(0, room))
    return _simple(remote)


def preview(shown: ObjectPreview) -> str:
    """Return the text of an object, with the properties that its preview contains.

    Args:
        shown: CDP `Runtime.ObjectPreview`.
    """
    subtype = shown.get("subtype")
    description = str(shown.get("description", ""))
    if subtype == "node":
        return _node(description) + _text_of(shown)
    if subtype == "error":
        return description.partition("\n")[0][:_NESTED]
    if shown["type"] == "string":
        return _quoted(description)
    if shown["type"] == "function":
        return _function(description)
    if shown["type"] != "object" or subtype in ("null", "date", "regexp", "proxy"):
        return description[:_NESTED]
    if "entries" in shown:
        return f"{description} {_braces('{}', map(_entry, shown['entries']), shown)}"
    if subtype in _LISTS:
        items = (_item(each) for each in shown["properties"] if _is_item(each, subtype))
        is_plain = len(shown["properties"]) == length_of(shown)  # else it has holes, or more items
        name = "" if is_plain else f"{description} "
        return name + _braces("[]", items, shown)
    name = "" if description == "Object" else f"{description[:_NESTED]} "
    return name + _braces("{}", map(_named, shown["properties"]), shown)


def length_of(remote: RemoteObject | ObjectPreview) -> int:
    """Return the number of items of an array; 0 for other values.

    Args:
        remote: CDP `Runtime.RemoteObject` or `Runtime.ObjectPreview`.
    """
    found = _ARRAY.fullmatch(str(remote.get("description", "")))
    return int(found[1]) if found and remote.get("subtype") == "array" else 0


def is_shallow(remote: RemoteObject) -> bool:
    """Return whether the preview of an object is incomplete.

    This is the case if it is missing or truncated, or if it names nested objects without their
    content. Only plain objects and arrays are considered.
    """
    if "objectId" not in remote or remote["type"] != "object":
        return False
    if remote.get("subtype") not in (None, "array") or remote.get("className") == "Window":
        return False
    shown = remote.get("preview")
    if shown is None:
        return True
    return bool(shown.get("overflow")) or any(
        each["type"] == "object" and each.get("subtype") in (None, "array") and _is_bare(each)
        for each in shown["properties"]
    )


def deepened(remote: RemoteObject, properties: Iterable[PropertyDescriptor]) -> RemoteObject:
    """Return the object with a new preview that contains the previews of its properties.

    Args:
        remote: CDP `Runtime.RemoteObject`.
        properties: CDP `Runtime.PropertyDescriptor` of each property, with a preview of its value.
    """
    is_array = remote.get("subtype") == "array"
    own = [
        each
        for each in properties
        if each.get("enumerable") and not (is_array and each["name"] == "length")
    ]
    shown: ObjectPreview = {
        "type": "object",
        "description": remote.get("description", "Object"),
        "overflow": False,
        "properties": [_property(each) for each in own],
    }
    if is_array:
        shown["subtype"] = "array"
    return {**remote, "preview": shown}


def _property(descriptor: PropertyDescriptor) -> PropertyPreview:
    held = descriptor.get("value")
    if held is None:
        return {"name": descriptor["name"], "type": "accessor"}
    found: PropertyPreview = {
        "name": descriptor["name"],
        "type": held["type"],
        "value": _plain(held),
    }
    if "subtype" in held:
        found["subtype"] = held["subtype"]
    if "preview" in held and held.get("subtype") not in ("node", "error"):
        found["valuePreview"] = held["preview"]
    return found


def _plain(held: RemoteObject) -> str:
    if held["type"] == "string":
        return str(held["value"])[: _NESTED + 1]
    text = held.get("description")
    return str(text)[:_NESTED] if text is not None else _simple(held)


def _filled(template: str, args: Sequence[RemoteObject]) -> tuple[str, int]:
    """Replace the format specifiers. Return the text, and the number of arguments used for it."""
    used = 0

    def fill(found: re.Match[str]) -> str:
        nonlocal used
        kind = found[1]
        if kind == "%":
            return "%"
        if used == len(args):
            return found[0]
        arg = args[used]
        used += 1
        if kind == "c":  # style
            return ""
        if kind in "di" or kind == "f":
            return _number(arg, whole=kind != "f")
        return value(arg) if kind == "s" or arg["type"] != "string" else _quoted(arg["value"])

    return _DIRECTIVE.sub(fill, template[:LONGEST]) + template[LONGEST : LONGEST + 1], used


def _number(arg: RemoteObject, *, whole: bool) -> str:
    found = _NUMBER.match(value(arg, _NESTED)) if arg["type"] != "symbol" else None
    if found is None:
        return "NaN"
    return found[0].partition(".")[0] if whole else found[0]


def _simple(remote: RemoteObject) -> str:
    if remote.get("subtype") == "null" or remote.get("value", 0) is None:
        return "null"
    if "value" in remote:
        return json.dumps(remote["value"])
    return str(remote.get("unserializableValue") or remote["type"])


def _braces(pair: str, parts: Iterable[str], shown: ObjectPreview) -> str:
    listed = [*parts, *(["…"] if shown.get("overflow") else [])]
    return f"{pair[0]}{', '.join(listed)}{pair[1]}"


def _is_item(each: PropertyPreview, subtype: str | None) -> bool:
    return subtype != "typedarray" or each["name"].isdigit()


def _item(each: PropertyPreview) -> str:
    return _held(each) if each["name"].isdigit() else _named(each)


def _named(each: PropertyPreview) -> str:
    return f"{each['name'][:_NESTED]}: {_held(each)}"


def _entry(entry: EntryPreview) -> str:
    held = preview(entry["value"])
    return f"{preview(entry['key'])} => {held}" if "key" in entry else held


def _held(each: PropertyPreview) -> str:
    kind, text = each["type"], str(each.get("value", ""))
    if "valuePreview" in each:
        return preview(each["valuePreview"])
    if kind == "string":
        return _quoted(text)
    if kind == "function":
        return _function(text)
    if kind == "accessor":
        return "(...)"
    if each.get("subtype") == "node":
        return _node(text)
    if kind == "object" and each.get("subtype") == "error":
        return text.partition("\n")[0]
    if kind == "object" and text == "Object":
        return "{…}"
    return text


def _is_bare(each: PropertyPreview) -> bool:
    return "valuePreview" not in each and each.get("value") not in ("null", "Array(0)", "Window")


def _quoted(text: str) -> str:
    shown = text if len(text) <= _NESTED else f"{text[:_NESTED]}…"
    return json.dumps(shown, ensure_ascii=False)


def _function(source: str) -> str:
    """Return the head of a function or class: `ƒ name(a, b)`, `class Name`."""
    head = source[: 10 * _SIGNATURE]
    if head.startswith("class"):
        return " ".join(_BODY.split(head, maxsplit=1)[0].split())[:_SIGNATURE]
    head = " ".join(_BODY.split(head, maxsplit=1)[0].split())
    return f"ƒ {head.removeprefix('function').strip()}"[:_SIGNATURE].rstrip()


def _node(description: str) -> str:
    """Return the start tag of a node from a description such as `div#main.wide`."""
    found = _NODE.fullmatch(description)
    if found is None or description.startswith(("#", "<")):
        return description[:_NESTED]
    attributes = f' id="{found["id"]}"' if found["id"] else ""
    if found["classes"]:
        attributes += f' class="{found["classes"][1:].replace(".", " ")}"'
    return f"<{found['tag']}{attributes}>"[: 2 * _NESTED]


def _text_of(shown: ObjectPreview) -> str:
    if shown.get("description") != "#text":
        return ""
    data = (each["value"] for each in shown["properties"] if each["name"] == "data")
    return "".join(f" {_quoted(text)}" for text in data)
