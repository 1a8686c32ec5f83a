"""A PNG file and the description of a screenshot, for tests of saved files."""

from __future__ import annotations

from viewpoint_mcp.files.records import FileDescription

PNG = b"\x89PNG\r\n\x1a\n rest"
SHOT = FileDescription(
    kind="screenshot",
    url="https://shop.example/?q=1",
    title="Shop",
    context="default",
    what="viewport",
    viewport=(1280, 720),
    size=(2560, 1440),
    scale=2.0,
)
