"""An MCP server that gives an AI agent a browser: Chromium, over the DevTools Protocol."""

from __future__ import annotations

__version__ = "0.1.0"
