"""Builds the bundle: a zip archive that desktop clients such as Claude Desktop install.

It contains the source of both packages and a manifest. The client runs it with uv, which installs
Python and the dependencies. Source: MANIFEST.md of github.com/modelcontextprotocol/mcpb, server
type "uv".
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from viewpoint_mcp import __version__
from viewpoint_mcp.tools.catalog import offered_tools

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
PACKAGES = ("cdp_protocol", "viewpoint_mcp")
FILES = ("LICENSE", "README.md", "pyproject.toml")

_ANY_DATE = (1980, 1, 1, 0, 0, 0)  # equal sources make equal archives


def build_bundle(directory: Path) -> Path:
    """Write the bundle of this version into a directory, and return its path."""
    path = directory / f"viewpoint-mcp-{__version__}.mcpb"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(_list_files()):
            archive.writestr(_describe_entry(name), content)
    return path


def make_manifest() -> dict[str, Any]:
    """Return the manifest with the version and the tools that are listed by default."""
    manifest: dict[str, Any] = json.loads((HERE / "manifest.json").read_text(encoding="utf-8"))
    tools = [{"name": each.name, "description": each.title} for each in offered_tools(frozenset())]
    # "tools_generated" means that settings change the list.
    return manifest | {"version": __version__, "tools": tools, "tools_generated": True}


def _list_files() -> Iterator[tuple[str, bytes]]:
    yield "manifest.json", json.dumps(make_manifest(), indent=2, ensure_ascii=False).encode()
    yield "server.py", (HERE / "bundled_server.py").read_bytes()
    for name in FILES:
        yield name, (ROOT / name).read_bytes()
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path.relative_to(ROOT).as_posix(), path.read_bytes()


def _describe_entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _ANY_DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry
