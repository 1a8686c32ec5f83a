"""The fields that each version of the protocol added to the server's messages.

A client of an earlier version does not get them. The specification allows clients to ignore unknown
fields, but some clients reject them. The module `modern` has the rules of 2026-07-28.

Source: the changelogs and schemas of MCP 2024-11-05 to 2026-07-28.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from viewpoint_mcp.rpc.messages import JsonObject

Kind = Literal["server", "tool", "result", "resource", "template", "prompt", "progress"]

LINKS: Final = "2025-06-18"
"""The version that added content blocks of the type `resource_link`."""

AUDIO: Final = "2025-03-26"
"""The version that added content blocks of the type `audio`."""

_ANNOTATED: Final = "2025-03-26"
_STRUCTURED: Final = "2025-06-18"

_SINCE: Final[Mapping[Kind, Mapping[str, str]]] = MappingProxyType(
    {
        "server": {"title": _STRUCTURED},
        "tool": {"annotations": _ANNOTATED, "title": _STRUCTURED, "outputSchema": _STRUCTURED},
        "result": {"structuredContent": _STRUCTURED},
        # Annotations of resources are older, but `lastModified`, the only one used here, is not.
        "resource": {"title": _STRUCTURED, "annotations": _STRUCTURED},
        "template": {"title": _STRUCTURED},
        "prompt": {"title": _STRUCTURED},
        "progress": {"message": _ANNOTATED},
    }
)


def fit(kind: Kind, value: JsonObject, version: str) -> JsonObject:
    """Return an object without the fields that a protocol version does not define.

    Args:
        kind: The kind of the object.
        value: The object with all fields.
        version: The protocol version of the client.
    """
    since = _SINCE[kind]
    return {name: item for name, item in value.items() if version >= since.get(name, "")}


def fit_tool(listing: JsonObject, version: str) -> JsonObject:
    """Return the entry of a tool without the fields that a protocol version does not define.

    In versions that have no `title` field but annotations, the title moves to the annotations.

    Args:
        listing: The entry with all fields.
        version: The protocol version of the client.
    """
    fitted = fit("tool", listing, version)
    if "title" in fitted or "annotations" not in fitted:
        return fitted
    return {**fitted, "annotations": {"title": listing["title"], **listing["annotations"]}}
