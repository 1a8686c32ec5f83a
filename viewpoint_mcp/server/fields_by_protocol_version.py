"""The fields that each version of the protocol added to the server's messages.

A client of an earlier version does not get them. The specification allows clients to ignore unknown
fields, but some clients reject them. The module `sessionless_protocol` has the rules of 2026-07-28.

Source: the changelogs and schemas of MCP 2024-11-05 to 2026-07-28.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from viewpoint_mcp.rpc.messages import JsonObject

ObjectKind = Literal["server", "tool", "result", "resource", "template", "prompt", "progress"]

LINKS_VERSION: Final = "2025-06-18"
"""The version that added content blocks of the type `resource_link`."""

AUDIO_VERSION: Final = "2025-03-26"
"""The version that added content blocks of the type `audio`."""

_ANNOTATIONS_VERSION: Final = "2025-03-26"
_STRUCTURED_VERSION: Final = "2025-06-18"

_ADDED_IN: Final[Mapping[ObjectKind, Mapping[str, str]]] = MappingProxyType(
    {
        "server": {"title": _STRUCTURED_VERSION},
        "tool": {
            "annotations": _ANNOTATIONS_VERSION,
            "title": _STRUCTURED_VERSION,
            "outputSchema": _STRUCTURED_VERSION,
        },
        "result": {"structuredContent": _STRUCTURED_VERSION},
        # Annotations of resources are older, but `lastModified`, the only one used here, is not.
        "resource": {"title": _STRUCTURED_VERSION, "annotations": _STRUCTURED_VERSION},
        "template": {"title": _STRUCTURED_VERSION},
        "prompt": {"title": _STRUCTURED_VERSION},
        "progress": {"message": _ANNOTATIONS_VERSION},
    }
)


def remove_newer_fields(kind: ObjectKind, value: JsonObject, version: str) -> JsonObject:
    """Return an object without the fields that a protocol version does not define.

    Args:
        kind: The kind of the object.
        value: The object with all fields.
        version: The protocol version of the client.
    """
    since = _ADDED_IN[kind]
    return {name: item for name, item in value.items() if version >= since.get(name, "")}


def remove_newer_tool_fields(list_entry: JsonObject, version: str) -> JsonObject:
    """Return the entry of a tool without the fields that a protocol version does not define.

    In versions that have no `title` field but annotations, the title moves to the annotations.

    Args:
        list_entry: The entry with all fields.
        version: The protocol version of the client.
    """
    fields = remove_newer_fields("tool", list_entry, version)
    if "title" in fields or "annotations" not in fields:
        return fields
    return {**fields, "annotations": {"title": list_entry["title"], **list_entry["annotations"]}}
