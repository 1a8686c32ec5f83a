"""The entry point of the bundle, for clients that run a file: server.py in the archive."""

from __future__ import annotations

from viewpoint_mcp.cli import main

main()
