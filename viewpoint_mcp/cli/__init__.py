"""The command line: the only place where parts are wired together."""

from __future__ import annotations

from viewpoint_mcp.cli.command import main

__all__ = ["main"]
