"""Which fields came with which revision of the protocol, of all that the server says.

A client of an earlier one does not get them: the specification lets it ignore what it does not
know, but some refuse it. What each request and result is since 2026-07-28, `modern` tells.

Source: the changelogs and schemas of MCP 2024-11-05 to 2026-07-28.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from viewpoint_mcp.rpc.messages import JsonObject

Kind = Literal["server", "tool", "result", "resource", "template", "prompt", "progress"]

LINKS: Final = "2025-06-18"
"""The revision that brought `resource_link`."""

AUDIO: Final = "2025-03-26"
"""The revision that brought `audio`."""

_ANNOTATED: Final = "2025-03-26"
_STRUCTURED: Final = "2025-06-18"

_SINCE: Final[Mapping[Kind, Mapping[str, str]]] = MappingProxyType(
    {
        "server": {"title": _STRUCTURED},
        "tool": {"annotations": _ANNOTATED, "title": _STRUCTURED, "outputSchema": _STRUCTURED},
        "result": {"structuredContent": _STRUCTURED},
        # Annotations are older, but not the only one that resources have here: lastModified.
        "resource": {"title": _STRUCTURED, "annotations": _STRUCTURED},
        "template": {"title": _STRUCTURED},
        "prompt": {"title": _STRUCTURED},
        "progress": {"message": _ANNOTATED},
    }
)


def fit(kind: Kind, value: JsonObject, version: str) -> JsonObject:
    """Return what a client of this revision gets of a value.

    Args:
        version: The protocol's, which the client speaks.
    """
    since = _SINCE[kind]
    return {name: item for name, item in value.items() if version >= since.get(name, "")}


def fit_tool(listing: JsonObject, version: str) -> JsonObject:
    """The same for a tool; its title was one of the annotations at first."""
    fitted = fit("tool", listing, version)
    if "title" in fitted or "annotations" not in fitted:
        return fitted
    return {**fitted, "annotations": {"title": listing["title"], **listing["annotations"]}}
