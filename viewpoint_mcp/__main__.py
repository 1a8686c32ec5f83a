"""`python -m viewpoint_mcp`, the same as the command `viewpoint-mcp`."""

from __future__ import annotations

from viewpoint_mcp.cli import main

main()
