"""One call that docs/tools.md shows with its reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SITE = "http://localhost:8000"
"""Address of the example site in the page; the player replaces it with the real one."""

PHOTO = "photo.png"
"""Name of an image in the working directory of the server."""


@dataclass(frozen=True)
class Named:
    """An element of the example site. The player replaces it with the ref in the newest reply."""

    role: str
    name: str


@dataclass(frozen=True)
class Example:
    """A call of a tool.

    Attributes:
        note: A sentence about the call; "" for a call that only prepares others and is not shown.
        has_data: Whether to show the result as data, too.
    """

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    has_data: bool = False


def link(name: str) -> Named:
    return Named("link", name)


def button(name: str) -> Named:
    return Named("button", name)


def step(tool: str, **arguments: Any) -> dict[str, Any]:
    """Return a call of a batch."""
    return {"tool": tool, "arguments": arguments}
