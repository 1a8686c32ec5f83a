"""`python -m viewpoint_mcp.shell`, the same as the command `viewpoint`."""

from __future__ import annotations

from viewpoint_mcp.shell.client import main

main()
