"""The command line `viewpoint-mcp`: flags, the server, and the sub-commands."""

from __future__ import annotations

from viewpoint_mcp.cli.root_command import main

__all__ = ["main"]
