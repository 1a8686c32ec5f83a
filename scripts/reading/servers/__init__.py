"""How each server is called."""

from __future__ import annotations

from scripts.reading.servers.agent_browser import AGENT_BROWSER
from scripts.reading.servers.mcp import MCP_ADAPTERS

ADAPTERS = {**MCP_ADAPTERS, "agent-browser": AGENT_BROWSER}
